import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { createServer } from '../http/server.ts'
import { newId } from '../ids.ts'
import { createLog } from '../log.ts'
import { createMetrics } from './metrics.ts'
import { type OperationParts, operationRoutes } from './routes.ts'

const NODE_ID = newId()
const LOCAL: OperationParts['metricsFor'] = { localUnlessFrom: [] }

test('the server is alive, and ready while the database answers', async (t) => {
  const { get } = await served(t)
  assert.deepEqual(await get('/healthz?probe=1').then(({ status, body }) => [status, body]), [200, '{"status":"ok"}'])
  assert.deepEqual(await get('/readyz').then(({ status, body }) => [status, body]), [200, '{"status":"ok"}'])
})

test('a server that is shutting down is alive and not ready', async (t) => {
  const { get } = await served(t, { isClosing: () => true })
  assert.equal((await get('/healthz')).status, 200)
  const { status, body, headers } = await get('/readyz')
  assert.deepEqual([status, JSON.parse(body).error, headers.get('retry-after')], [503, 'unavailable', '1'])
})

test('a server whose database fails is not ready', async (t) => {
  const { get, db } = await served(t)
  await db.close()
  const { status, body } = await get('/readyz')
  assert.deepEqual([status, JSON.parse(body).error], [503, 'unavailable'])
  assert.equal((await get('/healthz')).status, 200)
})

test('a database that hangs is asked once, and the server is not ready after a second', async (t) => {
  let asked = 0
  const hanging = {
    selectFrom: () => ({
      select: () => ({ limit: () => ({ execute: () => ++asked && new Promise<never>(() => {}) }) }),
    }),
  } as unknown as Database['read']
  const { get } = await served(t, { read: hanging })
  const beganMs = performance.now()
  const answers = await Promise.all([get('/readyz'), get('/readyz'), get('/readyz')])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 503, 503],
  )
  assert.ok(performance.now() - beganMs >= 990)
  assert.equal(asked, 1)
})

test('requests are counted by route, method and status, and no id is told', async (t) => {
  const { get } = await served(t)
  const id = newId()
  await get(`/records/${id}`)
  await get(`/records/${id}?q=Ada`)
  await get('/records/limited')
  await get('/records/bad-token')
  await get(`/nowhere/${id}`)
  const { status, body, headers } = await get('/metrics')
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
  const labels = 'method="GET",route="/records/:id"'
  assert.equal(sample(body, `kith_http_requests_total{${labels},status="200"}`), 2)
  assert.equal(sample(body, `kith_http_requests_total{${labels},status="429"}`), 2)
  assert.equal(sample(body, 'kith_http_requests_total{method="GET",route="none",status="404"}'), 1)
  assert.equal(sample(body, `kith_http_request_duration_seconds_bucket{${labels},status="200",le="+Inf"}`), 2)
  assert.equal(sample(body, `kith_http_request_duration_seconds_bucket{${labels},status="200",le="10"}`), 2)
  assert.equal(sample(body, `kith_http_request_duration_seconds_count{${labels},status="200"}`), 2)
  assert.ok(sample(body, `kith_http_request_duration_seconds_sum{${labels},status="200"}`)! > 0)
  assert.equal(sample(body, 'kith_rate_limited_total{limit="org"}'), 1)
  assert.equal(sample(body, 'kith_rate_limited_total{limit="bad_tokens"}'), 1)
  assert.ok(!body.includes(id) && !body.includes('Ada') && !body.includes('org_id'))
  const again = (await get('/metrics')).body
  assert.equal(sample(again, `kith_http_requests_total{${labels},status="200"}`), 2)
})

test('what deliveries are about, and the process, is told', async (t) => {
  const { get } = await served(t)
  const { body } = await get('/metrics')
  assert.equal(sample(body, 'kith_deliveries_total{outcome="delivered"}'), 12)
  assert.equal(sample(body, 'kith_deliveries_total{outcome="failed"}'), 3)
  assert.equal(sample(body, 'kith_deliveries_in_flight'), 2)
  assert.equal(sample(body, 'kith_subscriptions_owned'), 5)
  assert.equal(sample(body, 'kith_deliveries_unrecorded'), 4)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_open_fds']) {
    assert.notEqual(sample(body, name), undefined, name)
  }
  assert.match(body, /kith_build_info\{version="[^"]+"\} 1/)
})

for (const engine of engines) {
  test(`${engine.name}: which node it is and what it holds of what nodes share is told`, async (t) => {
    const { get, db } = await served(t, { engine })
    const body = await db.write(async (tx) => {
      await tx.selectFrom('meta').select('key').execute()
      return (await get('/metrics')).body
    })
    assert.equal(sample(body, `kith_node_info{node="${NODE_ID}"}`), 1)
    assert.equal(sample(body, 'kith_rate_limit_leases'), 6)
    assert.equal(sample(body, 'kith_rate_limit_permits'), 70)
    assert.equal(sample(body, 'kith_imports_owned'), 8)
    const isPooled = engine.name === 'postgres'
    assert.equal(sample(body, 'kith_database_connections_max'), isPooled ? 10 : undefined)
    assert.equal(sample(body, 'kith_database_waiting') !== undefined, isPooled)
    // The transaction's, and perhaps that of the count of due deliveries.
    const inUse = sample(body, 'kith_database_connections{state="in_use"}')
    assert.ok(isPooled ? inUse! >= 1 && inUse! <= 2 : inUse === undefined, String(inUse))
  })

  test(`${engine.name}: due deliveries are counted, at most every 5 s`, async (t) => {
    const { get, db } = await served(t, { engine })
    await addDeliveries(db, ['ready', 'queued', 'delivered', 'failed'])
    assert.equal(sample((await get('/metrics')).body, 'kith_deliveries_due'), 2)
    await addDeliveries(db, ['ready'])
    assert.equal(sample((await get('/metrics')).body, 'kith_deliveries_due'), 2)
  })
}

