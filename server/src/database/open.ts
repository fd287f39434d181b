import type { KyselyPlugin } from 'kysely'
import type { Log } from '../log.ts'
import type { Database } from './engine.ts'
import type { PostgresOptions } from './postgres.ts'
import type { SqliteOptions } from './sqlite.ts'

export type StoreOptions =
  | ({ engine: 'sqlite' } & Pick<SqliteOptions, 'folder'>)
  | ({ engine: 'postgres' } & Omit<PostgresOptions, 'plugins' | 'log'>)

/**
 * Opens the database and brings it to this program's schema. An engine is loaded only where it is used, since a
 * command has to start fast.
 *
 * @param role a server keeps other servers off a SQLite folder; commands work beside it
 * @param options.plugins what sees each query before it runs: `org-guard.ts`, in tests
 * @param options.log is told when the database is on another server
 * @throws StartError when it cannot be used, with what to do
 */
export async function openDatabase(
  store: StoreOptions,
  role: SqliteOptions['role'],
  { plugins = [], log }: { plugins?: KyselyPlugin[]; log?: Log } = {},
): Promise<Database> {
  if (store.engine === 'sqlite') {
    const { openSqliteDatabase } = await import('./sqlite.ts')
    return openSqliteDatabase({ folder: store.folder, role, plugins })
  }
  const { openPostgresDatabase } = await import('./postgres.ts')
  return openPostgresDatabase({ ...store, plugins, log })
}
