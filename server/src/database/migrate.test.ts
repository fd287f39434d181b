import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { describeSchema, keptSchema } from '../../../scripts/schema-snapshot.ts'
import { type Engine, engines } from '../../../test/support/databases.ts'
import { first } from './migrations/0001-first.ts'
import { openDatabase, type StoreOptions } from './open.ts'

/** Where in the first migration a process is killed: before this statement, the last one being the end of them all. */
const PLACES = [0, 1, 10, 'end'] as const

for (const engine of engines) {
  test(`${engine.name}: SIGKILL in the middle of the first migration leaves nothing, and the next start makes all`, async (t) => {
    const stores = await Promise.all(PLACES.map(() => engine.place(t)))
    const children = PLACES.map((place, i) => {
      const at = place === 'end' ? first[engine.name].length : place
      return migratingChild(stores[i]!, `killAt(first.${engine.name}, ${at})`)
    })
    for (const [i, child] of children.entries()) {
      assert.equal((await outcomeOf(child)).signal, 'SIGKILL')
      assert.deepEqual(await tablesIn(stores[i]!), [])
      await (await openDatabase(stores[i]!, 'server')).close()
      assert.equal(await describeSchema(stores[i]!), keptSchema(engine.name))
    }
  })

  test(`${engine.name}: SIGKILL in the middle of a later migration leaves schema and rows as they were`, async (t) => {
    const store = await engine.place(t)
    const db = await openDatabase(store, 'server')
    await db.write((tx) => tx.insertInto('meta').values({ key: 'kept', value: 'x' }).execute())
    await db.close()
    const later = `const statements = ['delete from meta', 'drop table activity', 'create table more (id text)']
      MIGRATIONS.push({ version: MIGRATIONS.length + 1, name: 'later', sqlite: statements, postgres: statements })
      killAt(statements, 3)`
    assert.equal((await outcomeOf(migratingChild(store, later))).signal, 'SIGKILL')
    const again = await openDatabase(store, 'server')
    assert.equal(await describeSchema(store), keptSchema(engine.name))
    assert.deepEqual(await again.read.selectFrom('meta').select('key').execute(), [{ key: 'kept' }])
    await again.close()
  })

  test(`${engine.name}: of two processes that migrate at once one does, and the other waits for it`, async (t) => {
    const store = await engine.place(t)
    const program = `first.sqlite.splice(3, 0, ${JSON.stringify(SLOW.sqlite)})
      first.postgres.splice(3, 0, ${JSON.stringify(SLOW.postgres)})`
    const children = [migratingChild(store, program), migratingChild(store, program)]
    for (const child of children) {
      const { code, errors } = await outcomeOf(child)
      assert.equal(code, 0, errors)
    }
    assert.equal(await describeSchema(store), keptSchema(engine.name))
  })
}

test('postgres: a newer schema is refused, with everything as it was', async (t) => {
  const store = (await engineNamed('postgres').open(t)).store as { url: string } & StoreOptions
  await onPostgres(store.url, 'update schema_version set version = 999')
  const before = await describeSchema(store)
  for (const role of ['server', 'command'] as const) {
    await assert.rejects(openDatabase(store, role), { name: 'StartError', message: /schema version 999/ })
  }
  assert.match(before, /Schema version 999/)
  assert.equal(await describeSchema(store), before)
})

test('sqlite: processes that open a new folder at once leave it whole', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const store: StoreOptions = { engine: 'sqlite', folder }
  const children = Array.from({ length: 4 }, () => migratingChild(store, ''))
  for (const child of children) assert.equal((await outcomeOf(child)).code, 0)
  await (await openDatabase(store, 'server')).close()
})

/** Long enough for the other process to come upon it, whichever is first. */
const SLOW = {
  sqlite: `insert into meta with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000)
    select 'slow', count(*) from n`,
  postgres: 'select pg_sleep(0.5)',
}

const KILL = `
  const killAt = (statements, place) => Object.defineProperty(statements, place, {
    get() { process.kill(process.pid, 'SIGKILL') }
  })`

/** A process that opens the database with changed migrations. */
function migratingChild(store: StoreOptions, program: string): ChildProcess {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url))
  const text = `
    import { MIGRATIONS } from ${url('./migrate.ts')}
    import { first } from ${url('./migrations/0001-first.ts')}
    import { openDatabase } from ${url('./open.ts')}
    ${KILL}
    ${program}
    const db = await openDatabase(JSON.parse(process.argv[2]), 'command')
    await db.close()`
  // A file: threads take over what `--eval` needs to read a module, and refuse it.
  const folder = mkdtempSync(join(tmpdir(), 'kith-test-'))
  writeFileSync(join(folder, 'migrate.mjs'), text)
  const options = [join(folder, 'migrate.mjs'), JSON.stringify(store)]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'ignore', 'pipe'] })
  return child.once('close', () => rmSync(folder, { recursive: true }))
}

async function outcomeOf(child: ChildProcess) {
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (chunk) => (errors += chunk))
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return { code: child.exitCode, signal: child.signalCode, errors }
}

async function tablesIn(store: StoreOptions): Promise<string[]> {
  if (store.engine === 'postgres') {
    const rows = await onPostgres(store.url, `select tablename as name from pg_tables where schemaname = 'public'`)
    return rows.map(({ name }) => name as string)
  }
  const db = new DatabaseSync(join(store.folder, 'kith.db'), { readOnly: true })
  try {
    return db
      .prepare('select name from sqlite_schema')
      .all()
      .map(({ name }) => name as string)
  } finally {
    db.close()
  }
}

async function onPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function engineNamed(name: Engine['name']): Engine {
  return engines.find((engine) => engine.name === name)!
}
