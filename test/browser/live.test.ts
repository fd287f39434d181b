/** What other people and programs do shows up in an open page by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withBrowser } from '../support/browser.ts'
import { settled } from '../support/browser-checks.ts'

withBrowser((browser, kith) => {
  test('a contact that a program adds, changes and deletes does so in an open list, without a reload', async (t) => {
    const org = await kith.org()
    await org.addContact({ full_name: 'Grace Hopper' })
    const page = await browser.page(t, kith, { org })
    await page.goto('/contacts')
    await page.getByText('Grace Hopper').waitFor()
    await mark(page)
    const { id } = await org.addContact({ full_name: 'Ada Lovelace', company: 'Analytical Engines' })
    await page.getByText('Ada Lovelace').waitFor()
    await org.api.patch(`/contacts/${id}`, { full_name: 'Ada King' })
    await page.getByText('Ada King').waitFor()
    await org.api.delete(`/contacts/${id}`)
    await page.getByText('Ada King').waitFor({ state: 'detached' })
    await assertNotReloaded(page)
  })

  test('a deal that a program moves does so on an open board, and a new task is in an open list', async (t) => {
    const org = await kith.org()
    const ada = await org.addContact({ full_name: 'Ada Lovelace', deal_stage: 'lead', deal_value: 1200 })
    const person = await kith.ui(org, 'member')
    const board = await browser.page(t, kith, { person })
    const tasks = await browser.page(t, kith, { person })
    await board.goto('/deals')
    await tasks.goto('/tasks')
    await column(board, 'lead').getByText('Ada Lovelace').waitFor()
    await settled(tasks)
    await Promise.all([mark(board), mark(tasks)])
    await org.api.patch(`/contacts/${ada.id}`, { deal_stage: 'won' })
    await column(board, 'won').getByText('Ada Lovelace').waitFor()
    await org.addTask({ title: 'Send the contract', contact_id: ada.id })
    await tasks.getByRole('button', { name: 'Send the contract', exact: true }).waitFor()
    await assertNotReloaded(board)
    await assertNotReloaded(tasks)
  })

  test('a tab that is put aside gives its connection back, and shows what it missed when it is looked at again', async (t) => {
    const org = await kith.org()
    const page = await browser.page(t, kith, { org })
    const stream = page.waitForRequest(/\/ui\/stream$/)
    await page.goto('/contacts')
    await page.getByText('No contacts yet.').waitFor()
    const given = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/ui/stream'))
    await stream
    await setHidden(page, true)
    await given
    await org.addContact({ full_name: 'Ada Lovelace' })
    await setHidden(page, false)
    await page.getByText('Ada Lovelace').waitFor()
  })

  test('nothing of another org arrives', async (t) => {
    const [ours, theirs] = [await kith.org(), await kith.org()]
    const page = await browser.page(t, kith, { org: ours })
    await page.goto('/contacts')
    await page.getByText('No contacts yet.').waitFor()
    await theirs.addContact({ full_name: 'Eve' })
    await ours.addContact({ full_name: 'Ada Lovelace' })
    await page.getByText('Ada Lovelace').waitFor()
    assert.equal(await page.getByText('Eve').count(), 0)
  })

  test('a page that lost its server says so, and shows what it missed when the server is back', async (t) => {
    const org = await kith.org()
    const page = await browser.page(t, kith, {
      org,
      allow: [/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|answer 503/],
    })
    await page.goto('/contacts')
    await page.getByText('No contacts yet.').waitFor()
    await mark(page)
    const { port } = kith
    await kith.stop()
    await page.getByText('Reconnecting…').waitFor()
    await kith.command('demo', '--org', org.id)
    await kith.start({ KITH_PORT: String(port) })
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' })
    await page.getByRole('main').getByText('100', { exact: true }).waitFor()
    await assertNotReloaded(page)
  })
})

function column(page: Page, stage: string) {
  return page.getByRole('region', { name: new RegExp(`^${stage}`) })
}

/** A reload would lose it. */
async function mark(page: Page) {
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
}

async function assertNotReloaded(page: Page) {
  assert.equal(await page.evaluate(() => 'isSamePage' in window), true)
}

/** As the browser does when another tab is chosen, which a headless one never is. */
function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}
