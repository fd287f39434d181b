/** When each session was last used, to the minute: gathered in memory and written now and then. */
import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import type { Session } from './actions.ts'
import { updateLastUse } from './store.ts'

const MINUTE_MS = 60_000

export class LastSessionUses {
  #noted = new Map<string, { orgId: string; memberId: string; at: string }>()

  note({ sessionId, orgId, id: memberId, lastUsedAt }: Session): void {
    const at = now()
    if (at - Date.parse(lastUsedAt) < MINUTE_MS) return
    if (!this.#noted.has(sessionId)) this.#noted.set(sessionId, { orgId, memberId, at: toIso(at) })
  }

  /** Writes what was noted. @returns how many sessions it was */
  async save(db: Database): Promise<number> {
    const noted = this.#noted
    if (noted.size === 0) return 0
    this.#noted = new Map()
    // Member by member: another process may be writing the same rows.
    const uses = [...noted].sort(([, a], [, b]) => (a.memberId < b.memberId ? -1 : 1))
    await db.write(async (tx) => {
      for (const [id, { orgId, memberId, at }] of uses) await updateLastUse(tx, { orgId, memberId, id }, at)
    })
    return noted.size
  }
}
