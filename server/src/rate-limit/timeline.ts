/**
 * The clock of the window. Nodes have to agree on it, and no change of a machine's clock may move it: on PostgreSQL it
 * is the database's, on SQLite the wall clock at the start; in between, the monotonic clock carries it on.
 */
import { now } from '../clock.ts'
import { isPostgres, type Tx } from '../database/engine.ts'
import { lockWindow } from './store.ts'

/** For tests: what stands in for the machine's clocks. */
export interface TimeSources {
  monotonicMs(): number
  /** Instead of PostgreSQL's own clock. */
  databaseMs?(): number
}

/** The window's time as it was read in a transaction, somewhen after `startMs` on the monotonic clock. */
export interface Reading {
  nowMs: number
  startMs: number
}

export class Timeline {
  readonly #sources: TimeSources
  readonly #startOffsetMs: number
  /** Window's clock minus monotonic clock: the true difference lies between the two. */
  #offsetMsMin: number
  #offsetMsMax: number

  constructor(sources: TimeSources) {
    this.#sources = sources
    this.#startOffsetMs = now() - sources.monotonicMs()
    this.#offsetMsMin = this.#startOffsetMs
    this.#offsetMsMax = this.#startOffsetMs
  }

  monotonicMs(): number {
    return this.#sources.monotonicMs()
  }

  /** The latest that it can be, in whole milliseconds: requests are counted as of then, so never too early. */
  latestMs(monotonicMs: number): number {
    return Math.ceil(this.#offsetMsMax + monotonicMs)
  }

  /** The earliest that it can be: what is promised for a time is promised as of then. */
  earliestMs(monotonicMs: number): number {
    return Math.floor(this.#offsetMsMin + monotonicMs)
  }

  /** Reads the time for a change of the org's window, which on PostgreSQL is then locked. */
  async read(tx: Tx, orgId: string): Promise<Reading> {
    const startMs = this.monotonicMs()
    if (!isPostgres(tx)) return { nowMs: Math.floor(this.#startOffsetMs + startMs), startMs }
    const lockedAtMs = await lockWindow(tx, orgId)
    const databaseMs = this.#sources.databaseMs?.() ?? lockedAtMs
    this.#offsetMsMax = databaseMs - startMs
    this.#offsetMsMin = databaseMs - this.monotonicMs()
    return { nowMs: Math.floor(databaseMs), startMs }
  }
}
