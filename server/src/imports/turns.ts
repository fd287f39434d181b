import { setTimeout as rest } from 'node:timers/promises'
import type { Database } from '../database/engine.ts'

const BATCH_ROWS_MAX = 256
const BATCH_ROWS_MIN = 16
const BATCH_MS = 12
const WORK_MS_MAX = 120
const REST_MS = 10

/**
 * Does long work in batches, so that others hardly notice. On SQLite a batch holds the event loop, and the lock that
 * other processes write with, until it is committed.
 *
 * What counts is the processor time of the event loop's thread: waiting for the disk, or for a processor that others
 * use, does not get shorter with fewer rows, and many small commits cost more than few.
 */
export class Turns {
  readonly #isSqlite: boolean
  #rowsMax = BATCH_ROWS_MIN
  #begunMs = 0
  #restedAt = performance.now()

  constructor(engine: Database['engine']) {
    this.#isSqlite = engine === 'sqlite'
  }

  /** How many rows the next batch is to have: what the time was enough for before, commit included. */
  get rowsMax(): number {
    return this.#isSqlite ? this.#rowsMax : BATCH_ROWS_MAX
  }

  /** Called in the transaction, since it may have to wait for its turn. */
  begin(): void {
    this.#begunMs = threadMs()
  }

  /** Whether the batch is to end, however many rows are left. */
  get isUp(): boolean {
    return this.#isSqlite && threadMs() - this.#begunMs >= BATCH_MS
  }

  /** Called when a batch is committed. */
  end(rows: number): void {
    const tookMs = threadMs() - this.#begunMs
    // The few rows at the end of a file tell nothing about a full batch.
    if (rows < this.#rowsMax && tookMs < BATCH_MS) return
    const fitting = Math.round((rows * BATCH_MS) / tookMs)
    this.#rowsMax = Math.min(Math.max(fitting, BATCH_ROWS_MIN), 2 * this.#rowsMax, BATCH_ROWS_MAX)
  }

  /** Between two batches. Other processes can write to a SQLite database too: they wait for a gap. */
  async next(): Promise<void> {
    if (!this.#isSqlite || performance.now() - this.#restedAt < WORK_MS_MAX) return
    await rest(REST_MS)
    this.#restedAt = performance.now()
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
