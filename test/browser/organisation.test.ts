/** The organisation's settings, as an admin and a member meet them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press, settled } from '../support/browser-checks.ts'

withBrowser((browser, kith) => {
  test('name, time zone and currency are saved', async (t) => {
    const org = await kith.org({ name: 'Acme' })
    const page = await browser.page(t, kith, { org })
    await page.goto('/settings/organisation')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme Ltd')
    await chooseByKeys(page, 'Time zone', 'Berlin', 'Europe/Berlin')
    await chooseByKeys(page, 'Currency', 'USD', 'USD · US Dollar')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved.').first().waitFor()
    const { name, time_zone, currency } = (await page.person!.get('/org')).body
    assert.deepEqual([name, time_zone, currency], ['Acme Ltd', 'Europe/Berlin', 'USD'])
  })

  test('a stage is moved by keyboard, renamed after the number was shown, and its contacts follow', async (t) => {
    const org = await kith.org()
    for (let i = 0; i < 3; i++) await org.addContact({ full_name: `n${i}`, deal_stage: 'lead' })
    const page = await browser.page(t, kith, { org })
    await page.goto('/settings/organisation')
    await page.getByText('3 contacts').waitFor()
    await page.getByRole('button', { name: 'Move lead down' }).focus()
    await press(page, 'Enter')
    const names = () =>
      page
        .getByRole('textbox', { name: /Name of stage/ })
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
    assert.deepEqual((await names()).slice(0, 2), ['qualified', 'lead'])
    assert.equal(await focused(page), 'button "Move lead down"')
    await page.getByRole('textbox', { name: 'Name of stage 2' }).fill('new')
    await page.getByRole('textbox', { name: 'Probability of new, percent' }).fill('10')
    await page.getByRole('button', { name: /Colour of new/ }).click()
    await page.getByRole('option', { name: 'Red' }).click()
    await page.getByRole('button', { name: 'Remove lost' }).click()
    await page.getByRole('button', { name: 'Save pipeline' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('3 contacts move from “lead” to “new”').waitFor()
    await axe(page, 'the question')
    await question.getByRole('button', { name: 'Save pipeline' }).click()
    await page.getByText('Saved. 3 contacts move to the new name.').waitFor()
    const { stages } = (await page.person!.get('/session')).body
    assert.deepEqual(stages.slice(0, 2), [
      { name: 'qualified', color: '#3f66d9', probability: null },
      { name: 'new', color: '#c2453d', probability: 10 },
    ])
    assert.equal(stages.length, 5)
    await eventually('all are moved', async () => {
      const { data } = (await page.person!.get('/org/stages/usage')).body
      return JSON.stringify(data) === '[{"name":"new","contacts":3}]'
    })
    await page.getByText('3 contacts', { exact: true }).waitFor()
  })

  test('a stage is dragged by its handle, a name that is there twice is shown at its row, and changes are discarded', async (t) => {
    const page = await browser.page(t, kith, { org: await kith.org() })
    await page.goto('/settings/organisation')
    await settled(page)
    const handles = page.locator('.named-row-handle')
    await handles.nth(0).dragTo(handles.nth(2))
    const third = page.getByRole('textbox', { name: 'Name of stage 3' })
    await eventually('it has moved', async () => (await third.inputValue()) === 'lead')
    await third.fill('won')
    await page.getByRole('button', { name: 'Save pipeline' }).click()
    await page.getByText('There is a won already.').first().waitFor()
    await axe(page, 'with a fault')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Name of stage 1' }).inputValue(), 'lead')
    await page.getByText('Strict pipeline').click()
    await eventually('it is strict', async () => (await page.person!.get('/org')).body.strict_stages === true)
  })

  test('usage shows what was used, the limit, what was refused, and which key it was', async (t) => {
    const org = await kith.org({ hourly_limit: 3 })
    for (let i = 0; i < 4; i++) await org.api.get('/contacts')
    const page = await browser.page(t, kith, { org, width: 320, theme: 'dark' })
    await page.goto('/settings/organisation')
    await page.getByText('3 of 3 used in the last hour').waitFor()
    await page.getByText('Pro: 3 requests an hour').waitFor()
    const row = page.getByRole('row', { name: /Test/ })
    assert.match(await row.innerText(), /kith_.{7}…\s+3\s+1/)
    await settled(page)
    await assertNoSideScroll(page)
    await axe(page)
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('table', { name: /Requests in the hour before/ }).waitFor()
    await axe(page, 'the table')
  })

  test('a member sees the settings and nothing to change them with', async (t) => {
    const org = await kith.org({ name: 'Acme' })
    await kith.ui(org, 'admin', { name: 'Ada Lovelace' })
    const page = await browser.page(t, kith, { org, role: 'member' })
    await page.goto('/settings/organisation')
    await page.getByText('Only an admin can do this. Ask Ada Lovelace.').waitFor()
    await settled(page)
    assert.ok(await page.getByText('negotiation').isVisible())
    assert.equal(await page.getByRole('textbox').count(), 0)
    assert.equal(await page.getByRole('button', { name: /Save|Move|Remove|Add/ }).count(), 0)
    await axe(page)
  })
})

async function chooseByKeys(page: Page, label: string, typed: string, option: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label })
  await field.fill(typed)
  await page.getByRole('option', { name: option, exact: true }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await eventually(`${option} is chosen`, async () => (await field.inputValue()) === option)
}
