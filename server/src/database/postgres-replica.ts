/** Reads that may be a little old, from a standby that follows the primary. */
import type { KyselyPlugin } from 'kysely'
import type { Log } from '../log.ts'
import { readPostgresUrl } from '../text/postgres-url.ts'
import type { Reads, Replica } from './engine.ts'
import { PostgresPool } from './postgres-pool.ts'

/** A replica further behind is not read from. */
const BEHIND_MS_MAX = 10_000
const LOOK_EVERY_MS = 1_000
/** One that has failed is let be for so long: meanwhile nobody waits for it. */
const REST_MS = 5_000

/**
 * How long ago the newest change was made that the replica has. Kith's own processes leave signs of life in the database
 * all the time, so that a primary without a change is one that the replica is parted from.
 */
const STATE = `select (case when pg_is_in_recovery() then coalesce(
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000, 0
  ) else 0 end)::double precision as behind_ms`

export class PostgresReplica implements Replica {
  readonly #pool: PostgresPool
  readonly #reads: Reads
  readonly #log: Log | undefined
  #looking: Promise<boolean> | undefined
  #lookAtMs = 0
  #isFresh = false
  #isAway = false

  constructor({ url, connectionsMax, plugins, log }: ReplicaOptions) {
    const { servers, attrs = 'prefer-standby' } = readPostgresUrl(url)!
    this.#pool = new PostgresPool({ servers, attrs, connectionsMax })
    const read = this.#pool.kysely(plugins)
    this.#reads = { read, slow: read }
    this.#log = log
  }

  async attempt<T>(work: (reads: Reads) => Promise<T>): Promise<{ value: T } | undefined> {
    try {
      if (!(await this.#isFit())) return undefined
      return { value: await work(this.#reads) }
    } catch (err) {
      this.#rest(err)
      return undefined
    }
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  /** Those that ask while somebody looks wait for what that shows. */
  async #isFit(): Promise<boolean> {
    if (performance.now() < this.#lookAtMs) return this.#isFresh
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<boolean> {
    const { behindMs } = await replicaState(this.#pool)
    this.#isFresh = behindMs <= BEHIND_MS_MAX
    this.#lookAtMs = performance.now() + LOOK_EVERY_MS
    this.#isAway = false
    return this.#isFresh
  }

  #rest(err: unknown): void {
    this.#isFresh = false
    this.#lookAtMs = performance.now() + REST_MS
    if (!this.#isAway) this.#log?.warn({ err }, 'The read replica cannot be read from; the primary answers for it.')
    this.#isAway = true
  }
}

/** @throws Error when it cannot be asked */
export async function replicaState(pool: PostgresPool): Promise<{ server: string; behindMs: number }> {
  const link = await pool.connect()
  try {
    const { rows } = await link.query<{ behind_ms: number }>(STATE)
    return { server: link.server.name, behindMs: rows[0]!.behind_ms }
  } finally {
    link.release()
  }
}

export interface ReplicaOptions {
  url: string
  connectionsMax: number
  plugins: KyselyPlugin[]
  log?: Log
}
