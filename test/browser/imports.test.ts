import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press, settled } from '../support/browser-checks.ts'
import { reached, upload } from '../support/imports.ts'
import type { Org } from '../support/org.ts'

const COMPANIES = fileURLToPath(new URL('../../server/src/imports/testdata/sp500-companies.csv', import.meta.url))

withBrowser((browser, kith) => {
  test('503 companies go through the whole wizard by mouse, are seen in the list, and are undone', async (t) => {
    const org = await kith.org()
    const page = await browser.page(t, kith, { org, role: 'member' })
    await page.goto('/imports')
    await settled(page)
    await page.getByText('No imports yet.').waitFor()
    await axe(page, 'no imports')
    await page.locator('input[type="file"]').setInputFiles(COMPANIES)
    await page.getByRole('heading', { level: 1, name: 'sp500-companies.csv' }).waitFor()
    assert.equal(await page.getByRole('listitem').and(page.locator('[aria-current="step"]')).innerText(), 'Columns')
    await axe(page, 'the columns')
    await page
      .getByRole('button', { name: /^Field of GICS Sector/ })
      .or(page.getByLabel('Field of GICS Sector'))
      .first()
      .click()
    await page.getByRole('option', { name: 'Do not import' }).click()
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('503 will be added.').waitFor()
    await axe(page, 'a check without problems')
    assert.deepEqual(await org.eventNames(), [])
    await page.getByRole('button', { name: 'Import 503 contacts' }).click()
    await page.getByText('503 added.').waitFor()
    await axe(page, 'an import that is done')
    await page.getByRole('link', { name: 'See these contacts' }).click()
    await page.waitForURL('**/contacts?import=*')
    await page.getByText('Zoetis', { exact: true }).first().waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Undo import' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Undoing removes 503 contacts. Webhooks are told of it.').waitFor()
    await axe(page, 'the question before undoing')
    await dialog.getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('Undone: 503 contacts removed, 0 put back as they were, 0 left.').waitFor()
    assert.equal(await contactCount(org), 0)
    await page.getByRole('link', { name: 'Back to imports' }).click()
    await page.getByText('Undone', { exact: true }).waitFor()
    await axe(page, 'the history')
  })

  test('by keyboard: columns are chosen, a cell is corrected where it stands, the other row is skipped', async (t) => {
    const org = await kith.org()
    const page = await browser.page(t, kith, { org, role: 'member' })
    const path = join(kith.folder, 'people.csv')
    await writeFile(path, 'Who,Email,Note\nAda,ada@,x\nBob,bob@example.com,y\n,eve@example.com,z\n')
    await page.goto('/imports')
    await settled(page)
    await page.locator('input[type="file"]').setInputFiles(path)
    await page.getByRole('heading', { level: 1, name: 'people.csv' }).waitFor()
    await tabTo(page, /Check file/)
    await press(page, 'Enter')
    await page.getByText('Choose the column that is the name or the company: a contact needs one.').waitFor()
    await axe(page, 'a mapping without a name')
    await tabTo(page, /Field of Who/, 'Shift+Tab')
    await press(page, 'Enter')
    await page.getByRole('option', { name: 'Name', exact: true }).waitFor()
    await axe(page, 'the fields of a column')
    await page.keyboard.type('Name')
    await press(page, 'Enter')
    await tabTo(page, /Check file/)
    await press(page, 'Enter')
    await page.getByText('1 will be added, 2 have problems.').waitFor()
    await axe(page, 'a check with problems')
    await tabTo(page, /Email of row 2/)
    await press(page, 'Control+a')
    await page.keyboard.type('ada@example.com')
    await press(page, 'Enter')
    await page.getByText('2 will be added, 1 has a problem.').waitFor()
    await eventually('the focus is on the next row', async () => /Who of row 4/.test(await focused(page)))
    await tabTo(page, /Import 2 contacts/)
    await press(page, 'Enter')
    await page.getByText('1 rows have problems. Correct them, or skip these rows.').waitFor()
    await tabTo(page, /Skip these rows/, 'Shift+Tab')
    await press(page, 'Space')
    await tabTo(page, /Import 2 contacts/)
    await press(page, 'Enter')
    await page.getByText('2 added, 1 with problems.').waitFor()
    assert.equal(await contactCount(org), 2)
  })

  test('a browser that is closed in mid-import changes nothing: the import goes on, and is found where it is', async (t) => {
    const org = await kith.org()
    const person = await kith.ui(org)
    const names = Array.from({ length: 5_000 }, (_, at) => `Person ${at}`)
    const { id } = await upload(person, `Name\n${names.join('\n')}\n`, 'many.csv')
    const first = await browser.page(t, kith, { person })
    await first.goto(`/imports/${id}`)
    await first.getByRole('button', { name: 'Check file' }).click()
    await first.getByRole('button', { name: /^Import 5.000 contacts$/ }).click()
    await first.getByRole('progressbar', { name: 'Importing' }).waitFor()
    await axe(first, 'an import that is running')
    await first.close()
    await reached(person, id, 'done')
    assert.equal(await contactCount(org), names.length)
    const second = await browser.page(t, kith, { person })
    await second.goto(`/imports/${id}`)
    await second.getByText(/^5.000 added\.$/).waitFor()
  })

  for (const [width, theme] of [
    [375, 'light'],
    [320, 'dark'],
  ] as const) {
    test(`at ${width} px, ${theme}: history, columns and problems fit, and axe finds nothing`, async (t) => {
      const org = await kith.org()
      const person = await kith.ui(org)
      const { id } = await upload(person, 'Name,Email,Value\nAda,ada@,1.234\nBob,bob@example.com,5.678\n')
      const page = await browser.page(t, kith, { person, width, theme })
      for (const path of ['/imports', `/imports/${id}`]) {
        await page.goto(path)
        await settled(page)
        await assertNoSideScroll(page)
        await axe(page)
      }
      await page.getByText('one point two three four').waitFor()
      await page.getByRole('button', { name: 'Check file' }).click()
      await page.getByText('1 will be added, 1 has a problem.').waitFor()
      await settled(page)
      await assertNoSideScroll(page)
      await axe(page, 'problems')
      await page.getByRole('button', { name: 'Edit row 2' }).click()
      await page.getByRole('dialog').getByLabel('Email').fill('ada@example.com')
      await axe(page, 'the row in a dialog')
      await page.getByRole('button', { name: 'Save row' }).click()
      await page.getByText('2 will be added.').waitFor()
    })
  }
})

/** Moves the focus by Tab until it is on what has this name. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (name.test(await focused(page))) return
    await press(page, key)
  }
  assert.fail(`60 times ${key} and never on ${name}; at last on ${await focused(page)}`)
}

async function contactCount(org: Org): Promise<number> {
  return (await org.api.get('/contacts')).body.meta.count
}
