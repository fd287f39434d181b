/** One synchronous connection of `node:sqlite`, its statements cached by their text. Threads load it, and little else. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

const STATEMENTS_MAX = 500

export type Row = Record<string, unknown>
type Values = Parameters<StatementSync['all']>

/** Rows as they come, each its values in the order of the names. */
export interface Table {
  names: string[]
  values: unknown[][]
}

interface Statement {
  prepared: StatementSync
  /** Of the columns; empty for a statement without rows. */
  names: string[]
}

/** A connection that answers at once, on the event loop. */
export interface ImmediateConnection extends DatabaseConnection {
  rowsOf(sql: string, parameters: readonly unknown[]): Row[]
}

/** One `DatabaseSync` with its statement cache. Replaceable, since a failed sync makes the old one untrustworthy. */
export class SqliteConnection implements ImmediateConnection {
  #db: DatabaseSync
  readonly #statements = new Map<string, Statement>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  get db(): DatabaseSync {
    return this.#db
  }

  /** Goes on with another connection underneath. */
  replace(db: DatabaseSync): void {
    this.close()
    this.#db = db
  }

  /** Runs one statement. @returns its rows, and how many it changed */
  run(sql: string, parameters: readonly unknown[] = []): { rows: Row[]; changes: number | bigint } {
    const { names, values, changes } = this.table(sql, parameters)
    return { rows: rowsOf({ names, values }), changes }
  }

  /** The same without making objects of the rows. */
  table(sql: string, parameters: readonly unknown[] = []): Table & { changes: number | bigint } {
    const { prepared, names } = this.#statement(sql)
    if (names.length === 0) return { names, values: [], changes: prepared.run(...(parameters as Values)).changes }
    return { names, values: prepared.all(...(parameters as Values)) as unknown as unknown[][], changes: 0 }
  }

  rowsOf(sql: string, parameters: readonly unknown[]): Row[] {
    return this.run(sql, parameters).rows
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes } = this.run(query.sql, query.parameters)
    return { rows: rows as R[], numAffectedRows: BigInt(changes || rows.length) }
  }

  async *streamQuery<R>(query: CompiledQuery, chunkRows: number): AsyncIterableIterator<QueryResult<R>> {
    // A statement of its own: a cached one that is being read must not be started again.
    let rows: R[] = []
    for (const row of this.#db.prepare(query.sql).iterate(...(query.parameters as Values))) {
      rows.push(row as R)
      if (rows.length < chunkRows) continue
      yield { rows }
      rows = []
    }
    if (rows.length > 0) yield { rows }
  }

  close(): void {
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
  }

  #statement(sql: string): Statement {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const prepared = this.#db.prepare(sql)
    prepared.setReturnArrays(true)
    const statement = { prepared, names: prepared.columns().map(({ name }) => name) }
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.delete(this.#statements.keys().next().value!)
    this.#statements.set(sql, statement)
    return statement
  }
}

export function rowsOf({ names, values }: Table): Row[] {
  return values.map((row) => rowOf(names, row))
}

/** The objects that SQLite's binding makes have no fixed shape: reading and writing them out takes twice as long. */
function rowOf(names: string[], values: unknown[]): Row {
  const row: Row = {}
  for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]
  return row
}
