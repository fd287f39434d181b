/** One connection to one PostgreSQL server, or to a pooler in front of one. */
import pg from 'pg'
import type { ServerAddress, SessionAttrs } from '../text/postgres-url.ts'

const STATEMENT_MS_MAX = 30_000
const IDLE_IN_TRANSACTION_MS_MAX = 30_000
/** A closed connection is cut when the server does not close its side. */
const CLOSE_MS_MAX = 1_000
const KEEP_ALIVE_MS = 10_000

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

export interface LinkOptions {
  /** Shown in `pg_stat_activity`. */
  application: string
  /** For connecting, signing in and the first question. */
  msMax: number
}

export class PostgresLink {
  readonly server: Server
  /** When the statement under way was sent, on the monotonic clock; undefined while there is none. */
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
  #asking = 0
  #fault: Error | undefined

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
      types: { getTypeParser },
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

  /**
   * @throws DatabaseError what the server refused
   * @throws ConnectionFault when there is no connection any more
   */
  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult<Row>> {
    if (this.#asking++ === 0) this.askedMs = performance.now()
    this.#isUnreplicated = false
    try {
      const text = this.server.isPooled && BEGIN.test(sql) ? sql + LIMITS_OF_TRANSACTION : sql
      const result = await this.#client.query(text, parameters as unknown[])
      this.server.answeredMs = performance.now()
      if (this.#isUnreplicated) throw new ConnectionFault('A standby has not confirmed this.', { code: '08007' })
      return result as unknown as QueryResult<Row>
    } catch (error) {
      throw this.#faultOf(error)
    } finally {
      this.askedMs = --this.#asking === 0 ? undefined : performance.now()
    }
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
      if (server.isPooled) await this.query(SESSION_OF_POOLER)
    } catch (error) {
      if (this.#fault instanceof ConnectionFault) throw this.#fault
      // What the driver itself says has no code: the server hung up.
      if (typeof (error as { code?: unknown }).code === 'string') throw error
      throw new ConnectionFault((error as Error).message, { code: '08001', cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  #faultOf(error: unknown): unknown {
    if (error instanceof ConnectionFault) return error
    if (error instanceof pg.DatabaseError) {
      this.server.answeredMs = performance.now()
      if (error.code === READ_ONLY) this.onReadOnly()
      return error
    }
    if (this.#fault === undefined && !this.isSpent) return error
    return new ConnectionFault(`The connection to ${this.server.name} was lost.`, { cause: this.#fault ?? error })
  }
}

const READ_ONLY = '25006'

/** What the driver has beside its types. */
type Client = pg.Client & {
  readonly processID: number | null
  readonly connection: { readonly stream: { destroy(reason?: Error): void } }
}

interface QueryResult<Row> {
  command: 'UPDATE' | 'DELETE' | 'INSERT' | 'SELECT' | 'MERGE' | 'COMMIT' | 'ROLLBACK'
  rowCount: number
  rows: Row[]
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
const SESSION_OF_POOLER = `set timezone = 'UTC'; set datestyle = 'ISO'`

const BEGIN = /^(begin|start transaction)\b/

const LIMITS_OF_TRANSACTION = `; set local statement_timeout = ${STATEMENT_MS_MAX};
  set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS_MAX}`

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

/** Counts as numbers and times as ISO text, so that rows look the same as SQLite's. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === TYPE_INT8) return Number
  if (oid === TYPE_TIMESTAMPTZ) return isoOfTimestamp
  return pg.types.getTypeParser(oid, format as 'text')
}

/** `2026-05-14 09:30:00.12+00`, as PostgreSQL writes it in UTC, becomes `2026-05-14T09:30:00.120Z`. */
function isoOfTimestamp(text: string): string {
  const end = text.length - 3
  const fraction = end > 19 ? text.slice(20, end).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}
