/**
 * What a node and the database tell each other about an org's window, in one transaction: the node reports what it has
 * used and is leased permits.
 *
 * At every exchange: counted in the window + permits of all leases ≤ limit. Using a permit moves one from the second
 * to the first, and time only takes from the first, so no hour ever sees more requests than the limit.
 */
import type { Tx } from '../database/engine.ts'
import {
  addUsed,
  deleteLease,
  deleteOldSeconds,
  type Lease,
  leasesOf,
  putLease,
  takeUsedAfter,
  timeOfOldest,
  type UsedSecond,
  type Window,
  windowOf,
} from './store.ts'

export const HOUR_MS = 3_600_000
export const LEASE_MS = 20_000

/** A lease is this part of what is free, so that little is lost with a node and the last permits go one by one. */
const FREE_PER_PERMIT = 50
const PERMITS_MAX = 1_000
/** Node clocks differ by less. What is dated later comes from before a clock was set back. */
const AHEAD_MS_MAX = 60_000
/** All the seconds that can leave the window during a lease, and one more. */
const OLDEST_MAX = LEASE_MS / 1_000 + 3

/** What one exchange is the first to report. */
export interface Report {
  serial: number
  seconds: UsedSecond[]
}

export interface Ask {
  orgId: string
  node: string
  serial: number
  limit: number
  /** What the node has used since its last exchange that is known to be committed, in order. */
  reports: Report[]
  /** Permits of the node's lease that it still holds and goes on using meanwhile. */
  kept: number
  /** Permits that are needed at once; undefined gives the lease back. */
  wanted: number | undefined
}

export interface Standing {
  /** All that the node now holds. */
  permits: number
  /** Requests counted in the window, those of other nodes that have not reported them yet excepted. */
  used: number
  heldByOthers: number
  oldest: UsedSecond[]
  /** When the next permit is certain to be free; set when one was wanted and none granted. */
  freeMs: number | undefined
}

export async function exchange(tx: Tx, nowMs: number, ask: Ask): Promise<Standing> {
  const { orgId, node, limit, kept, wanted } = ask
  const leases = await leasesOf(tx, { orgId })
  const own = leases.find((lease) => lease.node === node)
  const others = leases.filter((lease) => lease !== own)
  const dead = others.filter((lease) => lease.expires_ms < nowMs)
  const living = others.filter((lease) => lease.expires_ms >= nowMs)
  for (const lease of dead) await deleteLease(tx, { orgId, node: lease.node })
  for (const lease of living) await bringForward(tx, nowMs, { orgId, lease })
  const window = await count(tx, nowMs, orgId, [...dead.map(allUsed), ...unreported(ask, own)])

  const heldByOthers = living.reduce((sum, { permits }) => sum + permits, 0)
  const free = Math.max(0, limit - window.used - heldByOthers)
  const permits = wanted === undefined ? 0 : Math.max(kept, Math.min(free, Math.max(wanted, shareOf(free))))
  if (permits > 0) {
    await putLease(tx, { org_id: orgId, node, serial: ask.serial, permits, expires_ms: nowMs + LEASE_MS })
  } else if (own) {
    await deleteLease(tx, { orgId, node })
  }
  const isFull = permits === 0 && wanted !== undefined
  const freeMs = isFull ? await nextFreeMs(tx, nowMs, { orgId, limit, window, living }) : undefined
  return { permits, used: window.used, heldByOthers, oldest: window.oldest, freeMs }
}

/** A lease from before the clock was set back would else be held for as long as it was set back. */
async function bringForward(tx: Tx, nowMs: number, { orgId, lease }: { orgId: string; lease: Lease }): Promise<void> {
  if (lease.expires_ms <= nowMs + LEASE_MS + AHEAD_MS_MAX) return
  lease.expires_ms = nowMs + LEASE_MS
  await putLease(tx, { org_id: orgId, ...lease })
}

/** A node that did not come back may have used all that it held, up to the end. */
function allUsed({ permits, expires_ms }: Lease): UsedSecond {
  return { second: secondOf(expires_ms), used: permits, lastMs: expires_ms }
}

/** Without its row the node's lease has run out, and another node has counted all of it. */
function unreported({ reports }: Ask, own: Lease | undefined): UsedSecond[] {
  return own ? reports.filter(({ serial }) => serial > own.serial).flatMap(({ seconds }) => seconds) : []
}

/** Counts what was used, forgets what is an hour old, and says what is left. */
async function count(tx: Tx, nowMs: number, orgId: string, seconds: UsedSecond[]): Promise<Window> {
  if (seconds.length > 0) await addUsed(tx, orgId, together(seconds))
  await deleteOldSeconds(tx, { orgId, second: secondOf(nowMs - HOUR_MS), lastMs: nowMs - HOUR_MS })
  const window = await windowOf(tx, { orgId, oldestMax: OLDEST_MAX })
  if (window.newestSecond === undefined || window.newestSecond <= secondOf(nowMs + AHEAD_MS_MAX)) return window
  const used = await takeUsedAfter(tx, orgId, secondOf(nowMs))
  return count(tx, nowMs, orgId, [{ second: secondOf(nowMs), used, lastMs: nowMs }])
}

function together(seconds: UsedSecond[]): UsedSecond[] {
  const merged = new Map<number, UsedSecond>()
  for (const { second, used, lastMs } of seconds) {
    const same = merged.get(second)
    merged.set(second, { second, used: used + (same?.used ?? 0), lastMs: Math.max(lastMs, same?.lastMs ?? 0) })
  }
  return [...merged.values()]
}

function shareOf(free: number): number {
  return Math.min(PERMITS_MAX, Math.max(1, Math.floor(free / FREE_PER_PERMIT)))
}

interface Full {
  orgId: string
  limit: number
  window: Window
  living: Lease[]
}

/** What others hold may be used to the last, and then counts for an hour from there. */
async function nextFreeMs(tx: Tx, nowMs: number, { orgId, limit, window, living }: Full): Promise<number> {
  if (limit === 0) return nowMs + HOUR_MS
  const held = living.reduce((sum, { permits }) => sum + permits, 0)
  const needed = window.used + held - limit + 1
  const [oldest] = window.oldest
  if (oldest && oldest.used >= needed) return oldest.lastMs + HOUR_MS
  if (window.used >= needed) return (await timeOfOldest(tx, orgId, needed))! + HOUR_MS
  let released = window.used
  for (const { permits, expires_ms } of living) {
    released += permits
    if (released >= needed) return expires_ms + HOUR_MS
  }
  return nowMs
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000)
}
