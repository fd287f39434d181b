/** What the rest of the program sees of a database, whichever engine it is. */
import { PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import type { HintListener } from './hints.ts'
import type { Reader, Tables, Tx } from './schema.ts'

export type { Reader, Tx } from './schema.ts'

/** Where to read from. */
export interface Reads {
  /** Quick reads. On SQLite they run on the event loop: for what an index answers. */
  readonly read: Reader
  /** Reads that may take long: searches, deep pages, exports. On SQLite a worker thread runs them. */
  readonly slow: Reader
}

/** A copy of the database that may be some seconds old. */
export interface Replica {
  /** @returns what `work` has read; undefined when the copy is away or too old, so that it is to be read elsewhere */
  attempt<T>(work: (reads: Reads) => Promise<T>): Promise<{ value: T } | undefined>
}

/** Connections of one process to PostgreSQL. */
export interface ConnectionCounts {
  inUse: number
  idle: number
  /** Whoever waits for one. */
  waiting: number
  max: number
}

export interface Database extends Reads {
  readonly engine: 'sqlite' | 'postgres'
  /** For reads that may be old, where the operator has set one up. */
  readonly replica?: Replica | undefined
  /**
   * Runs `work` in a transaction, durable when the promise resolves.
   *
   * `work` awaits SQL and nothing else, and may be run again after a conflict, so it changes nothing outside the
   * database.
   *
   * @throws what `work` throws, after rolling back
   * @throws ApiError `unavailable` when the database cannot commit now; after a lost COMMIT the outcome is unknown
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs `work` on the database as it is now, whatever is written meanwhile. Writers do not wait for it, but it holds
   * on to old versions of what they change.
   */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>
  /** Calls `listener` with a topic after a commit that hinted at it. @returns what ends the listening */
  onHint(listener: HintListener): () => void
  /** Where there is a pool of connections. */
  connections?(): ConnectionCounts
  close(): Promise<void>
}

export function isPostgres(db: Reader): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Locks the rows that the query finds until the transaction ends. SQLite has one writer and needs no lock. */
export function forUpdate<From extends keyof Tables, Row>(
  tx: Tx,
  query: SelectQueryBuilder<Tables, From, Row>,
): SelectQueryBuilder<Tables, From, Row> {
  return isPostgres(tx) ? query.forUpdate() : query
}
