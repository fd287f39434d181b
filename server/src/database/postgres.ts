/** PostgreSQL through a pool: any number of processes on one database. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, KyselyPlugin } from 'kysely'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'
import { readPostgresUrl } from '../text/postgres-url.ts'
import type { ConnectionCounts, Database, Replica } from './engine.ts'
import { isAway, isConflict, unavailable } from './faults.ts'
import { HintBoard, hintsOf } from './hints.ts'
import { pendingMigrations } from './migrate.ts'
import { PostgresHints } from './postgres-hints.ts'
import { isOfCommit, type PostgresLink } from './postgres-link.ts'
import { PostgresPool } from './postgres-pool.ts'
import { PostgresReplica } from './postgres-replica.ts'
import type { Reader, Tables, Tx } from './schema.ts'

const ATTEMPTS_MAX = 5
/** Nobody is made to wait for another attempt after that. */
const ATTEMPTS_MS_MAX = 5_000
/** Any number will do, as long as every process takes the same one: it keeps migrations from running twice. */
const MIGRATION_LOCK = 5_214_551

export interface PostgresOptions {
  /** May name several servers: the one that takes writes is used. */
  url: string
  /** Of servers for reads that may be old. */
  readUrl?: string | null
  connectionsMax: number
  plugins: KyselyPlugin[]
  log?: Log
}

/** @throws StartError when the server is unfit or its database newer than this program */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const { url, readUrl, connectionsMax, log } = options
  const { servers, attrs = 'read-write' } = readPostgresUrl(url)!
  const pool = new PostgresPool({ servers, attrs, connectionsMax, log })
  try {
    const link = await pool.connect().catch((error) => {
      throw openingFault(error)
    })
    try {
      await checkServer(link)
      await migrate(link)
    } finally {
      link.release(link.isUnlimited)
    }
  } catch (error) {
    await pool.end()
    throw error
  }
  return new PostgresDatabase(pool, readUrl ? new PostgresReplica({ ...options, url: readUrl }) : undefined, options)
}

/** What the system or the server answered is for the operator. */
function openingFault(error: unknown): unknown {
  const { message, code } = error as { message?: string; code?: unknown }
  if (typeof code !== 'string') return error
  const sentence =
    code === '25006'
      ? `KITH_DATABASE_URL names no server that takes writes: ${message} ` +
        'Name the primary in it; a standby can stand beside it, and in KITH_DATABASE_READ_URL.'
      : `The database cannot be opened: ${message || code}.`
  return new StartError(sentence, { cause: error })
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly read: Kysely<Tables>
  readonly slow: Kysely<Tables>
  readonly replica: (Replica & { close(): Promise<void> }) | undefined
  readonly #pool: PostgresPool
  readonly #hints = new HintBoard()
  readonly #wire: PostgresHints
  readonly #unlisten: () => void
  readonly #writing = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(pool: PostgresPool, replica: PostgresReplica | undefined, { plugins }: Pick<PostgresOptions, 'plugins'>) {
    this.#pool = pool
    this.replica = replica
    this.read = pool.kysely(plugins, true)
    this.slow = pool.kysely(plugins)
    this.#wire = new PostgresHints(pool)
    this.#unlisten = this.#wire.listen((topics) => this.#hints.tell(topics))
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(unavailable())
    const write = this.#write(work).finally(() => this.#writing.delete(write))
    this.#writing.add(write)
    return write
  }

  async #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const attemptsEndMs = performance.now() + ATTEMPTS_MS_MAX
    for (let attempt = 1; ; attempt++) {
      let hints: Iterable<string> = []
      try {
        // Said each time: a session's default may be another, and is lost behind a pooler.
        const transaction = this.read.transaction().setIsolationLevel('read committed')
        const result = await transaction.execute(async (tx) => {
          const value = await work(tx)
          hints = hintsOf(tx)
          return value
        })
        this.#hints.tell(hints)
        this.#wire.tell(hints)
        return result
      } catch (error) {
        const isAgain = isConflict(error) || (isAway(error) && !isOfCommit(error))
        const isLast = attempt >= ATTEMPTS_MAX || performance.now() > attemptsEndMs
        if (!isAgain || isLast) throw isAgain || isAway(error) ? unavailable(error) : error
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

  connections(): ConnectionCounts {
    return this.#pool.counts
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#writing)
    this.#unlisten()
    await this.#wire.close()
    // Kysely would end them only if they had run a query.
    await Promise.all([this.#pool.end(), this.replica?.close()])
  }
}

async function checkServer(link: PostgresLink): Promise<void> {
  const faults = await serverFaults(link)
  if (faults.length > 0) throw new StartError(`This PostgreSQL cannot hold Kith's data. ${faults.join(' ')}`)
}

/** Why a PostgreSQL cannot be relied on: a sentence for each reason, with what to set. */
export async function serverFaults(link: PostgresLink): Promise<string[]> {
  const { rows } = await link.query<Record<string, string> & { version: number }>(
    `select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit, getdatabaseencoding() as encoding`,
  )
  const { version, fsync, synchronous_commit: commit, encoding } = rows[0]!
  return [
    !link.fits('read-write') && 'It takes no writes, as a standby does: name the primary in KITH_DATABASE_URL.',
    version < 140_000 && `PostgreSQL 14 or newer is needed; this is ${Math.floor(version / 10_000)}.`,
    fsync === 'off' && 'Its setting fsync is off: a power cut would lose the database. Set fsync = on.',
    commit === 'off' &&
      'Its setting synchronous_commit is off: acknowledged writes could be lost. Set synchronous_commit = on.',
    encoding !== 'UTF8' && `Its encoding is ${encoding}: create the database with ENCODING 'UTF8'.`,
  ].filter((fault) => fault !== false)
}

async function migrate(link: PostgresLink): Promise<void> {
  // Others wait for this one, and what it does to a large table takes its time.
  link.isUnlimited = true
  try {
    link.begin()
    await link.query('set local statement_timeout = 0')
    // Released with the transaction, so this works through a transaction pooler too.
    await link.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await link.query('create table if not exists schema_version (version integer not null)')
    const { rows } = await link.query<{ version: number }>('select version from schema_version')
    for (const migration of pendingMigrations(rows[0]?.version ?? 0)) {
      for (const statement of migration.postgres) await link.query(statement)
      await link.query('delete from schema_version')
      await link.query('insert into schema_version values ($1)', [migration.version])
    }
    await link.commit()
    link.isUnlimited = false
  } catch (error) {
    await link.rollback()
    throw error
  }
}
