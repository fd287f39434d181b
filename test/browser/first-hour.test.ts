/** A new user's first hour, all in the browser: from the code of a fresh server to a key that no longer opens it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { signBody } from '../../server/src/webhooks/signature.ts'
import { withBrowser } from '../support/browser.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const COMPANIES = join(import.meta.dirname, '../../server/src/imports/testdata/sp500-companies.csv')
const COMPANIES_COUNT = 503

withBrowser((browser, kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test('set up, key, webhook, 503 companies, a deal, its delivery, and the key revoked', {
    timeout: 600_000,
  }, async (t) => {
    const hook = receiver.hook()
    const page = await browser.page(t, kith, { context: { permissions: ['clipboard-read', 'clipboard-write'] } })
    const callApi = async (token: string) =>
      (await kith.client.get('/api/v1/contacts?limit=1', { authorization: `Bearer ${token}` })).status

    await page.goto('/')
    await setUp(page, kith.setupCode!)
    const token = await createKey(page)
    assert.equal(await callApi(token), 200)
    const secret = await addWebhook(page, hook.url)
    await importCompanies(page)
    const created = await hook.until(COMPANIES_COUNT)
    for (const { json, body, headers } of created) {
      assert.equal(json.event, 'contact.created')
      assert.equal(headers['x-service-signature'], signBody(secret, body))
    }
    await makeDealAndMoveIt(page)
    // Both times a contact was updated, too.
    const moved = (await hook.until(COMPANIES_COUNT + 4)).filter(({ json }) => json.event === 'deal.stage_changed')
    assert.deepEqual(
      moved.map(({ json: { payload } }) => [payload.previous_stage, payload.new_stage, payload.contact.company]),
      [
        [null, 'lead', 'Nvidia'],
        ['lead', 'qualified', 'Nvidia'],
      ],
    )
    await seesDelivery(page, hook.url)
    await revokeKey(page)
    assert.equal(await callApi(token), 401)
  })
})

async function setUp(page: Page, code: string) {
  await page.waitForURL('**/setup')
  await page.getByLabel('Set-up code').fill('WRNG-WRNG-WRNG-WRNG')
  await page.getByLabel('Name', { exact: true }).fill('Analytical Engines')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('quiet harbour lantern')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/That code does not match\. It is in the server.s output/).waitFor()
  await page.getByLabel('Set-up code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Start empty' }).click()
  await page.getByText('No contacts yet.').waitFor()
}

/** @returns its text, out of the clipboard */
async function createKey(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('First program')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  return page.evaluate('navigator.clipboard.readText()')
}

/** @returns its signing secret */
async function addWebhook(page: Page, url: string): Promise<string> {
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'Add webhook' }).first().click()
  await page.getByRole('textbox', { name: 'URL' }).fill(url)
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('link', { name: url }).waitFor()
  return secret
}

async function importCompanies(page: Page) {
  await page.getByRole('link', { name: 'Imports' }).click()
  await page.locator('input[type="file"]').setInputFiles(COMPANIES)
  await page.getByRole('button', { name: 'Check file' }).click()
  await page.getByText('503 will be added.').waitFor()
  await page.getByRole('button', { name: 'Import 503 contacts' }).click()
  await page.getByText('503 added.').waitFor()
}

async function makeDealAndMoveIt(page: Page) {
  await page.getByRole('link', { name: 'Deals' }).click()
  await page.getByText('A deal is a contact with a stage.').waitFor()
  await page.getByRole('button', { name: 'Set a stage on a contact' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Contact' }).fill('nvidia')
  await page.getByRole('option', { name: /Nvidia/ }).click()
  await dialog.getByRole('button', { name: /^Set/ }).click()
  await page.getByRole('button', { name: 'More for Nvidia' }).click()
  await page.getByRole('menuitem', { name: 'qualified' }).click()
  await page
    .getByRole('region', { name: /^qualified/ })
    .getByText('Nvidia')
    .waitFor()
}

async function seesDelivery(page: Page, url: string) {
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('link', { name: url }).click()
  const rows = page.getByRole('option', { name: /Delivered.*deal\.stage_changed.*200.*Nvidia/s })
  await rows.first().click()
  const panel = page.getByRole('region', { name: 'Delivery' })
  await panel.getByText('"new_stage": "qualified"').waitFor()
}

async function revokeKey(page: Page) {
  await page.getByRole('link', { name: 'API keys' }).click()
  const row = page.getByRole('row', { name: /First program/ })
  await row.getByRole('button', { name: /Revoke/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await row.getByText('Revoked').waitFor()
}
