import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeContact } from '../../server/src/contacts/actions.ts'
import { type GuardedPage, withBrowser } from '../support/browser.ts'
import { assertNoSideScroll, axe, eventually, focused, press, settled } from '../support/browser-checks.ts'
import type { Org } from '../support/org.ts'

withBrowser((browser, kith) => {
  test('a card is dragged to another stage: the server has it, the totals follow, Undo takes it back', async (t) => {
    const org = await kith.org()
    const { ada } = await threeDeals(org)
    const page = await open(browser.page(t, kith, { org }))
    await page.locator(`#deal-${ada.id}`).dragTo(columnOf(page, 'proposal'))
    await cardIn(page, 'proposal', 'Ada').waitFor()
    await eventually('the server has it', async () => (await stageOf(org, ada.id)) === 'proposal')
    await page.getByText('Moved Ada to proposal, 1 of 1.').waitFor()
    assert.match(await headOf(page, 'lead'), /1 · €20/)
    assert.match(await headOf(page, 'proposal'), /1 · €50/)
    await page.getByRole('button', { name: 'Undo' }).click()
    await cardIn(page, 'lead', 'Ada').waitFor()
    await eventually('the server has it back', async () => (await stageOf(org, ada.id)) === 'lead')
    const names = await org.eventNames()
    assert.equal(names.filter((name) => name === 'deal.stage_changed').length, 2)
  })

  test('a card is moved by its menu, and the focus goes with it', async (t) => {
    const org = await kith.org()
    const { bob } = await threeDeals(org)
    const page = await open(browser.page(t, kith, { org }))
    await page.getByRole('button', { name: 'More for Bob' }).click()
    await axe(page, 'the menu of a card')
    await page.getByRole('menuitem', { name: 'proposal' }).click()
    await cardIn(page, 'proposal', 'Bob').waitFor()
    await eventually('the focus is on it', async () => (await focusedDeal(page)) === bob.id)
    await eventually('the server has it', async () => (await stageOf(org, bob.id)) === 'proposal')
  })

  test('by keyboard: arrows go from card to card, Ctrl and arrow moves one, m opens the menu, Enter opens the contact', async (t) => {
    const org = await kith.org()
    const { ada, bob } = await threeDeals(org)
    const page = await open(browser.page(t, kith, { org }))
    const isOn = (id: string) => eventually('the focus is there', async () => (await focusedDeal(page)) === id)
    await page.locator(`#deal-${ada.id}`).focus()
    await press(page, 'ArrowDown')
    await isOn(bob.id)
    await press(page, 'ArrowRight')
    await eventually('an empty column', async () => (await focused(page)).startsWith('group "qualified, 0 deals"'))
    await press(page, 'ArrowLeft')
    await isOn(ada.id)
    await press(page, 'Control+ArrowRight')
    await cardIn(page, 'qualified', 'Ada').waitFor()
    await isOn(ada.id)
    await page.getByText('Moved Ada to qualified, 1 of 1.').waitFor()
    await eventually('the server has it', async () => (await stageOf(org, ada.id)) === 'qualified')
    await press(page, 'm')
    await page.getByRole('menuitem', { name: 'lost' }).waitFor()
    await press(page, 'Escape')
    await isOn(ada.id)
    await press(page, 'Enter')
    await page.waitForURL(`**/contacts/${ada.id}`)
  })

  test('each column is one Tab stop, and then the menu of its card', async (t) => {
    const org = await kith.org()
    const { ada, cleo } = await threeDeals(org)
    const page = await open(browser.page(t, kith, { org }))
    await page.locator(`#deal-${ada.id}`).focus()
    await press(page, 'Tab')
    assert.equal(await focused(page), 'button "More for Ada"')
    const stops: string[] = []
    for (let at = 0; at < 4; at++) {
      await press(page, 'Tab')
      stops.push((await focusedDeal(page)) ?? (await focused(page)))
    }
    assert.deepEqual(stops, [
      'group "qualified, 0 deals"',
      'group "proposal, 0 deals"',
      cleo.id,
      'button "More for Cleo"',
    ])
  })

  test('a move that the server refuses goes back, says why, and can be tried again', async (t) => {
    const org = await kith.org()
    const { ada } = await threeDeals(org)
    const page = await open(browser.page(t, kith, { org, allow: [/503/] }))
    await page.route('**/ui/contacts/*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: '{"error":"unavailable","message":"Later."}',
      }),
    )
    await page.locator(`#deal-${ada.id}`).focus()
    await press(page, 'Control+ArrowRight')
    await page.getByRole('alert').getByText('Ada was not moved to qualified.').waitFor()
    await cardIn(page, 'lead', 'Ada').waitFor()
    assert.match(await headOf(page, 'lead'), /2 · €70/)
    assert.equal(await stageOf(org, ada.id), 'lead')
    await page.unroute('**/ui/contacts/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await cardIn(page, 'qualified', 'Ada').waitFor()
    await eventually('the server has it', async () => (await stageOf(org, ada.id)) === 'qualified')
  })

  test('what the API and other processes change shows without a reload', async (t) => {
    const org = await kith.org()
    const { ada, bob } = await threeDeals(org)
    const page = await open(browser.page(t, kith, { org }))
    await org.api.patch(`/contacts/${ada.id}`, { deal_stage: 'won' })
    await cardIn(page, 'won', 'Ada').waitFor()
    await kith.db.write((tx) => changeContact(tx, org.actor, bob.id, { deal_value: 99 }))
    await cardIn(page, 'lead', 'Bob').getByText('€99').waitFor()
    await org.addContact({ full_name: 'Dora', deal_stage: 'lost' })
    await cardIn(page, 'lost', 'Dora').waitFor()
  })

  test('search and label are in the address; nothing found says so and can be cleared', async (t) => {
    const org = await kith.org()
    await threeDeals(org)
    const page = await open(browser.page(t, kith, { org }))
    await page.getByRole('searchbox').fill('bo')
    await eventually('one deal is left', async () => (await page.locator('.deal-card').count()) === 1)
    assert.match(page.url(), /[?&]q=bo/)
    await page.reload()
    await cardIn(page, 'lead', 'Bob').waitFor()
    assert.equal(await page.locator('.deal-card').count(), 1)
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No deal matches “nobody”.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await cardIn(page, 'lead', 'Ada').waitFor()
    await page.goto('/deals?label=hot')
    await cardIn(page, 'lead', 'Ada').waitFor()
    assert.equal(await page.locator('.deal-card').count(), 1)
  })

  test('the chart tells the total of each stage, as bars and as a table; the table layout has all deals by value', async (t) => {
    const org = await kith.org()
    const { ada, bob, cleo } = await threeDeals(org)
    const page = await open(browser.page(t, kith, { org }))
    await page.getByRole('button', { name: 'Show chart' }).click()
    await page.getByRole('button', { name: 'Show as table' }).click()
    const chart = page.getByRole('table', { name: 'Total value per stage' })
    await chart.getByRole('row', { name: 'lead €70' }).waitFor()
    await axe(page, 'the chart')
    await page
      .getByRole('radio', { name: 'Table' })
      .or(page.getByRole('button', { name: 'Table', exact: true }))
      .click()
    const links = page.locator('.deals-table tbody a')
    await eventually('three deals', async () => (await links.count()) === 3)
    const hrefs = await links.evaluateAll((all) =>
      all.map((link) => (link as unknown as { pathname: string }).pathname),
    )
    assert.deepEqual(
      hrefs,
      [ada, bob, cleo].map(({ id }) => `/contacts/${id}`),
    )
    await axe(page, 'the table')
  })

  test('without a deal the page says what one is, and makes one', async (t) => {
    const org = await kith.org()
    const { id } = await org.addContact({ full_name: 'Zoë Quill' })
    const page = await browser.page(t, kith, { org })
    await page.goto('/deals')
    await page.getByText('A deal is a contact with a stage.').waitFor()
    await axe(page, 'no deals')
    await page.getByRole('button', { name: 'Set a stage on a contact' }).click()
    await page.getByRole('combobox', { name: 'Contact' }).fill('zoe')
    await page.getByRole('option', { name: /Zoë Quill/ }).click()
    await axe(page, 'the dialog')
    await page.getByRole('button', { name: 'Set stage' }).click()
    await cardIn(page, 'lead', 'Zoë Quill').waitFor()
    assert.equal(await stageOf(org, id), 'lead')
  })

  test('a long column loads what is scrolled to, and the page never holds more than some of it', async (t) => {
    const org = await kith.org()
    await kith.db.write(async (tx) => {
      const { createContact } = await import('../../server/src/contacts/actions.ts')
      for (let at = 0; at < 300; at++) {
        await createContact(tx, org.actor, { full_name: `Deal ${at}`, deal_stage: 'lead', deal_value: 1_000 - at })
      }
    })
    const page = await open(browser.page(t, kith, { org }))
    const list = columnOf(page, 'lead').locator('.deal-list')
    const cards = page.locator('.deal-card')
    assert.ok((await cards.count()) < 30, `${await cards.count()} cards`)
    await eventually('its end is there', async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return page.getByRole('link', { name: 'Deal 299', exact: true }).isVisible()
    })
    assert.ok((await cards.count()) < 30, `${await cards.count()} cards`)
    assert.equal(await list.getAttribute('aria-rowcount'), '300')
  })

  for (const width of [375, 320]) {
    test(`at ${width} px: no scrolling sideways, no axe violation, a card is moved by its menu`, async (t) => {
      const org = await kith.org()
      const { ada } = await threeDeals(org)
      const page = await open(browser.page(t, kith, { org, width }))
      await assertNoSideScroll(page)
      await axe(page, `/deals at ${width}`)
      await page.getByRole('button', { name: 'More for Ada' }).tap()
      await page.getByRole('menuitem', { name: 'won' }).tap()
      await eventually('the server has it', async () => (await stageOf(org, ada.id)) === 'won')
      await cardIn(page, 'won', 'Ada').waitFor()
    })
  }
})

