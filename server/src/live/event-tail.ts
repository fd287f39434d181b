import type { Database } from '../database/engine.ts'
import { type EventMark, eventsAfter, eventsOf, newestEvents } from './store.ts'

const BATCH_MAX = 1_000
/** PostgreSQL hands numbers out before the commit: one that was skipped may still turn up, for so long. */
const LATE_MS_MAX = 30_000
/** Of the numbers before the start, those that may still turn up. */
const LOOK_BACK = 200
const MISSING_MAX = 5_000

/** Reads the events that are committed from now on, by whichever process, each once. */
export class EventTail {
  readonly #db: Database
  #last: number
  /** Numbers that were skipped, with when they are given up. */
  readonly #missing = new Map<number, number>()

  static async start(db: Database): Promise<EventTail> {
    const seqs = (await newestEvents(db.read, { max: LOOK_BACK })).map(({ seq }) => seq).reverse()
    const tail = new EventTail(db, seqs[0] ?? 0)
    for (const seq of seqs) tail.#pass(seq)
    return tail
  }

  private constructor(db: Database, last: number) {
    this.#db = db
    this.#last = last
  }

  /** @returns what is new, at most a batch of it and then what came late */
  async next(): Promise<EventMark[]> {
    const late = await this.#late()
    const fresh = await eventsAfter(this.#db.read, { seq: this.#last, max: BATCH_MAX })
    for (const { seq } of fresh) this.#pass(seq)
    return [...late, ...fresh]
  }

  async #late(): Promise<EventMark[]> {
    const nowMs = performance.now()
    for (const [seq, untilMs] of this.#missing) if (untilMs <= nowMs) this.#missing.delete(seq)
    if (this.#missing.size === 0) return []
    const late = await eventsOf(this.#db.read, [...this.#missing.keys()])
    for (const { seq } of late) this.#missing.delete(seq)
    return late
  }

  /** SQLite has one writer, so that a number that was skipped there never turns up. */
  #pass(seq: number): void {
    const isLateOne = this.#db.engine === 'postgres'
    for (let skipped = this.#last + 1; isLateOne && skipped < seq && this.#missing.size < MISSING_MAX; skipped++) {
      this.#missing.set(skipped, performance.now() + LATE_MS_MAX)
    }
    this.#last = seq
  }
}
