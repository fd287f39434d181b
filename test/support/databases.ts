/** A fresh database of each engine for tests that run on both. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../server/src/database/engine.ts'
import { openDatabase, type StoreOptions } from '../../server/src/database/open.ts'
import { orgGuard } from '../../server/src/database/org-guard.ts'
import { testDatabaseUrl } from './postgres-server.ts'

/** What is needed of node:test's context. */
interface Test {
  after(hook: () => void | Promise<void>): void
}

export interface Engine {
  name: 'sqlite' | 'postgres'
  /** A place for a new database, removed with all that is in it when the test has ended. */
  place(t: Test): Promise<StoreOptions>
  /**
   * A new database, closed and removed when the test has ended. A query that is not held to one org throws there; a
   * test that wants to look at all of them asks `db.read.withoutPlugins()`.
   *
   * @returns it, and what opens it a second time (on SQLite once the first is closed, or with the role `command`)
   */
  open(t: Test): Promise<{ db: Database; store: StoreOptions }>
}

/**
 * One new database of each engine for all tests of a file; to be awaited before the first test is there.
 *
 * @param t the `after` of node:test
 */
export function openEngines(t: Test): Promise<(Engine & { db: Database; store: StoreOptions })[]> {
  return Promise.all(engines.map(async (engine) => ({ ...engine, ...(await engine.open(t)) })))
}

export const engines: readonly Engine[] = [engine('sqlite', sqlitePlace), engine('postgres', postgresPlace)]

function engine(name: Engine['name'], place: Engine['place']): Engine {
  return {
    name,
    place,
    async open(t) {
      // Hooks run in the order they were added: the database is closed before its place is removed.
      let db: Database | undefined
      t.after(() => db?.close())
      const store = await place(t)
      db = await openDatabase(store, 'server', { plugins: [orgGuard()] })
      return { db, store }
    },
  }
}

async function sqlitePlace(t: Test): Promise<StoreOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return { engine: 'sqlite', folder }
}

async function postgresPlace(t: Test): Promise<StoreOptions> {
  return { engine: 'postgres', url: await testDatabaseUrl(t), connectionsMax: 10 }
}