async function threeDeals(org: Org) {
  const ada = await org.addContact({ full_name: 'Ada', deal_stage: 'lead', deal_value: 50, label: 'hot' })
  const bob = await org.addContact({ full_name: 'Bob', deal_stage: 'lead', deal_value: 20 })
  const cleo = await org.addContact({ full_name: 'Cleo', deal_stage: 'negotiation', deal_value: 7 })
  return { ada, bob, cleo }
}

async function open(opened: Promise<GuardedPage>): Promise<GuardedPage> {
  const page = await opened
  await page.goto('/deals')
  await page.locator('.deal-card').first().waitFor()
  await settled(page)
  return page
}

function columnOf(page: GuardedPage, stage: string) {
  return page.locator(`[data-stage="${stage}"]`)
}

function cardIn(page: GuardedPage, stage: string, name: string) {
  return columnOf(page, stage).locator('.deal-card').filter({ hasText: name })
}

async function headOf(page: GuardedPage, stage: string): Promise<string> {
  return (await columnOf(page, stage).locator('header').textContent()) ?? ''
}

async function stageOf(org: Org, id: string): Promise<string | null> {
  return (await org.api.get(`/contacts/${id}`)).body.deal_stage
}

function focusedDeal(page: GuardedPage): Promise<string | null> {
  return page.evaluate<string | null>('document.activeElement.dataset.deal ?? null')
}
