/** Kysely's way to SQLite. */
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { ImmediateConnection, SqliteConnection } from './sqlite-connection.ts'

/**
 * @param connection what runs the queries: a `SqliteConnection`, or a thread that has one. Kysely's transactions on it
 * are savepoints: the transaction around them is the group's (see `sqlite.ts`)
 */
export function sqliteDialect(connection: DatabaseConnection | ImmediateConnection): Dialect {
  return {
    createAdapter: () => new UnlockedAdapter('rowsOf' in connection ? connection : undefined),
    createDriver: () => new SavepointDriver(connection),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Kysely would take turns on a single connection; ours does not interleave, and turns are the writer's own matter. */
export class UnlockedAdapter extends SqliteAdapter {
  /** Undefined where a thread answers. */
  readonly immediate: ImmediateConnection | undefined

  constructor(immediate: ImmediateConnection | undefined) {
    super()
    this.immediate = immediate
  }

  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class SavepointDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    ;(connection as SqliteConnection).run('savepoint work')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    ;(connection as SqliteConnection).run('release work')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const sqlite = connection as SqliteConnection
    // A full disk or a failed write has made SQLite roll back everything, savepoint and all.
    if (!sqlite.db.isTransaction) return
    sqlite.run('rollback to work')
    sqlite.run('release work')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
