import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PostgresCluster } from '../../../test/support/postgres-cluster.ts'
import { PostgresWire } from '../../../test/support/postgres-wire.ts'
import { until } from '../../../test/support/until.ts'
import { readPostgresUrl, type SessionAttrs } from '../text/postgres-url.ts'
import { PostgresPool } from './postgres-pool.ts'

let primary: PostgresCluster
let standby: PostgresCluster
const hooks: (() => void | Promise<void>)[] = []

before(async () => {
  const t = { after: (hook: () => void | Promise<void>) => void hooks.unshift(hook) }
  // Commits wait for a standby that never comes, where they ask for one.
  primary = await PostgresCluster.start(t, { synchronous_standby_names: 'nobody', synchronous_commit: 'local' })
  standby = await primary.standby(t)
})

after(async () => {
  for (const hook of hooks) await hook()
})

/** The server that a pool of these servers is led to; undefined where it finds none. */
async function serverOf(urls: string[], attrs: SessionAttrs): Promise<string | undefined> {
  const servers = urls.flatMap((url) => readPostgresUrl(url)!.servers)
  const pool = new PostgresPool({ servers, attrs, connectionsMax: 1 })
  try {
    const link = await pool.connect()
    link.release()
    return link.server.name
  } catch {
    return undefined
  } finally {
    await pool.end()
  }
}

test('of several servers the first is taken that is what is meant', async (t) => {
  const closed = await PostgresWire.open(t, primary.url)
  await closed.close()
  const urls = [closed.url, standby.url, primary.url]
  const [p, s] = [`127.0.0.1:${primary.port}`, `127.0.0.1:${standby.port}`]
  const expected: Record<SessionAttrs, [string | undefined, string | undefined]> = {
    any: [s, p],
    'read-write': [p, p],
    'read-only': [s, undefined],
    primary: [p, p],
    standby: [s, undefined],
    'prefer-standby': [s, p],
  }
  for (const [attrs, [ofAll, withoutStandby]] of Object.entries(expected)) {
    assert.equal(await serverOf(urls, attrs as SessionAttrs), ofAll, attrs)
    assert.equal(await serverOf([closed.url, primary.url], attrs as SessionAttrs), withoutStandby, attrs)
  }
})

test('a server that takes connections and says nothing holds up those that ask for five seconds at most', async (t) => {
  const silent = await PostgresWire.open(t, primary.url)
  silent.silence()
  const begun = performance.now()
  const beside = serverOf([silent.url, primary.url], 'read-write')
  const alone = serverOf([silent.url], 'read-write')
  assert.equal(await beside, `127.0.0.1:${primary.port}`)
  const besideMs = performance.now() - begun
  assert.equal(await alone, undefined)
  const aloneMs = performance.now() - begun
  t.diagnostic(
    `another one is found after ${Math.round(besideMs)} ms; told that there is none after ${Math.round(aloneMs)} ms`,
  )
  assert.ok(besideMs >= 2_400 && aloneMs < 15_000)
})

test('whoever finds no connection free is told so after five seconds, and all are given back', async (t) => {
  const pool = poolOf(primary.url, 2)
  t.after(() => pool.end())
  const held = await Promise.all([pool.connect(), pool.connect()])
  await assert.rejects(pool.connect(), { code: '08006', message: /No connection was free/ })
  const waiting = pool.connect()
  for (const link of held) link.release()
  const link = await waiting
  assert.ok(held.includes(link))
  link.release()
  const both = await Promise.all([pool.connect(), pool.connect()])
  assert.deepEqual(new Set(both), new Set(held))
  for (const each of both) each.release()
})

test('when a server falls silent all its connections are given up, while a slow statement is let be', async (t) => {
  const wire = await PostgresWire.open(t, primary.url)
  const pool = poolOf(wire.url, 3)
  t.after(() => pool.end())
  const links = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  const outcomes = (sql: string) =>
    Promise.all(links.slice(0, 2).map((link) => link.query(sql).then(() => 'answered', codeOf)))
  links[2]!.release()
  assert.deepEqual(await outcomes('select pg_sleep(3)'), ['answered', 'answered'])

  wire.silence()
  const begun = performance.now()
  assert.deepEqual(await outcomes('select 1'), ['08006', '08006'])
  const ms = Math.round(performance.now() - begun)
  t.diagnostic(`silence is noticed after ${ms} ms`)
  assert.ok(ms < 20_000, `noticed after ${ms} ms`)
  for (const link of links.slice(0, 2)) link.release()
  wire.speak()
  const link = await pool.connect()
  await link.query('select 1')
  link.release()
})

test('after a switch no connection to the server before is used again', async (t) => {
  const wire = await PostgresWire.open(t, primary.url)
  const urls = `postgresql://${wire.url.slice(13).replace('/postgres', `,127.0.0.1:${primary.port}/postgres`)}`
  const pool = poolOf(urls, 3)
  t.after(() => pool.end())
  const [first, second] = await Promise.all([pool.connect(), pool.connect()])
  first!.release()
  assert.equal(wire.connections, 2)
  // New connections cannot come this way any more; the two that are there can go on.
  await Promise.all([first!.query('select 1'), second!.query('select 1')])
  const third = await pool.connect()
  assert.equal(third, first)
  wire.silence()
  const fourth = await pool.connect()
  assert.equal(fourth.server.name, `127.0.0.1:${primary.port}`)
  wire.speak()
  for (const link of [second!, third]) {
    assert.equal(link.isUsable, false)
    link.release()
  }
  fourth.release()
  await until('those are closed', () => wire.connections === 0)
  assert.equal(await pool.connect(), fourth)
  fourth.release()
})

test('a refusal to write closes all connections to that server', async (t) => {
  const pool = poolOf(primary.url, 3)
  t.after(() => pool.end())
  const [first, second] = await Promise.all([pool.connect(), pool.connect()])
  second!.release()
  first!.begin('begin read only')
  await assert.rejects(first!.query('create table never (n int)'), { code: '25006' })
  assert.deepEqual([first!.isUsable, second!.isUsable], [false, false])
  await second!.ended
  first!.release()
  await first!.ended
})

test('what a standby was to confirm, and has not, is not taken as done', async (t) => {
  const pool = poolOf(primary.url, 2)
  t.after(() => pool.end())
  const link = await pool.connect()
  const { rows } = await link.query<{ pid: number }>('select pg_backend_pid() as pid')
  await link.query('begin')
  await link.query(`set local synchronous_commit = 'on'`)
  await link.query('create table half (n int)')
  const waits = `select wait_event = 'SyncRep' as waits from pg_stat_activity where pid = $1`
  const committed = link.query('commit').then(() => 'acknowledged', codeOf)
  await until('the commit waits', async () => (await primary.query(waits, [rows[0]!.pid]))[0]?.waits)
  await primary.query('select pg_cancel_backend($1)', [rows[0]!.pid])
  assert.equal(await committed, '08007')
  link.release()
})

function poolOf(url: string, connectionsMax: number): PostgresPool {
  return new PostgresPool({ servers: readPostgresUrl(url)!.servers, attrs: 'read-write', connectionsMax })
}

function codeOf(error: { code?: string }): string | undefined {
  return error.code
}
