/** API keys, as an admin meets them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press, settled } from '../support/browser-checks.ts'

withBrowser((browser, kith) => {
  test('a key is created, copied once, works, and is nowhere to be found afterwards', async (t) => {
    const org = await kith.org()
    const page = await browser.page(t, kith, { org, context: { permissions: ['clipboard-read', 'clipboard-write'] } })
    await page.goto('/settings/api-keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await axe(page, 'the form')
    await page.getByRole('textbox', { name: 'Name' }).fill('Newsletter')
    await page.getByText('Read', { exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Copy this key now. It will not be shown again.').waitFor()
    await axe(page, 'the key')
    const field = page.getByRole('textbox', { name: 'Key' })
    const token = await field.inputValue()
    assert.match(token, /^kith_[0-9A-Za-z]{38}$/)
    await field.focus()
    assert.equal(await page.evaluate('getSelection().toString() || document.activeElement.value'), token)
    assert.ok(await page.getByText(`Authorization: Bearer ${token}`).isVisible())
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), token)
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /Newsletter/ })
    assert.match(await row.innerText(), new RegExp(`${token.slice(0, 12)}….*Read.*Never.*Active`, 's'))
    await leavesNoTrace(page, token)
    assert.equal((await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${token}` })).status, 200)
    assert.ok(!kith.log.includes(token.slice(12)))
  })

  test('closing before copying asks first, and the key stays as long as one goes back', async (t) => {
    const page = await browser.page(t, kith, { org: await kith.org() })
    await page.goto('/settings/api-keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('x')
    await press(page, 'Enter')
    await page.getByText('Copy this key now.').waitFor()
    await eventually('the focus is at the key', async () => (await focused(page)).startsWith('textbox "Key"'))
    await press(page, 'Escape')
    const question = page.getByRole('alertdialog', { name: 'Close without copying?' })
    await question.waitFor()
    await axe(page, 'the question')
    assert.equal(await focused(page), 'button "Go back"')
    await press(page, 'Enter')
    await question.waitFor({ state: 'detached' })
    assert.ok(await page.getByText('Copy this key now.').isVisible())
    await eventually('the focus is back at the key', async () => (await focused(page)).startsWith('textbox "Key"'))
    await press(page, 'Escape')
    await question.getByRole('button', { name: 'Close without copying' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Active', { exact: true }).nth(1).waitFor()
  })

  test('a form without a name keeps what is typed and moves the focus to it', async (t) => {
    const page = await browser.page(t, kith, { org: await kith.org() })
    await page.goto('/settings/api-keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await eventually('the focus is at the name', async () => (await focused(page)).startsWith('textbox "Name"'))
    await axe(page, 'the form with a fault')
  })

  test('a revoked key stops at once and stays listed with who and when', async (t) => {
    const org = await kith.org()
    const { token, id } = await org.token()
    const person = await kith.ui(org, 'admin', { name: 'Grace Hopper' })
    const page = await browser.page(t, kith, { person })
    await page.goto('/settings/api-keys')
    await page.getByRole('button', { name: 'Revoke Test' }).last().click()
    const question = page.getByRole('alertdialog')
    assert.match(
      await question.innerText(),
      /Programs that use kith_.{7}… stop working at once\. This cannot be undone\./,
    )
    assert.equal(await focused(page), 'button "Cancel"')
    await axe(page, 'the question')
    await question.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText(/Revoked by Grace Hopper/).waitFor()
    assert.equal((await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${token}` })).status, 401)
    assert.ok((await person.get('/tokens')).body.data.some((key: { id: string }) => key.id === id))
  })

  test('a member reads who manages keys; what is made elsewhere shows up', async (t) => {
    const org = await kith.org()
    const admin = await kith.ui(org, 'admin', { name: 'Ada Lovelace' })
    const member = await browser.page(t, kith, { org, role: 'member' })
    await member.goto('/settings/api-keys')
    await member.getByText('Only an admin can manage API keys.').waitFor()
    assert.ok(await member.getByText('Ask Ada Lovelace.').isVisible())
    assert.equal(await member.getByRole('button', { name: 'Create key' }).count(), 0)
    const page = await browser.page(t, kith, { person: admin, width: 320 })
    await page.goto('/settings/api-keys')
    await settled(page)
    await admin.post('/tokens', { name: 'From elsewhere', scopes: ['read'] })
    await page.getByText('From elsewhere').waitFor()
    await assertNoSideScroll(page)
  })
})

/** Not in the address, what the browser keeps, or the page. */
async function leavesNoTrace(page: Page, secret: string): Promise<void> {
  const kept = await page.evaluate(
    `[location.href, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }),
      JSON.stringify(history.state), document.documentElement.outerHTML].join()`,
  )
  assert.ok(!String(kept).includes(secret))
}
