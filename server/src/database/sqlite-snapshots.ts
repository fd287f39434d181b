import type { CompiledQuery, QueryResult } from 'kysely'
import type { ImmediateConnection, Row, SqliteConnection } from './sqlite-connection.ts'

/**
 * Reads of one turn of the event loop share a snapshot: taking and dropping SQLite's locks for each query costs as much
 * as the query (3 of 6.5 µs).
 *
 * A request never sees less than was committed before it was sent: its first byte was there before the turn began, and
 * the snapshot is taken within the turn. Our own commits end it at once.
 */
export class SqliteSnapshots implements ImmediateConnection {
  readonly #connection: SqliteConnection
  #isOpen = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  rowsOf(sql: string, parameters: readonly unknown[]): Row[] {
    this.#open()
    return this.#connection.rowsOf(sql, parameters)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: this.rowsOf(sql, parameters) as R[] }
  }

  streamQuery<R>(query: CompiledQuery, chunkRows: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery(query, chunkRows)
  }

  /** The next read takes a new snapshot. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#connection.db.isTransaction) this.#connection.run('commit')
  }

  #open(): void {
    if (this.#isOpen) return
    this.#connection.run('begin')
    this.#isOpen = true
    setImmediate(() => this.end())
  }
}
