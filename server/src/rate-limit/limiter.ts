/**
 * Exact sliding window over the requests of each org's last hour, on all nodes together, without a query per request:
 * permits are leased a few at a time and used from memory.
 */
import type { Database } from '../database/engine.ts'
import { unavailable } from '../database/faults.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { exchange, HOUR_MS, LEASE_MS, type Report, type Standing } from './exchange.ts'
import type { UsedSecond } from './store.ts'
import { Timeline, type TimeSources } from './timeline.ts'

export interface Limiter {
  /**
   * Lets one request of the org through and counts it, or refuses it. Answers at once while it holds permits, or knows
   * that there are none.
   *
   * @param hourlyLimit in effect from this call on
   * @throws ApiError `unavailable` (as a rejection) when permits are needed and the database is away
   */
  take(orgId: string, hourlyLimit: number): Verdict | Promise<Verdict>
  /** Gives back the permits of orgs that have gone quiet and forgets them; done every second. */
  sweep(): Promise<void>
  /** Orgs of which it holds permits, and how many. */
  stats(): { leases: number; permits: number }
  /** Gives all permits back. @throws never: what cannot be given back counts as used once its lease is over */
  close(): Promise<void>
}

/** What the `RateLimit-` headers and `Retry-After` say; whole numbers. */
export interface Verdict {
  ok: boolean
  limit: number
  remaining: number
  /** Until the oldest counted request leaves the window, rounded up; 0 when none is counted. */
  resetS: number
  /** Set when refused: after so many seconds the next request is let through. */
  retryAfterS?: number
}

export interface LimiterParts {
  db: Database
  nodeId: string
  log?: Log
  /** For tests. */
  sources?: TimeSources
}

export function createLimiter(parts: LimiterParts): Limiter {
  return new LeasingLimiter(parts)
}

/** After half of its time a lease in use is renewed; one that nobody uses is given back before it runs out. */
const RENEW_MS = LEASE_MS / 2
const GIVE_BACK_MS = LEASE_MS - 5_000
/** Until then it is tried to report what was used of a lease that has run out meanwhile. */
const FORGET_MS = 3 * LEASE_MS
/** A node stops a little before its lease does. */
const LEASE_SAFE_MS = LEASE_MS - 1_000
/** Other nodes may give permits back at any time. */
const ASK_AGAIN_MS = 1_000
const SWEEP_MS = 1_000
/** The limit of an org whose permits nobody may use just now. */
const NO_LIMIT = -1

class LeasingLimiter implements Limiter {
  readonly #db: Database
  readonly #log: Log | undefined
  /** Begins the name of each lease. New with every start: a process must not take its predecessor's for its own. */
  readonly #node: string
  readonly #time: Timeline
  readonly #orgs = new Map<string, Org>()
  readonly #sweeping: NodeJS.Timeout
  #leases = 0
  #isClosed = false
  #isAway = false

  constructor({ db, nodeId, log, sources = { monotonicMs: () => performance.now() } }: LimiterParts) {
    this.#db = db
    this.#log = log
    this.#node = `${nodeId}/${newId()}`
    this.#time = new Timeline(sources)
    this.#sweeping = setInterval(() => void this.sweep(), SWEEP_MS).unref()
  }

  take(orgId: string, hourlyLimit: number): Verdict | Promise<Verdict> {
    let org = this.#orgs.get(orgId)
    if (org === undefined) {
      org = newOrg(orgId, `${this.#node}/${++this.#leases}`)
      this.#orgs.set(orgId, org)
    }
    return this.#decide(org, hourlyLimit) ?? this.#takeLater(org, hourlyLimit)
  }

