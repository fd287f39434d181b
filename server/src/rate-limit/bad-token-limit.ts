import { ApiError } from '../http/errors.ts'

const MINUTE_MS = 60_000
const ADDRESSES_MAX = 100_000

/** Counts tokens of no key by address, a minute at a time; good tokens from the same address are not looked at. */
export class BadTokenLimit {
  readonly #perMinute: number
  readonly #counts = new Map<string, number>()
  #endsAt = 0

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** @throws ApiError `rate_limited` from the first one over the limit until the minute is over */
  count(address: string): void {
    const at = performance.now()
    if (at >= this.#endsAt) {
      this.#counts.clear()
      this.#endsAt = at + MINUTE_MS
    }
    const count = (this.#counts.get(address) ?? 0) + 1
    if (this.#counts.size < ADDRESSES_MAX || count > 1) this.#counts.set(address, count)
    if (count <= this.#perMinute) return
    throw new ApiError('rate_limited', 'Too many unknown tokens came from this address.', {
      headers: { 'retry-after': String(Math.ceil((this.#endsAt - at) / 1000)) },
    })
  }
}
