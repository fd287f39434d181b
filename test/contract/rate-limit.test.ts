import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../support/http-client.ts'
import { withKithAndNodes } from '../support/kith.ts'
import { until } from '../support/until.ts'

const HOUR_S = 3_600

withKithAndNodes((kith) => {
  test('the Pro plan has 5,000 requests an hour, Enterprise 50,000; answers say so', async () => {
    for (const [plan, limit] of [
      ['pro', '5000'],
      ['enterprise', '50000'],
    ] as const) {
      const org = await kith.org({ plan, hourly_limit: undefined })
      const { headers } = await org.api.get('/contacts')
      assert.equal(headers['ratelimit-limit'], limit)
      assert.equal(headers['ratelimit-remaining'], String(Number(limit) - 1))
    }
  })

  test('exactly N requests are let through, many at once; the others are 429 and have no effect', async () => {
    const org = await kith.org({ hourly_limit: 50 })
    const answers = await Promise.all(Array.from({ length: 80 }, () => org.api.post('/contacts', { full_name: 'A' })))
    assert.deepEqual(countOf(answers), { 201: 50, 429: 30 })
    assert.equal((await org.events()).length, 50)
    const remaining = answers
      .filter(({ status }) => status === 201)
      .map(({ headers }) => headers['ratelimit-remaining'])
    assert.deepEqual(new Set(remaining.map(Number)).size, 50)
  })

  test('a 429 has Retry-After and the three RateLimit headers, and RateLimit-Remaining counts down', async () => {
    const org = await kith.org({ hourly_limit: 3 })
    for (const remaining of ['2', '1', '0']) {
      const { headers } = await org.api.get('/contacts')
      assert.deepEqual([headers['ratelimit-limit'], headers['ratelimit-remaining']], ['3', remaining])
      assertSeconds(headers['ratelimit-reset'])
    }
    const { headers, body } = await org.refuses([429, 'rate_limited'], () => org.api.get('/contacts'))
    assert.deepEqual([headers['ratelimit-limit'], headers['ratelimit-remaining']], ['3', '0'])
    assertSeconds(headers['ratelimit-reset'])
    assertSeconds(headers['retry-after'])
    assert.deepEqual(Object.keys(body), ['error', 'message'])
  })

  test('every authenticated request counts, whatever its answer; one without a good token does not', async () => {
    // So few that nodes are lent them one by one: what another has in reserve would count as used.
    const org = await kith.org({ hourly_limit: 50 })
    const reader = await org.token(['read'])
    const calls: (() => Promise<Answer>)[] = [
      () => org.api.get('/nothing'),
      () => org.api.send('PUT', '/contacts'),
      () => reader.api.post('/contacts', { full_name: 'A' }),
      () => org.api.post('/contacts', '{'),
      () => org.api.get('/contacts/x'),
      () => org.api.head('/contacts'),
      () => org.api.post('/contacts', 'x'.repeat(70_000)),
    ]
    for (const [at, call] of calls.entries()) {
      assert.equal((await call()).headers['ratelimit-remaining'], String(49 - at))
    }
    const unknown = await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${reader.token}x` })
    assert.deepEqual([unknown.status, unknown.headers['ratelimit-remaining']], [401, undefined])
    assert.equal((await org.api.get('/contacts')).headers['ratelimit-remaining'], String(49 - calls.length))
  })

  test('the limit is one for all tokens of an org, and another org has its own', async () => {
    const [org, other] = [await kith.org({ hourly_limit: 4 }), await kith.org({ hourly_limit: 4 })]
    const second = await org.token()
    const statuses = [] as number[]
    for (const { api } of [org, second, org, second, org, second]) statuses.push((await api.get('/deals')).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429])
    assert.equal((await other.api.get('/deals')).headers['ratelimit-remaining'], '3')
  })

  test('a refused request does not count: after the window has moved exactly N are let through again', async () => {
    const org = await kith.org({ hourly_limit: 5 })
    for (let i = 0; i < 12; i++) await org.api.get('/deals')
    await kith.stop()
    // Moving what was counted an hour back stands for waiting an hour.
    await kith.db.write(async (tx) => {
      const rows = await tx.selectFrom('rate_window').selectAll().where('org_id', '=', org.id).execute()
      assert.equal(
        rows.reduce((sum, { used }) => sum + used, 0),
        5,
      )
      for (const { second, last_ms } of rows) {
        await tx
          .updateTable('rate_window')
          .set({ second: second - HOUR_S, last_ms: last_ms - HOUR_S * 1_000 })
          .where('org_id', '=', org.id)
          .where('second', '=', second)
          .execute()
      }
    })
    await kith.start()
    const answers = [] as Answer[]
    for (let i = 0; i < 8; i++) answers.push(await org.api.get('/deals'))
    assert.deepEqual(countOf(answers), { 200: 5, 429: 3 })
  })

  for (const end of ['stop', 'kill'] as const) {
    test(`the window survives a restart: ${end}`, async () => {
      const org = await kith.org({ hourly_limit: 10 })
      for (let i = 0; i < 6; i++) assert.equal((await org.api.get('/deals')).status, 200)
      await kith[end]()
      await kith.start()
      const answers = [] as Answer[]
      for (let i = 0; i < 10; i++) answers.push(await org.api.get('/deals'))
      const { 200: through = 0 } = countOf(answers)
      // Permits that a killed process had taken out are counted as used until their lease is over.
      if (end === 'stop') assert.equal(through, 4)
      else assert.ok(through <= 4, `${through} after 6 of 10`)
    })
  }

  test('org set --hourly-limit is in effect within 1 s, up and down', async () => {
    const org = await kith.org({ hourly_limit: 2 })
    for (const status of [200, 200, 429]) assert.equal((await org.api.get('/deals')).status, status)
    assert.equal((await kith.command('org', 'set', org.id, '--hourly-limit', '5')).code, 0)
    const seen = await until(
      'the new limit',
      async () => {
        const { status, headers } = await org.api.get('/deals')
        return status === 200 && headers
      },
      1_000,
    )
    assert.deepEqual([seen['ratelimit-limit'], seen['ratelimit-remaining']], ['5', '2'])
    assert.equal((await kith.command('org', 'set', org.id, '--hourly-limit', '3')).code, 0)
    await until('the new limit', async () => (await org.api.get('/deals')).headers['ratelimit-limit'] === '3', 1_000)
    assert.equal((await org.api.get('/deals')).status, 429)
  })

  test('with a limit of 0 nothing is let through', async () => {
    const org = await kith.org({ hourly_limit: 0 })
    const { headers } = await org.refuses([429, 'rate_limited'], () => org.api.get('/deals'))
    assert.ok(Number(headers['retry-after']) >= 1)
  })

  test('the service’s own pages do not count', async () => {
    const org = await kith.org({ hourly_limit: 1 })
    const authorization = `Bearer ${org.ownToken.token}`
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/nothing'])
      await kith.client.get(path, { authorization })
    assert.equal((await org.api.get('/deals')).status, 200)
  })
})

function countOf(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Whole, and within the hour, with the second by which the window may be inexact. */
function assertSeconds(value: unknown): void {
  assert.match(String(value), /^\d+$/)
  assert.ok(Number(value) > HOUR_S - 60 && Number(value) <= HOUR_S + 1, String(value))
}
