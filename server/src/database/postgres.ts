/** PostgreSQL through a pool: any number of processes on one database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, type KyselyPlugin, PostgresDialect } from 'kysely'
import pg from 'pg'
import { StartError } from '../start-error.ts'
import type { Database } from './engine.ts'
import { isAway, isConflict, unavailable } from './faults.ts'
import { HintBoard, hintsOf } from './hints.ts'
import { pendingMigrations } from './migrate.ts'
import { PostgresHints } from './postgres-hints.ts'
import type { Reader, Tables, Tx } from './schema.ts'

const ATTEMPTS_MAX = 5
const CONNECT_MS_MAX = 5_000
const STATEMENT_MS_MAX = 30_000
const IDLE_IN_TRANSACTION_MS_MAX = 30_000
/** Any number will do, as long as every process takes the same one: it keeps migrations from running twice. */
const MIGRATION_LOCK = 5_214_551

const TYPE_INT8 = 20
const TYPE_TIMESTAMPTZ = 1184

export interface PostgresOptions {
  url: string
  connectionsMax: number
  plugins: KyselyPlugin[]
}

/** @throws StartError when the server is unfit or its database newer than this program */
export async function openPostgresDatabase({ url, connectionsMax, plugins }: PostgresOptions): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    application_name: 'kith',
    types: { getTypeParser },
    options: SESSION,
    statement_timeout: STATEMENT_MS_MAX,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
  })
  // An idle connection that breaks is dropped by the pool; whoever needs one next gets another.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await checkServer(pool)
    await migrate(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  return new PostgresDatabase(pool, new PostgresHints(url), plugins)
}

/** `synchronous_commit` may be stronger than `on` on the server, and is left alone there; `off` is refused below. */
const SESSION = '-c timezone=UTC -c datestyle=ISO -c default_transaction_isolation=read\\ committed'

class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly read: Kysely<Tables>
  readonly slow: Kysely<Tables>
  readonly #pool: pg.Pool
  readonly #hints = new HintBoard()
  readonly #wire: PostgresHints
  readonly #unlisten: () => void
  readonly #writing = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(pool: pg.Pool, wire: PostgresHints, plugins: KyselyPlugin[]) {
    this.#pool = pool
    this.read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins })
    this.slow = this.read
    this.#wire = wire
    this.#unlisten = wire.listen((topics) => this.#hints.tell(topics))
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(unavailable())
    const write = this.#write(work).finally(() => this.#writing.delete(write))
    this.#writing.add(write)
    return write
  }

  async #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let isCommitting = false
      let hints: Iterable<string> = []
      try {
        const result = await this.read.transaction().execute(async (tx) => {
          const value = await work(tx)
          hints = hintsOf(tx)
          isCommitting = true
          return value
        })
        this.#hints.tell(hints)
        this.#wire.tell(hints)
        return result
      } catch (error) {
        const isAgain = isConflict(error) || (isAway(error) && !isCommitting)
        if (!isAgain || attempt >= ATTEMPTS_MAX) throw isAgain || isAway(error) ? unavailable(error) : error
      }
      await sleep(2 ** attempt * 5 * (1 + Math.random()))
    }
  }

  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.read.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
  }

  onHint(listener: (topic: string) => void): () => void {
    return this.#hints.listen(listener)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#writing)
    this.#unlisten()
    await this.#wire.close()
    // Kysely would end it only if it had run a query.
    await this.#pool.end()
  }
}

async function checkServer(pool: pg.Pool): Promise<void> {
  const faults = await serverFaults(pool)
  if (faults.length > 0) throw new StartError(`This PostgreSQL cannot hold Kith's data. ${faults.join(' ')}`)
}

/** Why a PostgreSQL cannot be relied on: a sentence for each reason, with what to set. */
export async function serverFaults(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await db.query(
    `select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit, getdatabaseencoding() as encoding`,
  )
  const { version, fsync, synchronous_commit: commit, encoding } = rows[0]
  return [
    version < 140_000 && `PostgreSQL 14 or newer is needed; this is ${Math.floor(version / 10_000)}.`,
    fsync === 'off' && 'Its setting fsync is off: a power cut would lose the database. Set fsync = on.',
    commit === 'off' &&
      'Its setting synchronous_commit is off: acknowledged writes could be lost. Set synchronous_commit = on.',
    encoding !== 'UTF8' && `Its encoding is ${encoding}: create the database with ENCODING 'UTF8'.`,
  ].filter((fault) => fault !== false)
}

async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    // Released with the transaction, so this works through a transaction pooler too.
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query('create table if not exists schema_version (version integer not null)')
    const { rows } = await client.query('select version from schema_version')
    for (const migration of pendingMigrations(rows[0]?.version ?? 0)) {
      for (const statement of migration.postgres) await client.query(statement)
      await client.query('delete from schema_version')
      await client.query('insert into schema_version values ($1)', [migration.version])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
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
