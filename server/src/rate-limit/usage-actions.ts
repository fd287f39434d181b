import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { getOrg } from '../orgs/actions.ts'
import type { Usage } from './usage.ts'
import type { UsageReport } from './usage-schema.ts'
import { usageByMinute, usageByToken } from './usage-store.ts'

const MINUTE_MS = 60_000
const HOUR = 60
const DAY = 24 * HOUR
const STEP = 5

/**
 * How an org has used its limit, to the minute. What other processes have counted in the last seconds may be missing.
 *
 * @param usage what this process has counted, written first
 */
export async function usageReport(db: Database, usage: Usage, orgId: string): Promise<UsageReport> {
  await usage.save(db)
  const { hourly_limit: limit } = await getOrg(db.read, orgId)
  const last = Math.floor(now() / MINUTE_MS)
  const minutes = await usageByMinute(db.slow, { orgId, fromMinute: last - DAY - HOUR })
  const tokens = await usageByToken(db.slow, { orgId, fromMinute: last - DAY })
  const points = pointsOf(minutes, last)
  return { limit, used_last_hour: points.at(-1)!.used, points, tokens }
}

interface Minute {
  minute: number
  allowed: number
  refused: number
}

/** @param last the present minute, which the last point ends with */
export function pointsOf(minutes: readonly Minute[], last: number): UsageReport['points'] {
  const byMinute = new Map(minutes.map((counted) => [counted.minute, counted]))
  const sum = (field: 'allowed' | 'refused', until: number, length: number) => {
    let total = 0
    for (let minute = until - length + 1; minute <= until; minute++) total += byMinute.get(minute)?.[field] ?? 0
    return total
  }
  return Array.from({ length: DAY / STEP + 1 }, (_, i) => {
    const until = last - DAY + i * STEP
    const at = toIso((until + 1) * MINUTE_MS)
    return { at, used: sum('allowed', until, HOUR), refused: sum('refused', until, STEP) }
  })
}
