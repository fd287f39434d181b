/**
 * Does something dear for a tenth of the time at most, and something cheap as often as it is asked for.
 *
 * On PostgreSQL an index keeps what has ended for as long as some snapshot may still want to see it: while a backup
 * runs, whoever looks from the index's beginning goes through all that has ended since the backup began.
 */
const CHEAP_MS = 20
const REST_FACTOR = 9

export class Seldom {
  #dueAtMs = 0

  /** Whether it may be done now. */
  get isDue(): boolean {
    return performance.now() >= this.#dueAtMs
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    const result = await work()
    const endedMs = performance.now()
    const tookMs = endedMs - startedMs
    this.#dueAtMs = tookMs > CHEAP_MS ? endedMs + tookMs * REST_FACTOR : 0
    return result
  }
}
