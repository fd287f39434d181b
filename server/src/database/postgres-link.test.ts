import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { PostgresCluster } from '../../../test/support/postgres-cluster.ts'
import { PostgresWire } from '../../../test/support/postgres-wire.ts'
import { readPostgresUrl } from '../text/postgres-url.ts'
import type { HotQuery } from './postgres-batch.ts'
import type { PostgresLink } from './postgres-link.ts'
import { PostgresPool } from './postgres-pool.ts'

const hooks: (() => void | Promise<void>)[] = []
let wire: PostgresWire
let pool: PostgresPool
let link: PostgresLink
/** What has reached the server, in its order. */
let heard: string[]

before(async () => {
  const t = { after: (hook: () => void | Promise<void>) => void hooks.unshift(hook) }
  const cluster = await PostgresCluster.start(t)
  wire = await PostgresWire.open(t, cluster.url)
  pool = new PostgresPool({ servers: readPostgresUrl(wire.url)!.servers, attrs: 'read-write', connectionsMax: 3 })
  t.after(() => pool.end())
})
after(async () => {
  for (const hook of hooks) await hook()
})

beforeEach(async () => {
  link = await pool.connect()
  await link.query('drop table if exists numbered')
  await link.query('create table numbered (n integer primary key)')
  heard = []
  wire.fateOf = (sql) => {
    heard.push(sql)
    return 'pass'
  }
})
afterEach(() => link.release())

test('what is asked while an answer is awaited goes together; one that fails leaves the others unharmed', async () => {
  const at = 'select now()::text as at'
  const asked = [at, at, 'select 1 / 0', at].map((sql) => link.query<{ at: string }>(sql))
  const outcomes = await Promise.allSettled(asked)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal((outcomes[2] as PromiseRejectedResult).reason.code, '22012')
  // Together they are one transaction, at one time; the first was on its way already.
  const times = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.rows[0]!.at : undefined))
  assert.equal(times[1], times[3])
  assert.notEqual(times[0], times[1])
})

test('a transaction begins with its first statement; one without any is not heard of', async () => {
  link.begin()
  await link.commit()
  link.begin()
  void link.send(insert(1))
  await link.rollback()
  assert.deepEqual(heard, [])
  link.begin()
  void link.send(insert(1))
  assert.deepEqual((await link.query('select n from numbered')).rows, [{ n: 1 }])
  await link.commit()
  assert.deepEqual(heard, ['begin', insert(1).sql, 'select n from numbered', 'commit'])
})

test('what is sent and fails: what is asked next fails with its error, and nothing is there', async () => {
  link.begin()
  for (const n of [1, 1, 2]) void link.send(insert(n))
  await assert.rejects(link.query('select n from numbered'), { code: '23505' })
  await link.rollback()
  assert.deepEqual((await link.query('select n from numbered')).rows, [])
})

test('what is sent last and fails: the commit fails with its error, and is not asked for', async () => {
  link.begin()
  for (const n of [1, 1]) void link.send(insert(n))
  await assert.rejects(link.commit(), { code: '23505' })
  await link.rollback()
  assert.ok(!heard.includes('commit'))
  assert.deepEqual((await link.query('select n from numbered')).rows, [])
})

test('nothing of a transaction is done outside it, when it is rolled back while something of it fails', async () => {
  link.begin()
  void link.send({ sql: 'select 1 / 0', parameters: [] })
  const asked = link.query('insert into numbered values (1)')
  const rolledBack = link.rollback()
  await assert.rejects(asked, { code: '22012' })
  await rolledBack
  assert.deepEqual((await link.query('select n from numbered')).rows, [])
})

test('whoever sends very many is made to wait', async () => {
  link.begin()
  let sent = 0
  while (heard.length === 0 && sent < 1_000) await link.send(insert(++sent))
  assert.ok(sent > 1 && sent < 1_000, `${sent}`)
  await link.commit()
  assert.deepEqual((await link.query('select count(*) from numbered')).rows, [{ count: sent }])
})

test('a hot statement is parsed once, and again where the server knows it no more or its columns are others', async () => {
  await link.query('insert into numbered values (1)')
  const run = async () => (await link.executeQuery<{ n: unknown }>(hot('select n from numbered'))).rows
  const kept = () => link.query<{ name: string }>('select name from pg_prepared_statements')
  for (let i = 0; i < 3; i++) assert.deepEqual(await run(), [{ n: 1 }])
  assert.deepEqual((await kept()).rows, [{ name: 'select n from numbered' }])
  await link.query('deallocate all')
  assert.deepEqual(await run(), [{ n: 1 }])
  await link.query('alter table numbered alter column n type text')
  assert.deepEqual(await run(), [{ n: '1' }])
  assert.equal((await kept()).rows.length, 1)
})

test('in a transaction that can no longer go on, a hot statement says that it may be done again', async () => {
  const query = hot('select n from numbered')
  await link.executeQuery(query)
  await link.query('deallocate all')
  link.begin()
  await assert.rejects(link.executeQuery(query), { code: '40001' })
  await link.rollback()
  link.begin()
  assert.deepEqual((await link.executeQuery(query)).rows, [])
  await link.commit()
})

test('parameters arrive as they are: texts in arrays, bytes, numbers, nothing', async () => {
  const texts = ['a,b', '{"c"}', '\\', '', 'NULL', 'é']
  const parameters = [texts, Uint8Array.of(0, 255), 1.5, null]
  const { rows } = await link.query(
    'select $1::text[] as texts, $2::bytea as bytes, $3::float8 as n, $4::text as no',
    parameters,
  )
  assert.deepEqual(rows, [{ texts, bytes: Buffer.of(0, 255), n: 1.5, no: null }])
})

test('short questions share a connection, but none that keeps them waiting', async () => {
  const quick = Array.from({ length: 20 }, (_, i) => pool.ask<{ n: number }>(hot(`select ${i % 4} as n`)))
  assert.deepEqual(
    (await Promise.all(quick)).flat(),
    Array.from({ length: 20 }, (_, i) => ({ n: i % 4 })),
  )
  assert.deepEqual(pool.counts, { inUse: 1, idle: 1, waiting: 0, max: 3 })
  link.begin()
  await link.query('lock table numbered in access exclusive mode')
  const waits = pool.ask(hot('select n from numbered'))
  await delay(50)
  assert.deepEqual(await pool.ask(hot('select 1 as n')), [{ n: 1 }])
  await link.commit()
  assert.deepEqual(await waits, [])
})

function insert(n: number) {
  return { sql: 'insert into numbered values ($1)', parameters: [n] }
}

/** Of a name that is the same for the same text. */
function hot(sql: string): HotQuery {
  return { ...CompiledQuery.raw(sql), name: sql }
}
