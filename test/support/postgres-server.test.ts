import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { testDatabaseUrl } from './postgres-server.ts'

test('each test database is empty and apart from the others', async (t) => {
  const [one, other] = await Promise.all([testDatabaseUrl(t), testDatabaseUrl(t)])
  assert.deepEqual(await rows(one, 'create table only_here (n int)'), [])
  assert.deepEqual(await rows(one, TABLES), [{ tablename: 'only_here' }])
  assert.deepEqual(await rows(other, TABLES), [])
})

test('the server is PostgreSQL 18, durable, and can make trigram indexes', async (t) => {
  const url = await testDatabaseUrl(t)
  assert.match(String((await rows(url, 'show server_version'))[0]?.server_version), /^18\./)
  assert.deepEqual(await rows(url, 'show fsync'), [{ fsync: 'on' }])
  assert.deepEqual(await rows(url, 'show synchronous_commit'), [{ synchronous_commit: 'on' }])
  assert.deepEqual(await rows(url, 'create extension pg_trgm'), [])
})

test('a test database is gone after its test, whose later hooks could still use it', async (t) => {
  let [url, seenByHook] = ['', '']
  await t.test('the test that has it', async (inner) => {
    url = await testDatabaseUrl(inner)
    const client = new pg.Client(url)
    await client.connect()
    inner.after(async () => {
      seenByHook = (await client.query('select current_database() as name')).rows[0].name
      await client.end()
    })
  })
  const name = new URL(url).pathname.slice(1)
  assert.equal(seenByHook, name)
  const server = await testDatabaseUrl(t)
  await until(async () => (await rows(server, `select 1 from pg_database where datname = '${name}'`)).length === 0)
})

test('a killed test process leaves no server and no folder behind', async (t) => {
  const child = startProcess(`
    import { startPostgresServer } from ${JSON.stringify(new URL('./postgres-server.ts', import.meta.url))}
    console.log((await startPostgresServer()).url)
    setInterval(() => {}, 1000)`)
  t.after(() => child.kill('SIGKILL'))
  const url = String((await once(child.stdout!, 'data'))[0]).trim()
  const folder = String((await rows(url, 'show data_directory'))[0]?.data_directory)
  assert.ok(existsSync(folder))
  child.kill('SIGKILL')
  await until(async () => !existsSync(folder))
  await assert.rejects(rows(url, 'select 1'), { code: 'ECONNREFUSED' })
})

test('a process that has stopped its server ends by itself, with no folder left', async (t) => {
  const child = startProcess(`
    import { startPostgresServer } from ${JSON.stringify(new URL('./postgres-server.ts', import.meta.url))}
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    const server = await startPostgresServer()
    const client = new pg.Client(server.url)
    await client.connect()
    console.log((await client.query('show data_directory')).rows[0].data_directory)
    await client.end()
    await server.stop()`)
  t.after(() => child.kill('SIGKILL'))
  const folder = String((await once(child.stdout!, 'data'))[0]).trim()
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.equal(existsSync(folder), false)
})

const TABLES = `select tablename from pg_tables where schemaname = 'public'`

async function rows(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function startProcess(code: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function until(isSo: () => Promise<boolean>) {
  while (!(await isSo())) await delay(20)
}
