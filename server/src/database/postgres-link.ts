/** One connection to one PostgreSQL server, or to a pooler in front of one. */
import { AbortedTransactionError, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import pg from 'pg'
import type { ServerAddress, SessionAttrs } from '../text/postgres-url.ts'
import {
  type Asked,
  Batch,
  type HotQuery,
  type Prepared,
  type Result,
  type Statement,
  type TypeParser,
} from './postgres-batch.ts'

const STATEMENT_MS_MAX = 30_000
const IDLE_IN_TRANSACTION_MS_MAX = 30_000
/** A closed connection is cut when the server does not close its side. */
const CLOSE_MS_MAX = 1_000
const KEEP_ALIVE_MS = 10_000

/** Whoever sends more statements than that without waiting is made to wait: others want a turn too. */
const SENT_MAX = 50
/** A statement that a session keeps takes some kilobytes of the server. */
const PREPARED_MAX = 200
const TYPE_INT8 = 20
const TYPE_TIMESTAMPTZ = 1184

/** What is known of a server, by all connections to it. */
export interface Server extends ServerAddress {
  /** Whether a pooler stands in front of it, so that nothing of a session outlasts a transaction. */
  isPooled: boolean
  /** When it last answered anything, on the monotonic clock. */
  answeredMs: number
}

/** The connection is gone; what a statement under way has done is not known. */
export class ConnectionFault extends Error {
  /** SQLSTATE: "connection failure", or what else fits. */
  readonly code: string

  constructor(message: string, { code = '08006', cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'ConnectionFault'
    this.code = code
  }
}

const ofCommits = new WeakSet<Error>()

function noteOfCommit(error: Error): never {
  ofCommits.add(error)
  throw error
}

/** Whether a COMMIT has failed so: where the connection is lost under it, nobody knows what became of it. */
export function isOfCommit(error: unknown): boolean {
  return ofCommits.has(error as Error)
}

export interface LinkOptions {
  /** Shown in `pg_stat_activity`. */
  application: string
  /** For connecting, signing in and the first question. */
  msMax: number
}

export class PostgresLink implements DatabaseConnection {
  readonly server: Server
  /** When the statement under way was begun, on the monotonic clock; undefined while there is none. */
  askedMs: number | undefined
  /** To be closed when it is given back. */
  isSpent = false
  /** For what may take as long as it takes, such as a migration. */
  isUnlimited = false
  /** Called when the server refuses to write. */
  onReadOnly: () => void = () => {}
  /** Resolves when it is closed, whoever closed it. */
  readonly ended: Promise<void>
  readonly #client: Client
  #isStandby = false
  #isReadOnly = false
  #isUnreplicated = false
  #fault: Error | undefined
  /** What goes to the server when the batch under way is back. */
  #next: Asked[] = []
  #underWay: Batch | undefined
  readonly #prepared: Prepared = new Map()
  /** What begins the transaction goes with its first statement. */
  #opening: Statement[] = []
  #transaction: 'none' | 'meant' | 'begun' = 'none'

  /** @throws Error of the system or the server when it cannot be opened in time */
  static async open(server: Server, options: LinkOptions): Promise<PostgresLink> {
    const wasPooled = server.isPooled
    const link = new PostgresLink(server, options)
    try {
      await link.#begin(options.msMax)
      return link
    } catch (error) {
      link.destroy()
      if (wasPooled || !isRefusedParameter(error)) throw error
      server.isPooled = true
      return PostgresLink.open(server, options)
    }
  }

  /** @returns whether the server answers in time, be it with a refusal */
  static async answers(server: Server, options: LinkOptions): Promise<boolean> {
    const link = new PostgresLink(server, options)
    const timer = setTimeout(() => link.destroy(), options.msMax)
    try {
      await link.#client.connect()
      return true
    } catch (error) {
      return error instanceof pg.DatabaseError
    } finally {
      clearTimeout(timer)
      link.close()
    }
  }

  private constructor(server: Server, { application }: LinkOptions) {
    this.server = server
    this.#client = new pg.Client({
      ...configOf(server),
      application_name: application,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    }) as Client
    this.#client.on('error', (error) => {
      this.#fault ??= error
    })
    this.#client.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.#isUnreplicated = true
    })
    this.ended = new Promise((resolve) => this.#client.once('end', resolve))
  }

  get isUsable(): boolean {
    return !this.isSpent && this.#fault === undefined
  }

  fits(attrs: SessionAttrs): boolean {
    if (attrs === 'any') return true
    if (attrs === 'primary') return !this.#isStandby
    if (attrs === 'read-write') return !this.#isReadOnly
    return attrs === 'read-only' ? this.#isReadOnly : this.#isStandby
  }

  /** @throws DatabaseError or ConnectionFault, as `ask` does */
  query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Result<Row>> {
    return this.ask({ sql, parameters })
  }

  /**
   * Statements that are asked while others are under way go together when those are back. Outside a transaction one that
   * fails leaves the others unharmed; what they change, though, is kept together, so they only read there.
   *
   * @throws DatabaseError what the server refused
   * @throws ConnectionFault when there is no connection any more
   */
  async ask<Row>(statement: Statement): Promise<Result<Row>> {
    try {
      return (await new Promise<Result>((resolve, reject) => {
        this.#put({ statement, resolve, reject })
        this.#submit()
      })) as Result<Row>
    } catch (error) {
      // The driver's own stack ends at the socket.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }

  /**
   * Runs a statement of a transaction whose result nobody wants. It goes with the next one that is asked: fails it, so
   * does that one, or else the commit.
   */
  async send(statement: Statement): Promise<void> {
    this.#put({ statement, resolve: () => {}, reject: () => {} })
    if (this.#next.length >= SENT_MAX) await this.#settle()
  }

  /** For Kysely. */
  async executeQuery<Row>(query: CompiledQuery & HotQuery): Promise<QueryResult<Row>> {
    const { sql, parameters, name, isSent } = query
    const statement = { sql, parameters, name: this.#canKeep(name) ? name : undefined }
    if (isSent && this.#transaction !== 'none') {
      await this.send(statement)
      return { rows: [] }
    }
    const { command, rowCount, rows } = await this.ask<Row>(statement)
    return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount) } : { rows }
  }

  streamQuery(): never {
    throw new Error('Rows are not streamed from PostgreSQL.')
  }

  /** Begins a transaction with the first statement of it. */
  begin(sql = 'begin'): void {
    // What a session cannot be told behind a pooler is told in each transaction.
    const all = this.server.isPooled ? [sql, ...LIMITS_OF_TRANSACTION] : [sql]
    this.#opening = all.map((sql) => ({ sql, parameters: [] }))
    this.#transaction = 'meant'
  }

  /** @throws as `ask` does, also for what has been sent */
  async commit(): Promise<void> {
    const hasBegun = this.#transaction === 'begun'
    // First what has been sent: what is lost with a connection before the COMMIT can be done again.
    if (hasBegun) await this.#settle()
    const result = hasBegun ? await this.ask(COMMIT).catch(noteOfCommit) : undefined
    this.#transaction = 'none'
    // The server's answer where a statement has failed before.
    if (result?.command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  /** A connection that is lost meanwhile has rolled back, too. */
  async rollback(): Promise<void> {
    const isThere = this.#transaction === 'begun' && this.#next[0]?.statement !== this.#opening[0]
    for (const { reject } of this.#next.splice(0)) reject(new AbortedTransactionError())
    if (isThere) {
      await this.ask(ROLLBACK).catch(() => {
        this.isSpent = true
      })
    }
    this.#transaction = 'none'
  }

  onNotification(listener: (payload: string) => void): void {
    this.#client.on('notification', ({ processId, payload }) => {
      if (processId !== this.#client.processID) listener(payload ?? '')
    })
  }

  /** For Kysely: gives the connection back to the pool that set it. */
  release: (isBroken?: boolean) => void = () => this.close()

  /** Says goodbye, and does not wait for an answer for long. */
  close(): void {
    this.isSpent = true
    const timer = setTimeout(() => this.destroy(), CLOSE_MS_MAX).unref()
    void this.ended.then(() => clearTimeout(timer))
    this.#client.end().catch(() => {})
  }

  /** Cuts the connection; what waits for an answer fails. */
  destroy(reason = new Error(`The connection to ${this.server.name} was closed.`)): void {
    this.isSpent = true
    this.#client.connection.stream.destroy(reason)
  }

  async #begin(msMax: number): Promise<void> {
    const { server } = this
    const timer = setTimeout(() => {
      this.destroy(new ConnectionFault(`${server.name} did not answer within ${msMax} ms`, { code: '08001' }))
    }, msMax)
    try {
      await this.#client.connect()
      const { rows } = await this.query<Standing>(STANDING)
      const { pid, is_standby, is_read_only } = rows[0]!
      this.#isStandby = is_standby
      this.#isReadOnly = is_read_only
      // A pooler hands out numbers of its own.
      if (pid !== this.#client.processID) server.isPooled = true
      if (server.isPooled) for (const sql of SESSION_OF_POOLER) await this.query(sql)
    } catch (error) {
      if (this.#fault instanceof ConnectionFault) throw this.#fault
      // What the driver itself says has no code: the server hung up.
      if (typeof (error as { code?: unknown }).code === 'string') throw error
      throw new ConnectionFault((error as Error).message, { code: '08001', cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  #put(asked: Asked): void {
    if (this.#transaction === 'meant') {
      this.#transaction = 'begun'
      for (const statement of this.#opening) this.#put({ statement, resolve: () => {}, reject: () => {} })
    }
    this.#next.push(asked)
  }

  /** Behind a pooler the session that has parsed a statement is not the one that runs it. */
  #canKeep(name: string | undefined): boolean {
    if (name === undefined || this.server.isPooled) return false
    return this.#prepared.has(name) || this.#prepared.size < PREPARED_MAX
  }

  /** Waits for what has been sent. */
  #settle(): Promise<unknown> {
    const last = this.#next.at(-1)
    if (last === undefined) return Promise.resolve()
    return new Promise((resolve, reject) => {
      Object.assign(last, { resolve, reject })
      this.#submit()
    })
  }

  #submit(): void {
    if (this.#underWay || this.#next.length === 0) return
    const asked = this.#next
    this.#next = []
    const batch = new Batch(asked, {
      prepared: this.#prepared,
      parserOf,
      onProgress: () => this.#hearFrom(),
      onDone: (results) => this.#finish(asked, results),
      onFault: (error, at) => this.#fail(asked, error, at),
    })
    this.#underWay = batch
    this.#isUnreplicated = false
    this.askedMs = performance.now()
    this.#client.query(batch)
  }

  #hearFrom(): void {
    this.askedMs = performance.now()
    this.server.answeredMs = this.askedMs
  }

  #finish(asked: readonly Asked[], results: Result[]): void {
    this.#rest()
    const fault = this.#isUnreplicated && new ConnectionFault('A standby has not confirmed this.', { code: '08007' })
    for (const [i, { resolve, reject }] of asked.entries()) {
      if (fault) reject(fault)
      else resolve(results[i]!)
    }
    this.#submit()
  }

  #fail(asked: readonly Asked[], error: Error, at: number): void {
    this.#rest()
    const isAlone = this.#transaction === 'none' && error instanceof pg.DatabaseError
    const isOutdated = error instanceof pg.DatabaseError && isOutdatedPlan(error)
    // Parsed anew, each of them.
    if (isOutdated) this.#prepared.clear()
    const fault = isOutdated
      ? new ConnectionFault(error.message, { code: '40001', cause: error })
      : this.#faultOf(error)
    for (const [i, one] of asked.entries()) {
      // Outside a transaction the others have been undone with it, or have not been run: they are asked again.
      if (isAlone && (i !== at || isOutdated)) this.#next.push(one)
      else one.reject(fault)
    }
    this.#submit()
  }

  #rest(): void {
    this.#underWay = undefined
    this.askedMs = undefined
  }

  #faultOf(error: unknown): unknown {
    if (error instanceof ConnectionFault) return error
    if (error instanceof pg.DatabaseError) {
      this.server.answeredMs = performance.now()
      if (error.code === READ_ONLY) this.onReadOnly()
      if (ENDS_SESSION.test(error.code!)) this.isSpent = true
      return error
    }
    if (this.#fault === undefined && !this.isSpent) return error
    return new ConnectionFault(`The connection to ${this.server.name} was lost.`, { cause: this.#fault ?? error })
  }
}

const READ_ONLY = '25006'
/** The server is stopped, or has had enough of this session: it hangs up next. */
const ENDS_SESSION = /^(57P|25P03)/

/** What the driver has beside its types. */
type Client = pg.Client & {
  readonly processID: number | null
  readonly connection: { readonly stream: { destroy(reason?: Error): void } }
}

interface Standing {
  pid: number
  is_standby: boolean
  is_read_only: boolean
}

const STANDING = `select pg_backend_pid() as pid, pg_is_in_recovery() as is_standby,
  current_setting('transaction_read_only') = 'on' as is_read_only`

/** `synchronous_commit` may be stronger than `on` on the server, and is left alone there; `off` is refused at start. */
const SESSION = '-c timezone=UTC -c datestyle=ISO'

/** PgBouncer takes no options, but keeps these two for its client from transaction to transaction. */
const SESSION_OF_POOLER = [`set timezone = 'UTC'`, `set datestyle = 'ISO'`]

const LIMITS_OF_TRANSACTION = [
  `set local statement_timeout = ${STATEMENT_MS_MAX}`,
  `set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS_MAX}`,
]

const COMMIT = { sql: 'commit', parameters: [] }
const ROLLBACK = { sql: 'rollback', parameters: [] }
/** Commands that say how many rows they have changed. */
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function configOf({ url, isPooled }: Server): pg.ClientConfig {
  if (isPooled) return { connectionString: url }
  const withOptions = new URL(url)
  const given = withOptions.searchParams.get('options')
  // What an address says goes before what is handed over beside it.
  withOptions.searchParams.set('options', given === null ? SESSION : `${SESSION} ${given}`)
  return {
    connectionString: withOptions.href,
    statement_timeout: STATEMENT_MS_MAX,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
  }
}

/** As PgBouncer says no to what it does not pass on. */
function isRefusedParameter(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /unsupported startup parameter/.test(error.message)
}

/** After a change of the schema, or where sessions are swapped unnoticed: to be parsed again. */
function isOutdatedPlan({ code, routine }: pg.DatabaseError): boolean {
  return code === '26000' || routine === 'RevalidateCachedQuery'
}

/** Counts as numbers and times as ISO text, so that rows look the same as SQLite's. */
function parserOf(type: number): TypeParser | undefined {
  if (type === TYPE_INT8) return Number
  if (type === TYPE_TIMESTAMPTZ) return isoOfTimestamp
  const parser = pg.types.getTypeParser(type, 'text')
  return parser === TEXT_PARSER ? undefined : parser
}

const TEXT_PARSER = pg.types.getTypeParser(pg.types.builtins.TEXT, 'text')

/** `2026-05-14 09:30:00.12+00`, as PostgreSQL writes it in UTC, becomes `2026-05-14T09:30:00.120Z`. */
function isoOfTimestamp(text: string): string {
  const end = text.length - 3
  const fraction = end > 19 ? text.slice(20, end).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
