/** What is around every page: ways to go, keys, the palette, and what the connection does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { axe } from '../support/browser-checks.ts'
import { until } from '../support/until.ts'

withBrowser((browser, kith) => {
  test('going to another page names the document and moves the focus to its heading', async (t) => {
    const page = await opened(t, '/contacts')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deals' }).click()
    await headingHasFocus(page, 'Deals')
    assert.equal(await page.title(), 'Deals · Kith')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await headingHasFocus(page, 'Tasks')
    await page.goBack()
    await headingHasFocus(page, 'Deals')
  })

  test('the first Tab stop skips to the content, and the address stays', async (t) => {
    const page = await opened(t, '/tasks')
    await page.keyboard.press('Tab')
    assert.equal(await focusedText(page), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'content')
    assert.equal(new URL(page.url()).hash, '')
  })

  test('the palette opens a contact that the server finds, and remembers it', async (t) => {
    const org = await kith.org()
    const ada = await org.addContact({ full_name: 'Ada Lovelace', company: 'Analytical Engines' })
    await org.addContact({ full_name: 'Grace Hopper' })
    const page = await opened(t, '/deals', { org })
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Find anything' }).fill('love')
    await page.getByRole('menuitem', { name: /Ada Lovelace/ }).waitFor()
    await axe(page)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/contacts/${ada.id}`)
    await page.keyboard.press('Control+k')
    const recent = page.getByRole('group', { name: 'Recent' })
    assert.match(await recent.getByRole('menuitem').first().innerText(), /Ada Lovelace/)
  })

  test('in the palette Ctrl and Enter opens a page in a new tab', async (t) => {
    const page = await opened(t, '/deals')
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Find anything' }).fill('webh')
    await page.getByRole('menuitem', { name: 'Webhooks' }).waitFor()
    const opening = page.context().waitForEvent('page')
    await page.keyboard.press('Control+Enter')
    const opened2 = await opening
    await opened2.waitForURL('**/settings/webhooks')
    assert.equal(new URL(page.url()).pathname, '/deals')
  })

  test('what the palette does not know it offers to create', async (t) => {
    const page = await opened(t, '/deals')
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Find anything' }).fill('Zaphod Beeblebrox')
    await page.getByText('Nothing called “Zaphod Beeblebrox”.').waitFor()
    await page.getByRole('menuitem', { name: 'Create contact “Zaphod Beeblebrox”' }).click()
    const dialog = page.getByRole('dialog', { name: 'New contact' })
    await dialog.waitFor()
    assert.equal(await dialog.getByRole('textbox', { name: /name/i }).first().inputValue(), 'Zaphod Beeblebrox')
  })

  test('? lists the keys; in a field a key is a letter', async (t) => {
    const page = await opened(t, '/contacts')
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('g then d').waitFor()
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('c?')
    assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).value), 'c?')
    assert.equal(await page.getByRole('dialog').count(), 0)
  })

  test('single keys can be turned off; keys with Ctrl go on', async (t) => {
    const page = await opened(t, '/deals')
    await page.evaluate(() => localStorage.setItem('kith-preferences', '{"singleKeys":false}'))
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Deals' }).waitFor()
    await page.keyboard.press('c')
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Find anything' }).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 1)
  })

  test('a theme that was chosen is there before the first paint', async (t) => {
    const page = await opened(t, '/deals')
    await page.evaluate(() => localStorage.setItem('kith-preferences', '{"theme":"dark"}'))
    // The app itself never comes: what is seen is of the document and its first script alone.
    await page.route('**/assets/index-*.js', (route) => route.abort())
    page.guards.allow(/net::ERR_FAILED/)
    await page.reload({ waitUntil: 'domcontentloaded' })
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
      'rgb(20, 22, 25)',
    )
  })

  test('without a connection a bar says so, and goes when it is back', async (t) => {
    const page = await opened(t, '/deals')
    page.guards.allow(/net::ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await page.getByText('You are offline. Changes are not saved until you are back.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  })

  test('a list as an API call is a command with the token left out', async (t) => {
    const page = await opened(t, '/contacts')
    await page.getByRole('button', { name: 'Show as API call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Show as API call' })
    const command = await dialog.getByRole('textbox', { name: 'Command' }).inputValue()
    assert.match(command, /^curl '/)
    assert.match(command, /\/api\/v1\/contacts/)
    assert.match(command, /-H "Authorization: Bearer \$KITH_TOKEN"$/m)
    await axe(page)
  })

  test('a session that has ended asks to sign in again over the page, and goes on', async (t) => {
    const org = await kith.org()
    const page = await opened(t, '/contacts', { org })
    page.guards.allow(/401/)
    await page.context().clearCookies()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deals' }).click()
    const dialog = page.getByRole('dialog', { name: /Sign in again/ })
    await dialog.getByLabel('Password', { exact: true }).fill(page.person!.password)
    await dialog.getByRole('button', { name: /Sign in/ }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Deals' }).waitFor()
  })

  for (const [width, theme] of [
    [1366, 'light'],
    [800, 'dark'],
    [320, 'light'],
  ] as const) {
    test(`at ${width} px in ${theme} the menu of the person has nothing that axe finds`, async (t) => {
      const page = await opened(t, '/deals', { width, theme })
      await page.getByRole('button', { name: width < 640 ? 'More' : /menu$/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
      await axe(page)
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth))
    })
  }

  test('signing out leads to sign-in, and back leads to no page of before', async (t) => {
    const page = await opened(t, '/deals')
    await page.getByRole('button', { name: /menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in*')
    page.guards.allow(/401/)
    await page.goBack()
    await page.waitForURL('**/sign-in*')
  })

  async function opened(
    t: Parameters<typeof browser.page>[0],
    path: string,
    options: Parameters<typeof browser.page>[2] = {},
  ): Promise<GuardedPage> {
    const page = await browser.page(t, kith, { org: options.org ?? (await kith.org()), ...options })
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }
})

async function headingHasFocus(page: Page, name: string) {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await until(`the focus is on ${name}`, async () => (await focusedText(page)) === name)
}

function focusedText(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '')
}
