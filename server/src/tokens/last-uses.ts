/** When each token was last used, to the minute: gathered in memory and written now and then. */
import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import type { TokenHolder } from './actions.ts'
import { updateLastUse } from './store.ts'

const MINUTE_MS = 60_000

export class LastUses {
  #noted = new Map<string, { orgId: string; at: string }>()

  note({ tokenId, orgId, lastUsedAt }: TokenHolder): void {
    const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS
    if (lastUsedAt !== null && Date.parse(lastUsedAt) >= minute) return
    if (!this.#noted.has(tokenId)) this.#noted.set(tokenId, { orgId, at: toIso(minute) })
  }

  /** Writes what was noted. @returns how many tokens it was */
  async save(db: Database): Promise<number> {
    const noted = this.#noted
    if (noted.size === 0) return 0
    this.#noted = new Map()
    await db.write(async (tx) => {
      // In one order: another process may be writing the same rows.
      for (const [id, { orgId, at }] of [...noted].sort(([a], [b]) => (a < b ? -1 : 1)))
        await updateLastUse(tx, { orgId, id }, at)
    })
    return noted.size
  }
}