test('metrics are told without a database, the number of due deliveries excepted', async (t) => {
  const away = {
    selectFrom() {
      throw new Error('The database is away.')
    },
  } as unknown as Database['slow']
  const { get } = await served(t, { slow: away })
  const { status, body } = await get('/metrics')
  assert.equal(status, 200)
  assert.ok(Number.isNaN(sample(body, 'kith_deliveries_due')))
})

test('metrics on the main port are for who asks on this machine', async (t) => {
  const { get } = await served(t)
  assert.equal((await get('/metrics')).status, 200)
  assert.equal((await get('/metrics', { 'x-forwarded-for': '127.0.0.1' })).status, 404)
  assert.equal((await get('/metrics', { forwarded: 'for=127.0.0.1' })).status, 404)
})

test('metrics are not for who comes through a trusted proxy on this machine', async (t) => {
  const { get } = await served(t, { metricsFor: { localUnlessFrom: ['10.0.0.0/8', '127.0.0.0/8'] } })
  const { status, body } = await get('/metrics')
  const unknown = await get('/metric')
  assert.deepEqual([status, body], [unknown.status, unknown.body])
})

test('with a port of its own for metrics the main port has none', async (t) => {
  const main = await served(t, { metricsFor: 'no one' })
  assert.equal((await main.get('/metrics')).status, 404)
  assert.equal((await main.get('/readyz')).status, 200)
  const own = await served(t, { metricsFor: 'everyone' })
  assert.equal((await own.get('/metrics', { 'x-forwarded-for': '203.0.113.9' })).status, 200)
})

interface Served {
  engine?: (typeof engines)[number]
  metricsFor?: OperationParts['metricsFor']
  isClosing?: () => boolean
  read?: Database['read']
  slow?: Database['slow']
}

async function served(
  t: TestContext,
  { engine = engines[0]!, metricsFor = LOCAL, isClosing = () => false, read, slow }: Served = {},
) {
  const { db } = await engine.open(t)
  const server = createServer(readConfig({ env: {} }).http, createLog('silent'), () => false)
  t.after(() => server.close())
  const deliveries = () => ({ sending: 2, subscriptions: 5, delivered: 12, failed: 3, unrecorded: 4 })
  const node = {
    id: NODE_ID,
    rateLimit: () => ({ leases: 6, permits: 70 }),
    imports: () => 8,
    connections: db.connections?.bind(db),
  }
  const metrics = createMetrics({ db: { slow: slow ?? db.slow }, deliveries, node })
  metrics.watch(server)
  await server.register(operationRoutes({ db: { read: read ?? db.read }, isClosing, metrics, metricsFor }))
  const querystring = { type: 'object', properties: { q: { type: 'string' } } }
  server.get<{ Params: { id: string } }>('/records/:id', { schema: { querystring } }, async ({ params }, reply) => {
    if (params.id === 'limited') reply.header('ratelimit-limit', 5000)
    if (params.id.includes('-t') || params.id === 'limited') throw new ApiError('rate_limited', 'Too many.')
    return { id: params.id }
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    db,
    async get(path: string, headers: Record<string, string> = {}) {
      const answer = await fetch(url + path, { headers })
      return { status: answer.status, headers: answer.headers, body: await answer.text() }
    },
  }
}

function sample(body: string, name: string): number | undefined {
  const line = body.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

async function addDeliveries(db: Database, states: ('ready' | 'queued' | 'delivered' | 'failed')[]): Promise<void> {
  const at = '2026-05-14T09:30:00.000Z'
  const [org_id, subscription_id, event_id] = [newId(), newId(), newId()]
  await db.write(async (tx) => {
    await tx
      .insertInto('org')
      .values({ id: org_id, name: 'Test', plan: 'pro', hourly_limit: 5000, strict_stages: 0, created_at: at })
      .execute()
    await tx
      .insertInto('subscription')
      .values({
        ...{ org_id, id: subscription_id, url: 'https://example.com/', events: '[]', note: null },
        ...{ secret: new Uint8Array(1), previous_secret: null, previous_secret_until: null },
        ...{ paused_at: null, created_at: at, deleted_at: null },
      })
      .execute()
    await tx
      .insertInto('event')
      .values({
        ...{ org_id, id: event_id, name: 'contact.created', contact_id: null, task_id: null, ts: at },
        body: new Uint8Array(1),
      })
      .execute()
    const delivery = { org_id, subscription_id, event_id, event: 'contact.created', contact_id: null, lane: 0 }
    const rest = { response_status: null, error: null, duration_ms: null, created_at: at, finished_at: null }
    await tx
      .insertInto('delivery')
      .values(states.map((state) => ({ ...delivery, ...rest, id: newId(), queue_key: newId(), state })))
      .execute()
  })
}
