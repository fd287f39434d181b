/** The web app on PostgreSQL: what is particular to SQLite would show here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBrowser } from '../support/browser.ts'
import { axe, settled } from '../support/browser-checks.ts'

withBrowser(
  (browser, kith) => {
    test('somebody signs in, finds a contact, reads about it and sees a change of another arrive', async (t) => {
      const org = await kith.org()
      const { member, password } = await kith.ui(org, 'admin')
      for (const full_name of ['Ada Lovelace', 'Grace Hopper', 'Zoë Ångström']) await org.addContact({ full_name })
      const page = await browser.page(t, kith)
      await page.goto('/deals')
      await page.waitForURL('**/sign-in*')
      await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
      await page.getByRole('textbox', { name: 'Password' }).fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Deals' }).waitFor()
      await page.getByRole('link', { name: 'Contacts' }).click()
      await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor()
      await page.getByText('Ada Lovelace').waitFor()
      await page.getByRole('searchbox', { name: 'Search name or company' }).fill('angstrom')
      await page.getByText('Ada Lovelace').waitFor({ state: 'detached' })
      await page.getByText('Zoë Ångström').waitFor()
      await page.getByRole('searchbox', { name: 'Search name or company' }).fill('')
      await page.getByText('Ada Lovelace').waitFor()
      await org.addContact({ full_name: 'Hedy Lamarr' })
      await page.getByText('Hedy Lamarr').waitFor()
      for (const path of ['/deals', '/tasks', '/imports', '/settings/webhooks', '/settings/organisation']) {
        await page.goto(path)
        await settled(page)
        assert.equal(await page.locator('h1').count(), 1, path)
      }
      await axe(page)
    })
  },
  { engine: 'postgres' },
)
