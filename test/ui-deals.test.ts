import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DealCard, DealColumn } from '../server/src/deals/ui-schema.ts'
import { changeOrg } from '../server/src/orgs/actions.ts'
import { withKith } from './support/kith.ts'
import type { Org } from './support/org.ts'

const PIPELINE = ['lead', 'qualified', 'proposal', 'negotiation', 'won', 'lost']

withKith((kith) => {
  test("the board has the pipeline's columns in its order, then the stages that it does not list", async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    for (const deal_stage of ['won', 'zurich', 'lead', 'alpha', 'won']) await org.addContact({ deal_stage })
    await org.addContact()
    const { status, body } = await ui.get('/deals/board')
    assert.equal(status, 200)
    const names = body.columns.map(({ stage }: DealColumn) => stage)
    assert.deepEqual(names, [...PIPELINE, 'alpha', 'zurich'])
    assert.deepEqual(
      body.columns.map(({ listed, count }: DealColumn) => [listed, count]),
      [[true, 1], ...Array(3).fill([true, 0]), [true, 2], [true, 0], [false, 1], [false, 1]],
    )
    assert.deepEqual([body.count, body.total, body.hidden_stages], [5, 0, 0])
  })

  test('a column has its count, its total, and its cards by value, those without one last, ties by id', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const made: { id: string }[] = []
    for (const deal_value of [5, null, 100, -3, 5, 0])
      made.push(await org.addContact({ deal_stage: 'lead', deal_value }))
    const column = await columnOf(ui, 'lead')
    const order = [2, 0, 4, 5, 3, 1]
    assert.deepEqual([column.count, column.total], [6, 107])
    assert.deepEqual(
      column.cards.map(({ id }) => id),
      order.map((at) => made[at]!.id),
    )
    const rest = (await ui.get('/deals/column?stage=lead&offset=2&limit=3')).body
    assert.deepEqual(rest.meta, { count: 6, limit: 3, offset: 2 })
    assert.deepEqual(rest.data, column.cards.slice(2, 5))
  })

  test('a card says who, what it is worth, its label, and how many tasks wait', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const ada = await org.addContact({ company: 'Engines', deal_stage: 'lead', deal_value: 7.5, label: 'hot' })
    const past = '2020-01-01T00:00:00Z'
    await org.addTask({ contact_id: ada.id })
    await org.addTask({ contact_id: ada.id, due_at: '2999-01-01T00:00:00Z' })
    await org.addTask({ contact_id: ada.id, due_at: past })
    const done = await org.addTask({ contact_id: ada.id, due_at: past })
    await org.api.patch(`/tasks/${done.id}`, { status: 'done' })
    await org.addTask({ due_at: past })
    const expected = {
      id: ada.id,
      full_name: 'Ada',
      company: 'Engines',
      deal_value: 7.5,
      label: 'hot',
      open_tasks: 3,
      overdue_tasks: 1,
    }
    assert.deepEqual((await columnOf(ui, 'lead')).cards, [expected])
  })

  test('q and label choose the deals that are shown and counted', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const deal = (fields: object) => org.addContact({ deal_stage: 'lead', deal_value: 10, ...fields })
    const hot = await deal({ full_name: 'Zoë Hot', label: 'hot' })
    await deal({ full_name: 'Zoë Cold', label: 'cold' })
    const bob = await deal({ full_name: 'Bob 50%_', deal_stage: 'won' })
    await org.addContact({ full_name: 'Zoë without a stage' })
    const shown = async (query: string) => {
      const { body } = await ui.get(`/deals/board?${query}`)
      const cards = body.columns.flatMap((column: DealColumn) => column.cards)
      assert.equal(cards.length, body.count)
      assert.equal(body.total, 10 * body.count)
      return cards.map(({ full_name }: DealCard) => full_name).sort()
    }
    assert.deepEqual(await shown('q=zoe'), ['Zoë Cold', 'Zoë Hot'])
    assert.deepEqual(await shown('label=hot'), ['Zoë Hot'])
    assert.deepEqual(await shown('q=ZO&label=cold'), ['Zoë Cold'])
    assert.deepEqual(await shown('q=%25_'), ['Bob 50%_'])
    assert.deepEqual(await shown('q=nobody'), [])
    const column = async (query: string) => (await ui.get(`/deals/column?${query}`)).body
    assert.deepEqual(idsOf(await column('stage=lead&label=hot')), [hot.id])
    assert.deepEqual(idsOf(await column('stage=won&q=bob')), [bob.id])
    assert.deepEqual((await column('stage=won&q=zoe')).meta.count, 0)
  })

  test('a stage with a probability has a weighted total, and the board has their sum', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    await org.addContact({ deal_stage: 'lead', deal_value: 200 })
    await org.addContact({ deal_stage: 'won', deal_value: 30 })
    assert.equal((await ui.get('/deals/board')).body.weighted, null)
    await kith.db.write((tx) =>
      tx
        .updateTable('stage')
        .set({ probability: 25 })
        .where('org_id', '=', org.id)
        .where('name', '=', 'lead')
        .execute(),
    )
    const { body } = await ui.get('/deals/board')
    assert.deepEqual([body.weighted, body.columns[0].weighted, body.columns[4].weighted], [50, 50, null])
  })

  test('the board follows the pipeline', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    await org.addContact({ deal_stage: 'lead' })
    await kith.db.write((tx) => changeOrg(tx, org.id, { stages: ['new', 'old'] }))
    const { columns } = (await ui.get('/deals/board')).body
    assert.deepEqual(
      columns.map(({ stage, listed, color }: DealColumn) => [stage, listed, color !== null]),
      [
        ['new', true, true],
        ['old', true, true],
        ['lead', false, false],
      ],
    )
  })

  test('a column has its first 50 cards on the board', async () => {
    const org = await kith.org()
    await addDeals(org, 60)
    const column = await columnOf(await kith.ui(org), 'lead')
    assert.deepEqual([column.count, column.cards.length], [60, 50])
  })

  test("another org's deals are not on the board", async () => {
    const org = await kith.org()
    await org.addContact({ deal_stage: 'lead', deal_value: 5 })
    const ui = await kith.ui(await kith.org())
    assert.equal((await ui.get('/deals/board')).body.count, 0)
    assert.deepEqual((await ui.get('/deals/column?stage=lead')).body.data, [])
  })

  test('a column needs a stage', async () => {
    const ui = await kith.ui(await kith.org())
    for (const query of ['', '?stage=', '?limit=5']) {
      const { status, body } = await ui.get(`/deals/column${query}`)
      assert.deepEqual([status, body.details?.[0].path, body.details?.[0].code], [422, 'stage', 'required'], query)
    }
  })

  async function columnOf(ui: Awaited<ReturnType<typeof kith.ui>>, stage: string): Promise<DealColumn> {
    const { body } = await ui.get('/deals/board')
    return body.columns.find((column: DealColumn) => column.stage === stage)
  }
})

async function addDeals(org: Org, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await org.addContact({ deal_stage: 'lead', deal_value: at })
}

function idsOf({ data }: { data: DealCard[] }): string[] {
  return data.map(({ id }) => id)
}
