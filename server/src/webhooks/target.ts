import { now, toIso } from '../clock.ts'
import type { SubscriptionTable } from '../database/schema.ts'
import { secretContext } from './actions.ts'
import type { LeaseKey } from './lease-store.ts'
import { openText } from './secret-box.ts'

export type TargetRow = LeaseKey &
  Pick<SubscriptionTable, 'url' | 'secret' | 'previous_secret' | 'previous_secret_until' | 'paused_at' | 'deleted_at'>

/** Where a subscription's deliveries go and what they are signed with. */
export class Target {
  readonly url: string
  /** Undefined when it does not open; `fault` then says why, and nothing can be sent. */
  readonly secret: string | undefined
  readonly fault: unknown
  readonly #row: TargetRow
  readonly #replaced: { secret: string; until: string } | undefined

  constructor(key: Uint8Array, row: TargetRow) {
    const { previous_secret: previous, previous_secret_until: until } = row
    const open = (sealed: Uint8Array) => openText(key, sealed, secretContext(row.org_id, row.subscription_id))
    this.url = row.url
    this.#row = row
    try {
      this.#replaced = previous !== null && until !== null ? { secret: open(previous), until } : undefined
      this.secret = open(row.secret)
    } catch (err) {
      this.fault = err
    }
  }

  /** The secret that was replaced, while it goes on. */
  replacedSecret(): string | undefined {
    return this.#replaced && toIso(now()) < this.#replaced.until ? this.#replaced.secret : undefined
  }

  /** Whether the row would make the same target. */
  fits(row: TargetRow): boolean {
    const { url, secret, previous_secret: previous, previous_secret_until: until } = this.#row
    return (
      row.url === url &&
      row.previous_secret_until === until &&
      isSame(row.secret, secret) &&
      isSame(row.previous_secret, previous)
    )
  }
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0)
}
