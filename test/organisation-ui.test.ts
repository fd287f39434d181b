/** The organisation's settings and its usage at the web app's door. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKith } from './support/kith.ts'
import type { Ui } from './support/ui.ts'
import { until } from './support/until.ts'

const GREY = '#6b7482'
const BLUE = '#3f66d9'

withKith((kith) => {
  test('an admin changes name, time zone, currency and strictness; what is not a choice is refused', async () => {
    const ui = await kith.ui(await kith.org({ name: 'Acme' }), 'admin')
    const { id, ...rest } = (await ui.get('/org')).body
    const made = { name: 'Acme', time_zone: 'UTC', currency: 'EUR', plan: 'pro', strict_stages: false }
    assert.deepEqual(rest, { ...made, hourly_limit: 1_000_000 })
    const change = { name: ' Acme Ltd ', time_zone: 'Europe/Berlin', currency: 'USD', strict_stages: true }
    const changed = await ui.patch('/org', change)
    assert.deepEqual(changed.body, { ...rest, id, ...change, name: 'Acme Ltd' })
    for (const [field, value] of Object.entries({ name: '', time_zone: '+02:00', currency: 'XXY' })) {
      const refused = await ui.patch('/org', { [field]: value })
      assert.deepEqual([refused.status, refused.body.details?.[0].path], [422, field])
    }
    assert.equal((await ui.patch('/org', { time_zone: 'Mars/Base' })).status, 422)
    assert.equal((await ui.patch('/org', { plan: 'enterprise' })).status, 422)
    assert.deepEqual((await ui.get('/org')).body, changed.body)
  })

  test('a renamed stage takes its contacts along, each with its events; one that is left out leaves them', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin')
    const ids: string[] = []
    for (let i = 0; i < 60; i++) ids.push((await org.addContact({ deal_stage: 'lead' })).id)
    const won = await org.addContact({ deal_stage: 'won' })
    assert.deepEqual((await ui.get('/org/stages/usage')).body.data, [
      { name: 'lead', contacts: 60 },
      { name: 'won', contacts: 1 },
    ])
    const stages = [
      { name: 'new', was: 'lead', color: BLUE, probability: 10 },
      { name: 'lost', color: GREY },
    ]
    const set = await ui.post('/org/stages', { stages })
    assert.deepEqual(set.body, {
      stages: [
        { name: 'new', color: BLUE, probability: 10 },
        { name: 'lost', color: GREY, probability: null },
      ],
      moving: 60,
    })
    await until('all are moved', async () => (await usage(ui)).lead === undefined)
    assert.deepEqual(await usage(ui), { new: 60, won: 1 })
    const moved = (await org.events()).filter(({ name }) => name === 'deal.stage_changed')
    assert.deepEqual(new Set(moved.map(({ contact_id }) => contact_id)), new Set(ids))
    const { new_stage, previous_stage } = moved[0]!.body.payload
    assert.deepEqual([moved.length, new_stage, previous_stage], [60, 'new', 'lead'])
    assert.equal((await org.api.get(`/contacts/${won.id}`)).body.deal_stage, 'won')
    assert.equal((await ui.patch(`/contacts/${ids[0]}`, { deal_stage: 'qualified' })).status, 200)
    await ui.patch('/org', { strict_stages: true })
    assert.equal((await ui.patch(`/contacts/${ids[0]}`, { deal_stage: 'proposal' })).status, 422)
  })

  test('labels are renamed likewise, and can all be left out', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin')
    const { id } = await org.addContact({ label: 'hot' })
    const labels = [{ name: 'burning', was: 'hot', color: GREY }]
    assert.deepEqual((await ui.post('/org/labels', { labels })).body, {
      labels: [{ name: 'burning', color: GREY }],
      moving: 1,
    })
    await until('it is moved', async () => (await org.api.get(`/contacts/${id}`)).body.label === 'burning')
    assert.deepEqual((await ui.get('/org/labels/usage')).body.data, [{ name: 'burning', contacts: 1 }])
    assert.deepEqual((await ui.post('/org/labels', { labels: [] })).body, { labels: [], moving: 0 })
    assert.equal((await org.api.get(`/contacts/${id}`)).body.label, 'burning')
  })

  test('a pipeline with a name twice, none, or one that takes the place of another is refused and stays', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin')
    await org.addContact({ deal_stage: 'lead' })
    const before = await stagesOf(org.id)
    const wrong: object[][] = [
      [],
      [
        { name: 'a', color: GREY },
        { name: 'a', color: GREY },
      ],
      [{ name: 'won', was: 'lead', color: GREY }],
      [{ name: 'x', was: 'nothing', color: GREY }],
      [
        { name: 'x', was: 'lead', color: GREY },
        { name: 'y', was: 'lead', color: GREY },
      ],
      [
        { name: 'lead', was: 'won', color: GREY },
        { name: 'won', was: 'lead', color: GREY },
      ],
      [{ name: 'x', color: '#123456' }],
      [{ name: 'x', color: GREY, probability: 101 }],
    ]
    for (const stages of wrong) {
      assert.equal((await ui.post('/org/stages', { stages })).status, 422, JSON.stringify(stages))
    }
    assert.deepEqual(await stagesOf(org.id), before)
    assert.deepEqual(await usage(ui), { lead: 1 })
  })

  test('a member sees the settings and may not change them; another org has its own', async () => {
    const org = await kith.org()
    const member = await kith.ui(org, 'member')
    assert.equal((await member.get('/org')).status, 200)
    assert.equal((await member.get('/org/usage')).status, 200)
    const stages = [{ name: 'x', color: GREY }]
    for (const call of [
      () => member.patch('/org', { name: 'x' }),
      () => member.post('/org/stages', { stages }),
      () => member.post('/org/labels', { labels: [] }),
    ]) {
      await org.refuses([403, 'forbidden'], call)
    }
    const other = await kith.ui(await kith.org(), 'admin')
    await other.post('/org/stages', { stages })
    assert.equal((await stagesOf(org.id)).length, 6)
  })

  test('usage tells the requests of the last hour, let through and refused, by key; the web app’s do not count', async () => {
    const org = await kith.org({ hourly_limit: 3 })
    const ui = await kith.ui(org)
    for (let i = 0; i < 5; i++) await org.api.get('/contacts')
    for (let i = 0; i < 5; i++) await ui.get('/contacts')
    const { limit, used_last_hour, points, tokens } = (await ui.get('/org/usage')).body
    assert.deepEqual([limit, used_last_hour, points.length], [3, 3, 289])
    assert.deepEqual(tokens, [
      { id: org.ownToken.id, name: 'Test', prefix: org.ownToken.prefix, allowed: 3, refused: 2 },
    ])
    assert.equal(points.at(-1).used, 3)
    assert.equal(
      points.reduce((sum: number, { refused }: { refused: number }) => sum + refused, 0),
      2,
    )
    assert.equal(points[0].used, 0)
    const stranger = await kith.ui(await kith.org())
    assert.deepEqual((await stranger.get('/org/usage')).body.tokens, [])
  })

  async function stagesOf(orgId: string) {
    return kith.db.read.selectFrom('stage').selectAll().where('org_id', '=', orgId).orderBy('position').execute()
  }
})

async function usage(ui: Ui): Promise<Record<string, number>> {
  const { data } = (await ui.get('/org/stages/usage')).body
  return Object.fromEntries(data.map(({ name, contacts }: { name: string; contacts: number }) => [name, contacts]))
}
