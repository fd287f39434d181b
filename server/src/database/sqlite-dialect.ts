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
 * @param connection what runs the queries: a `SqliteConnection`, or a thread that has one
 * @param pieces what undoes one of Kysely's transactions on it: the real one around them is the group's (see `sqlite.ts`)
 */
export function sqliteDialect(connection: DatabaseConnection | ImmediateConnection, pieces?: Pieces): Dialect {
  return {
    createAdapter: () => new UnlockedAdapter('rowsOf' in connection ? connection : undefined),
    createDriver: () => new SharedDriver(connection, pieces),
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

/**
 * Undoes single pieces of work in a transaction that they share.
 *
 * A savepoint for each can, but its release makes the search index write out what it has gathered, and that is a quarter
 * of a create (its statements took 448 µs of processor, and take 348). So pieces run without; where one fails after a change, the transaction is
 * `spoilt`: to be rolled back, and its pieces to be run again with savepoints.
 */
export class Pieces {
  readonly #connection: SqliteConnection
  #hasSavepoints = false
  #changesBefore: unknown
  #isSpoilt = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  get isSpoilt(): boolean {
    return this.#isSpoilt
  }

  /** For the transaction that begins. */
  reset({ hasSavepoints }: { hasSavepoints: boolean }): void {
    this.#hasSavepoints = hasSavepoints
    this.#isSpoilt = false
  }

  begin(): void {
    if (this.#hasSavepoints) this.#connection.run('savepoint piece')
    else this.#changesBefore = this.#changes()
  }

  keep(): void {
    if (this.#hasSavepoints) this.#connection.run('release piece')
  }

  undo(): void {
    // A full disk or a failed write has made SQLite roll back everything, savepoints and all.
    if (!this.#connection.db.isTransaction) return
    if (!this.#hasSavepoints) {
      this.#isSpoilt ||= this.#changes() !== this.#changesBefore
      return
    }
    this.#connection.run('rollback to piece')
    this.#connection.run('release piece')
  }

  #changes(): unknown {
    return this.#connection.run('select total_changes() as n').rows[0]!.n
  }
}

class SharedDriver implements Driver {
  readonly #connection: DatabaseConnection
  readonly #pieces: Pieces | undefined

  constructor(connection: DatabaseConnection, pieces: Pieces | undefined) {
    this.#connection = connection
    this.#pieces = pieces
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    if (!this.#pieces) throw new Error('This connection only reads.')
    this.#pieces.begin()
  }

  async commitTransaction(): Promise<void> {
    this.#pieces!.keep()
  }

  async rollbackTransaction(): Promise<void> {
    this.#pieces!.undo()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