  async sweep(): Promise<void> {
    const at = this.#time.monotonicMs()
    const returns: Promise<void>[] = []
    for (const org of this.#orgs.values()) {
      const age = at - org.askedMs
      if (org.exchanging || org.waiting > 0) continue
      if (org.holdsLease && age >= GIVE_BACK_MS && age < FORGET_MS) returns.push(this.#inBackground(org, giveBack))
      else if (age >= LEASE_MS) this.#orgs.delete(org.id)
    }
    await Promise.all(returns)
  }

  stats(): { leases: number; permits: number } {
    const holders = [...this.#orgs.values()].filter(({ holdsLease }) => holdsLease)
    return { leases: holders.length, permits: holders.reduce((sum, { permits }) => sum + permits, 0) }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweeping)
    const returns = [...this.#orgs.values()].map(async (org) => {
      while (org.exchanging) await org.exchanging.catch(() => {})
      if (org.holdsLease) await this.#inBackground(org, giveBack)
    })
    await Promise.all(returns)
    this.#orgs.clear()
  }

  /** From memory; undefined when the database has to be asked. */
  #decide(org: Org, limit: number): Verdict | undefined {
    if (org.limit !== limit) return undefined
    const at = this.#time.monotonicMs()
    if (org.permits > 0 && at < org.endsMs) {
      forgetOld(org, this.#time.earliestMs(at))
      use(org, this.#time.latestMs(at))
      if (!org.exchanging && (org.permits < org.renewBelow || at >= org.renewMs)) void this.#inBackground(org, renew)
      return { ok: true, limit, remaining: remainingOf(org, limit), resetS: this.#resetS(org, at) }
    }
    if (org.freeMs === undefined || at >= org.askAgainMs || this.#time.latestMs(at) >= org.freeMs) return undefined
    forgetOld(org, this.#time.earliestMs(at))
    const retryAfterS = Math.max(1, Math.ceil((org.freeMs - this.#time.earliestMs(at)) / 1_000))
    return { ok: false, limit, remaining: 0, resetS: this.#resetS(org, at), retryAfterS }
  }

  async #takeLater(org: Org, limit: number): Promise<Verdict> {
    org.waiting++
    try {
      for (;;) {
        if (this.#isClosed) throw unavailable()
        await (org.exchanging ?? this.#exchange(org, { limit, isReturn: false }))
        const verdict = this.#decide(org, limit)
        if (verdict) return verdict
      }
    } finally {
      org.waiting--
    }
  }

  /** A failure is left to the request that next needs a permit. */
  async #inBackground(org: Org, terms: (org: Org) => Terms): Promise<void> {
    try {
      await this.#exchange(org, terms(org))
      this.#isAway = false
    } catch (err) {
      org.renewBelow = 0
      org.renewMs = Number.POSITIVE_INFINITY
      if (!this.#isAway) this.#log?.warn({ err }, 'rate limit: the database could not be asked')
      this.#isAway = true
    }
  }

  /** One at a time for each org; whoever needs the outcome awaits `org.exchanging`. */
  #exchange(org: Org, terms: Terms): Promise<void> {
    org.exchanging = this.#runExchange(org, terms).finally(() => {
      org.exchanging = undefined
    })
    return org.exchanging
  }

  async #runExchange(org: Org, { limit, isReturn }: Terms): Promise<void> {
    const limitBefore = org.limit
    const mayUseMeanwhile = limit === limitBefore && !isReturn && this.#time.monotonicMs() < org.endsMs
    if (!mayUseMeanwhile) org.limit = NO_LIMIT
    const kept = mayUseMeanwhile ? org.permits : 0
    const serial = ++org.serial
    if (org.used.length > 0) org.reports.push({ serial, seconds: org.used })
    org.used = []
    try {
      const { reading, standing } = await this.#db.write(async (tx) => {
        const reading = await this.#time.read(tx, org.id)
        const wanted = isReturn ? undefined : org.waiting
        const ask = { orgId: org.id, node: org.leaseName, serial, limit, reports: org.reports, kept, wanted }
        return { reading, standing: await exchange(tx, reading.nowMs, ask) }
      })
      org.reports = []
      const held = isReturn ? NO_LIMIT : limit
      adopt(org, { standing, limit: held, startMs: reading.startMs, endMs: this.#time.monotonicMs() })
    } catch (error) {
      org.limit = limitBefore
      throw error
    }
  }

  #resetS(org: Org, at: number): number {
    const oldest = org.oldest[org.oldestIndex] ?? org.reports[0]?.seconds[0] ?? org.used[0]
    if (oldest === undefined) return 0
    return Math.max(0, Math.ceil((oldest.lastMs + HOUR_MS - this.#time.earliestMs(at)) / 1_000))
  }
}

interface Terms {
  limit: number
  isReturn: boolean
}

const renew = ({ limit }: Org): Terms => ({ limit, isReturn: false })
const giveBack = ({ limit }: Org): Terms => ({ limit, isReturn: true })

/** What this node knows of one org. Times ending in `Ms` are monotonic, but `freeMs`, which is the window's. */
interface Org {
  id: string
  /** Of this entry alone: where an entry was forgotten with use that it could not report, its lease counts as used. */
  leaseName: string
  /** The limit that the permits were leased under. */
  limit: number
  permits: number
  holdsLease: boolean
  /** When the last exchange began. */
  askedMs: number
  endsMs: number
  renewMs: number
  renewBelow: number
  askAgainMs: number
  freeMs: number | undefined
  /** Requests in the window, this node's since the last exchange among them. */
  counted: number
  heldByOthers: number
  oldest: UsedSecond[]
  /** The first of `oldest` that still counts. */
  oldestIndex: number
  /** This node's use since its last exchange, and what exchanges that failed have tried to report. */
  used: UsedSecond[]
  reports: Report[]
  serial: number
  /** Requests that wait for permits. */
  waiting: number
  exchanging: Promise<void> | undefined
}

function newOrg(id: string, leaseName: string): Org {
  return {
    id,
    leaseName,
    limit: NO_LIMIT,
    permits: 0,
    holdsLease: false,
    askedMs: 0,
    endsMs: 0,
    renewMs: 0,
    renewBelow: 0,
    askAgainMs: 0,
    freeMs: undefined,
    counted: 0,
    heldByOthers: 0,
    oldest: [],
    oldestIndex: 0,
    used: [],
    reports: [],
    serial: 0,
    waiting: 0,
    exchanging: undefined,
  }
}

function use(org: Org, nowMs: number): void {
  org.permits--
  org.counted++
  const second = Math.floor(nowMs / 1_000)
  const newest = org.used[org.used.length - 1]
  if (newest === undefined || newest.second !== second) {
    org.used.push({ second, used: 1, lastMs: nowMs })
  } else {
    newest.used++
    newest.lastMs = nowMs
  }
}

function forgetOld(org: Org, nowMs: number): void {
  for (let oldest = org.oldest[org.oldestIndex]; oldest && oldest.lastMs <= nowMs - HOUR_MS; ) {
    org.counted -= oldest.used
    oldest = org.oldest[++org.oldestIndex]
  }
}

function remainingOf(org: Org, limit: number): number {
  return Math.max(0, limit - org.counted - org.heldByOthers)
}

interface Outcome {
  standing: Standing
  limit: number
  startMs: number
  endMs: number
}

function adopt(org: Org, { standing, limit, startMs, endMs }: Outcome): void {
  const usedMeanwhile = org.used.reduce((sum, { used }) => sum + used, 0)
  org.permits = standing.permits - usedMeanwhile
  org.limit = limit
  org.holdsLease = standing.permits > 0
  org.askedMs = startMs
  org.endsMs = startMs + LEASE_SAFE_MS
  org.renewMs = startMs + RENEW_MS
  // The last permits are asked for one by one: one held in reserve would be refused to whoever asks another node.
  org.renewBelow = standing.permits > 1 ? standing.permits / 2 : 0
  org.freeMs = standing.freeMs
  org.askAgainMs = endMs + (standing.heldByOthers > 0 ? ASK_AGAIN_MS : LEASE_MS)
  org.counted = standing.used + usedMeanwhile
  org.heldByOthers = standing.heldByOthers
  org.oldest = standing.oldest
  org.oldestIndex = 0
}
