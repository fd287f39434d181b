/** Statements that go to PostgreSQL together: there and back is one way for all of them, and so is its cost. */
import type { CompiledQuery } from 'kysely'
import type pg from 'pg'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** Under which the session keeps it parsed and planned; always the same text under one name. */
  name?: string | undefined
}

/** A query that is run again and again. */
export interface HotQuery extends CompiledQuery {
  /** As the name of its statement. */
  name?: string
  /** Nobody wants its result. */
  isSent?: boolean
}

export interface Result<Row = unknown> {
  /** Its first word, as the server has understood it. */
  command: string
  /** How many rows it has found or changed. */
  rowCount: number
  rows: Row[]
}

/** A statement with whoever waits for its result. */
export interface Asked {
  statement: Statement
  resolve(result: Result): void
  reject(error: unknown): void
}

/** What a row of a statement's looks like. */
interface Shape {
  names: string[]
  /** Undefined for what is taken as it comes. */
  parsers: (TypeParser | undefined)[]
}

export type TypeParser = (text: string) => unknown

/** The statements that a session keeps, by name; those that give no rows have no shape. */
export type Prepared = Map<string, { shape?: Shape }>

export interface BatchEnds {
  prepared: Prepared
  /** @returns undefined for what is taken as the text that it is */
  parserOf(type: number): TypeParser | undefined
  /** One statement more is done. */
  onProgress(): void
  onDone(results: Result[]): void
  /** @param at of the statement that failed; none of those behind it has been run */
  onFault(error: Error, at: number): void
}

/** What node-postgres' client runs: it calls what is named `submit` and `handle…`. */
export class Batch implements pg.Submittable {
  readonly asked: readonly Asked[]
  readonly #ends: BatchEnds
  readonly #results: Result[]
  /** Those that are parsed in this batch, from that place on. */
  readonly #parsed = new Map<string, number>()
  #at = 0
  #shape: Shape | undefined

  constructor(asked: readonly Asked[], ends: BatchEnds) {
    this.asked = asked
    this.#ends = ends
    this.#results = asked.map(() => ({ command: '', rowCount: 0, rows: [] }))
  }

  submit(given: pg.Connection): void {
    const connection = given as unknown as Connection
    connection.stream.cork()
    for (const [at, { statement }] of this.asked.entries()) this.#put(connection, statement, at)
    connection.sync()
    connection.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const shape = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => this.#ends.parserOf(dataTypeID)),
    }
    this.#shape = shape
    const { name } = this.asked[this.#at]!.statement
    if (name !== undefined) this.#ends.prepared.get(name)!.shape = shape
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#shape ??= this.#ends.prepared.get(this.asked[this.#at]!.statement.name!)!.shape!
    const { names, parsers } = this.#shape
    const row: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) {
      const text = fields[i]!
      const parser = parsers[i]
      row[names[i]!] = text === null || parser === undefined ? text : parser(text)
    }
    this.#results[this.#at]!.rows.push(row)
  }

  /** @param tag such as `INSERT 0 1` or `COMMIT` */
  handleCommandComplete({ text: tag }: { text: string }): void {
    const result = this.#results[this.#at]!
    const words = tag.split(' ')
    result.command = words[0]!
    result.rowCount = Number(words.at(-1)) || 0
    this.#at++
    this.#shape = undefined
    this.#ends.onProgress()
  }

  handleReadyForQuery(): void {
    this.#ends.onDone(this.#results)
  }

  handleError(error: Error): void {
    for (const [name, at] of this.#parsed) if (at >= this.#at) this.#ends.prepared.delete(name)
    this.#ends.onFault(error, this.#at)
  }

  #put(connection: Connection, { sql, parameters, name = '' }: Statement, at: number): void {
    const isKept = this.#ends.prepared.has(name)
    if (!isKept) {
      if (name !== '') {
        // It may be there from a batch that failed behind it.
        connection.close({ type: 'S', name })
        this.#ends.prepared.set(name, {})
        this.#parsed.set(name, at)
      }
      connection.parse({ name, text: sql })
    }
    connection.bind({ statement: name, values: parameters.map(writtenValue) })
    if (!isKept) connection.describe({ type: 'P' })
    connection.execute()
  }
}

/** What node-postgres' connection has, as it is used here. */
interface Connection {
  readonly stream: { cork(): void; uncork(): void }
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: (string | Buffer | null)[] }): void
  describe(message: { type: 'P' }): void
  execute(): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}

/** A parameter as it is sent: a text, or the bytes of a `bytea`. */
function writtenValue(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return `{${value.map(writtenElement).join()}}`
  if (typeof value === 'object') throw new TypeError('An object cannot be a parameter: write it as JSON.')
  return String(value)
}

/** Of an array: quoted, since a text may have commas and braces. */
function writtenElement(value: string | number | bigint | boolean | null): string {
  return value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`
}
