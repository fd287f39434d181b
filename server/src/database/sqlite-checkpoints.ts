/** Moves SQLite's log into the database file, on a thread, so that nothing of that holds the event loop. */
import { SqliteThread } from './sqlite-thread.ts'

const EVERY_MS = 500
/** A log that is longer begins again at its start: under constant writes it never would by itself. */
const LOG_BYTES_MAX = 64 * 2 ** 20
/** What was deleted stands in the log until it is emptied: when writers pause, and at the latest after so long. */
const EMPTY_MS_MAX = 30_000
/** In the last of them there is usually nothing left that was written meanwhile. */
const ROUNDS_BEFORE = 3
const PAGE_BYTES = 4096

/**
 * A checkpoint beside writers holds nobody up, but for the log to begin again, or to be emptied, all of them wait. So it
 * begins again most of the time: of 100 MB emptying takes 30 to 65 ms more, in which the file system takes the space
 * back. And first what was written meanwhile is moved a few times more: only when nobody has written beside it does a
 * checkpoint sync what it and those before it have moved (50 ms), else that is left to the one that all wait for.
 *
 * With that and smaller pages of the search, 99 of 100 requests beside an import took at most 35 to 47 ms, not 92 to 110.
 *
 * @see docs/decisions/0014-imports-on-the-event-loop.md
 */
export class SqliteCheckpoints {
  /** Writers wait for this. */
  passed: Promise<void> | undefined
  readonly #thread: SqliteThread
  readonly #logBytesMax: number
  readonly #emptyMsMax: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isQuiet = true
  /** When the first was written that is in the log; undefined when that is empty. */
  #filledAtMs: number | undefined

  constructor(database: string, { logBytesMax = LOG_BYTES_MAX, emptyMsMax = EMPTY_MS_MAX } = {}) {
    this.#thread = new SqliteThread(database)
    this.#logBytesMax = logBytesMax
    this.#emptyMsMax = emptyMsMax
  }

  /** Called after each commit. */
  due(): void {
    this.#isQuiet = false
    this.#filledAtMs ??= performance.now()
    this.#schedule()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
    await this.#thread.close()
  }

  #schedule(): void {
    if (this.#timer || this.#running) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#running = this.#run().finally(() => {
        this.#running = undefined
      })
    }, EVERY_MS)
    this.#timer.unref()
  }

  async #run(): Promise<void> {
    const isQuiet = this.#isQuiet
    this.#isQuiet = true
    try {
      const { log } = await this.#checkpoint('passive')
      const isOld = performance.now() - this.#filledAtMs! > this.#emptyMsMax
      const isLong = log * PAGE_BYTES > this.#logBytesMax
      if (isQuiet) await this.#whileWritersWait('truncate')
      else if (isOld || isLong) {
        for (let round = 0; round < ROUNDS_BEFORE; round++) await this.#checkpoint('passive')
        await this.#whileWritersWait(isOld ? 'truncate' : 'restart')
      }
      // Once more after the last commit, to see whether it has become quiet.
      if (this.#filledAtMs !== undefined) setImmediate(() => this.#schedule())
    } catch {
      // The disk is full or away: writers meet the same fault and report it; the next commit asks again.
    }
  }

  async #whileWritersWait(mode: 'restart' | 'truncate'): Promise<void> {
    const done = this.#checkpoint(mode).then(({ busy }) => {
      // Somebody may be reading what is in it.
      if (mode === 'truncate' && busy === 0) this.#filledAtMs = undefined
    })
    this.passed = done.catch(() => {})
    await this.passed
    this.passed = undefined
    await done
  }

  async #checkpoint(mode: 'passive' | 'restart' | 'truncate'): Promise<{ busy: number; log: number }> {
    const [row] = await this.#thread.run(`pragma wal_checkpoint(${mode})`)
    return row as { busy: number; log: number }
  }
}
