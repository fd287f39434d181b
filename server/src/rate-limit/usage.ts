/** How many requests each token made in each minute: gathered in memory and written now and then, for the chart. */
import { now } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { addUsage, eraseUsageBefore, type UsageCount } from './usage-store.ts'

const MINUTE_MS = 60_000
const KEPT_MINUTES = 2 * 24 * 60
const ERASE_EVERY_MINUTES = 60

interface Asker {
  orgId: string
  tokenId: string
}

export class Usage {
  #counts = new Map<string, UsageCount>()
  #erasedAt = 0

  note({ orgId, tokenId }: Asker, isAllowed: boolean): void {
    const minute = Math.floor(now() / MINUTE_MS)
    const key = `${tokenId} ${minute}`
    let count = this.#counts.get(key)
    if (count === undefined) {
      count = { org_id: orgId, minute, token_id: tokenId, allowed: 0, refused: 0 }
      this.#counts.set(key, count)
    }
    if (isAllowed) count.allowed++
    else count.refused++
  }

  /** Writes what was noted, and forgets what is too old. @returns how many counts it was */
  async save(db: Database): Promise<number> {
    const minute = Math.floor(now() / MINUTE_MS)
    const isErasing = minute - this.#erasedAt >= ERASE_EVERY_MINUTES
    const counts = this.#counts
    if (counts.size === 0 && !isErasing) return 0
    this.#counts = new Map()
    try {
      await db.write(async (tx) => {
        if (counts.size > 0) await addUsage(tx, [...counts.values()])
        if (isErasing) await eraseUsageBefore(tx, minute - KEPT_MINUTES)
      })
    } catch (error) {
      this.#putBack(counts)
      throw error
    }
    if (isErasing) this.#erasedAt = minute
    return counts.size
  }

  #putBack(counts: Map<string, UsageCount>): void {
    for (const [key, count] of counts) {
      const newer = this.#counts.get(key)
      if (newer) {
        newer.allowed += count.allowed
        newer.refused += count.refused
      } else {
        this.#counts.set(key, count)
      }
    }
  }
}
