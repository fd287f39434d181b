import { LANE_IMPORT } from '../actor.ts'
import type { Lease } from './lease-store.ts'
import { type ReadyDelivery, ReadyScan } from './ready-scan.ts'
import type { Target } from './target.ts'

/** Sendings at once that a subscription begins with; the number then follows how its receiver answers. */
const FIRST_WINDOW = 8

/** A subscription while this process works it, from taking its lease to giving it back. */
export class Turn {
  readonly lease: Lease
  readonly scan: ReadyScan
  /** Null while it is paused or deleted. */
  target: Target | null = null
  /** Deliveries that are being sent or whose outcome is not yet recorded. */
  readonly taken = new Set<string>()
  /** Found ready and not yet taken, in the order in which they are to go. */
  ahead: ReadyDelivery[] = []
  /** Whether more may be ready than what is taken or ahead. */
  mayHaveMore = true
  /** It is to be given back once nothing of it is taken. */
  isLeaving = false
  /** When it last had something to send, by the monotonic clock. */
  workedAtMs = performance.now()
  readonly #windowMax: number
  #window: number
  #sending = 0
  #sendingImports = 0

  constructor(lease: Lease, windowMax: number) {
    this.lease = lease
    this.scan = new ReadyScan({ org_id: lease.org_id, subscription_id: lease.subscription_id })
    this.#windowMax = windowMax
    this.#window = Math.min(FIRST_WINDOW, windowMax)
  }

  get isIdle(): boolean {
    return this.taken.size === 0
  }

  /** Whether it has something to send, as far as is known. */
  get hasMore(): boolean {
    return this.mayHaveMore || this.ahead.length > 0
  }

  get sending(): number {
    return this.#sending
  }

  /** How many more sendings may begin. */
  get room(): number {
    return this.#window - this.#sending
  }

  /** How many of them may be an import's: a quarter of the window is kept for what people do meanwhile. */
  get roomForImports(): number {
    return Math.min(this.room, Math.max(1, Math.floor((this.#window * 3) / 4)) - this.#sendingImports)
  }

  /** Something has become ready: what is live goes before imports that were found earlier. */
  expectMore(): void {
    this.mayHaveMore = true
    if (this.ahead.at(-1)?.lane === LANE_IMPORT) this.ahead = []
  }

  begin(id: string, lane: number): void {
    this.taken.add(id)
    this.workedAtMs = performance.now()
    this.#sending++
    if (lane === LANE_IMPORT) this.#sendingImports++
  }

  end(lane: number): void {
    this.#sending--
    if (lane === LANE_IMPORT) this.#sendingImports--
  }

  /**
   * Widens the window by one for an answer and halves it where none came, so that a receiver that hangs soon holds one
   * connection and not sixteen.
   */
  learn(wasAnswered: boolean): void {
    this.#window = wasAnswered ? Math.min(this.#window + 1, this.#windowMax) : Math.max(1, Math.floor(this.#window / 2))
  }
}
