import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKithAndNodes } from '../support/kith.ts'
import type { Fields } from '../support/org.ts'

withKithAndNodes((kith) => {
  test('deals are the contacts with a stage, each with exactly five fields', async () => {
    const org = await kith.org()
    await org.addContact({ deal_value: 7 })
    const { id, full_name } = await org.addContact({ deal_stage: 'lead', deal_value: 5, label: 'hot', company: 'B' })
    const { status, body } = await org.api.get('/deals')
    const deal = { id, full_name, company: 'B', deal_stage: 'lead', deal_value: 5 }
    assert.deepEqual([status, body], [200, { data: [deal], meta: { count: 1, limit: 50, offset: 0 } }])
    assert.deepEqual(Object.keys(body.data[0]), ['id', 'full_name', 'company', 'deal_stage', 'deal_value'])
  })

  test('deals come by deal_value descending, no value last, ties by id ascending', async () => {
    const org = await kith.org()
    const made = [] as Fields[]
    for (const deal_value of [5, null, 1e15, -3, 5, null, 0, 5.5]) {
      made.push(await org.addContact({ deal_stage: 'lead', deal_value }))
    }
    const order = [2, 7, 0, 4, 6, 3, 1, 5]
    const all = (await org.api.get('/deals')).body
    assert.deepEqual(
      idsOf(all),
      order.map((at) => made[at]!.id),
    )
    for (let offset = 0; offset <= order.length; offset += 3) {
      const { data, meta } = (await org.api.get(`/deals?limit=3&offset=${offset}`)).body
      assert.deepEqual(idsOf({ data }), idsOf(all).slice(offset, offset + 3))
      assert.deepEqual(meta, { count: 8, limit: 3, offset })
    }
  })

  test('a deal begins and ends with its stage', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const count = async () => {
      const { data, meta } = (await org.api.get('/deals')).body
      assert.equal(data.length, meta.count)
      return meta.count
    }
    assert.equal(await count(), 0)
    await org.api.patch(`/contacts/${id}`, { deal_stage: 'lead' })
    assert.equal(await count(), 1)
    await org.api.patch(`/contacts/${id}`, { deal_stage: '' })
    assert.equal(await count(), 0)
    await org.api.patch(`/contacts/${id}`, { deal_stage: 'won' })
    await org.api.delete(`/contacts/${id}`)
    assert.equal(await count(), 0)
  })

  test('deals take limit and offset like contacts, and nothing else', async () => {
    const org = await kith.org()
    for (const query of ['limit=1', 'limit=200', 'offset=1000000000']) {
      assert.equal((await org.api.get(`/deals?${query}`)).status, 200, query)
    }
    for (const [query, key, code] of [
      ['limit=0', 'limit', 'out_of_range'],
      ['limit=201', 'limit', 'out_of_range'],
      ['offset=1000000001', 'offset', 'out_of_range'],
      ['limit=', 'limit', 'bad_format'],
      ['stage=lead', 'stage', 'unknown_field'],
      ['q=a', 'q', 'unknown_field'],
    ] as const) {
      await org.finds([[key, code]], () => org.api.get(`/deals?${query}`))
    }
  })

  test('there is no deal record: its path is 404, and so is everything below deals', async () => {
    const org = await kith.org()
    const { id } = await org.addContact({ deal_stage: 'lead' })
    await org.refuses([404, 'not_found'], () => org.api.get(`/deals/${id}`))
    await org.refuses([404, 'not_found'], () => org.api.patch(`/deals/${id}`, { deal_stage: 'won' }))
    await org.refuses([405, 'method_not_allowed'], () => org.api.post('/deals', { full_name: 'A' }))
  })
})

function idsOf({ data }: { data: { id: string }[] }): string[] {
  return data.map(({ id }) => id)
}
