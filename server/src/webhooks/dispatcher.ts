import { LANE_IMPORT } from '../actor.ts'
import { startLoop } from '../background/loop.ts'
import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import type { Log } from '../log.ts'
import { busySubscriptions, type DueDelivery, dueDeliveries } from './due-store.ts'
import type { LeaseKey } from './lease-store.ts'
import { Leases } from './leases.ts'
import { type Outcome, type Recorded, Recorder } from './recorder.ts'
import { Seldom } from './seldom.ts'
import type { Sender, SendOutcome } from './sender.ts'
import { deliveryHeaders } from './signature.ts'
import type { Target } from './target.ts'
import { DELIVERIES_TOPIC, SUBSCRIPTIONS_TOPIC } from './topics.ts'
import type { Turn } from './turn.ts'

const POLL_MS = 1_000
const RECORD_RETRY_MS = 250
/** A sending that has waited for so long no longer counts against `concurrency`, so that those that hang hold no other. */
const YOUNG_MS = 500
/** All sendings at once, young and old, as a multiple of `concurrency`. */
const SENDINGS_FACTOR = 4
const BUSY_MAX = 500
/** A look finds so many of a subscription at once: with as many as can be sent, looking takes 8 µs a delivery, so 2. */
const LOOK_AHEAD = 64
/** After this process could not open a connection for want of something of its own. */
const EXHAUSTED_REST_MS = 500

export interface DispatcherOptions {
  db: Database
  sender: Sender
  /** 32 bytes that the signing secrets were sealed with. */
  key: Uint8Array
  log: Log
  /** Kith's version, for `User-Agent`. */
  version: string
  /** Sendings at once in all and for one subscription. */
  concurrency: number
  concurrencyPerSubscription: number
  /** This process's among others; a new one unless it is given. */
  nodeId?: string
}

export interface DispatcherStats {
  /** Being sent. */
  sending: number
  /** Sent, and not yet recorded. */
  unrecorded: number
  /** Subscriptions that this process works. */
  subscriptions: number
  /** Recorded since the start. */
  delivered: number
  failed: number
}

export interface Dispatcher {
  stats(): DispatcherStats
  /**
   * Begins no more sendings, gives those under way `graceMs` to end, records what came of them and gives the
   * subscriptions back. What was cut off is still due, and is sent again with the same id.
   */
  stop(graceMs: number): Promise<void>
}

interface Sending {
  startedMs: number
  done: Promise<void>
}

/**
 * Sends what is due, from now on. It looks every second, and at once when it is hinted at something.
 *
 * @see contract §8
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, sender, key, log, version, concurrency, concurrencyPerSubscription, nodeId } = options
  const leases = new Leases({ db, key, log, windowMax: concurrencyPerSubscription, nodeId })
  const recorder = new Recorder({ db, nodeId: leases.nodeId, log, onReady: () => recording.nudge(), onRecorded })
  const sendings = new Set<Sending>()
  const cutting = new AbortController()
  /** Recorded since the last look: what a query sees that began before may still show them as due. */
  const recorded = new Set<string>()
  const looks = new Seldom()
  const total = { delivered: 0, failed: 0 }
  let busy: LeaseKey[] = []
  let isHinted = true
  let refreshAtMs = 0
  let restUntilMs = 0
  let turnsAt = 0
  let lookSoon: NodeJS.Timeout | undefined

  const dispatching = startLoop(
    { name: 'webhook-dispatcher', step: dispatch, idleMs: POLL_MS, restMsMax: POLL_MS },
    log,
  )
  const recording = startLoop(
    { name: 'webhook-recorder', step: () => recorder.step(), idleMs: RECORD_RETRY_MS, restMsMax: POLL_MS },
    log,
  )
  const unlisten = db.onHint((topic) => {
    if (topic === SUBSCRIPTIONS_TOPIC) refreshAtMs = 0
    else if (topic !== DELIVERIES_TOPIC) return
    isHinted = true
    dispatching.nudge()
  })

  return {
    stats: () => ({
      sending: sendings.size,
      unrecorded: recorder.waitingCount,
      subscriptions: leases.turns.size,
      ...total,
    }),
    stop,
  }

  /** @returns how many sendings it began */
  async function dispatch(): Promise<number> {
    if (performance.now() >= refreshAtMs) await refresh()
    if (!leases.isCurrent || recorder.isBehind || performance.now() < restUntilMs) return 0
    if (isHinted) await lookForWork()
    recorded.clear()
    const picked = new Map<string, Turn>()
    let begun = 0
    try {
      await pick(picked)
      const due = await dueDeliveries(db.read, Array.from(picked, keyOf))
      // The process may have been paused while it waited for the database.
      if (leases.isCurrent) for (const delivery of due) begun += begin(picked.get(delivery.id)!, delivery) ? 1 : 0
    } finally {
      // What was picked and not begun is to be found again.
      if (begun < picked.size) for (const turn of picked.values()) turn.mayHaveMore = true
    }
    return begun
  }

  function keyOf([id, { lease }]: [string, Turn]) {
    return { org_id: lease.org_id, id }
  }

  async function refresh(): Promise<void> {
    await leases.refresh()
    await leases.release(busy)
    refreshAtMs = performance.now() + POLL_MS
    isHinted = true
  }

  /** Finds the subscriptions that have something ready, and takes those of them that are free. */
  async function lookForWork(): Promise<void> {
    isHinted = false
    if (!looks.isDue) {
      for (const turn of leases.turns.values()) turn.expectMore()
      return
    }
    // More than a page of them are gone through page by page, one a look.
    const after = busy.length === BUSY_MAX ? busy.at(-1) : undefined
    busy = await looks.run(() => busySubscriptions(db.read, { after, max: BUSY_MAX }))
    await leases.take(busy)
    for (const { subscription_id: id } of busy) {
      leases.turns.get(id)?.expectMore()
    }
  }

  /**
   * Chooses the next deliveries to send, each with its turn. No turn gets more than its share of what may be under way
   * in all, and which of them chooses first goes round.
   */
  async function pick(picked: Map<string, Turn>): Promise<void> {
    const turns = [...leases.turns.values()]
    const share = Math.ceil(concurrency / turns.filter((turn) => turn.hasMore || turn.sending > 0).length)
    let room = roomInAll()
    if (room <= 0) lookSoon ??= setTimeout(lookAgain, YOUNG_MS / 4)
    turnsAt++
    for (let i = 0; i < turns.length && room > 0; i++) {
      const turn = turns[(i + turnsAt) % turns.length]!
      const max = canSend(turn) ? Math.min(room, turn.room, share - turn.sending) : 0
      if (max <= 0) continue
      for (const id of await pickOf(turn, max)) {
        picked.set(id, turn)
        room--
      }
    }
  }

  function lookAgain(): void {
    lookSoon = undefined
    dispatching.nudge()
  }

  function canSend(turn: Turn): boolean {
    return turn.hasMore && !turn.isLeaving && turn.target?.secret !== undefined
  }

  async function pickOf(turn: Turn, max: number): Promise<string[]> {
    if (turn.ahead.length === 0) await lookAhead(turn)
    const { ahead } = turn
    const importsMax = turn.roomForImports
    let imports = 0
    let count = 0
    while (count < Math.min(max, ahead.length) && (ahead[count]!.lane !== LANE_IMPORT || imports++ < importsMax))
      count++
    return ahead.splice(0, count).map(({ id }) => id)
  }

  async function lookAhead(turn: Turn): Promise<void> {
    // Something may become ready while the database answers.
    turn.mayHaveMore = false
    const limit = turn.taken.size + LOOK_AHEAD
    const ready = await turn.scan.look(db.read, limit)
    turn.ahead = ready.filter(({ id }) => !turn.taken.has(id) && !recorded.has(id))
    turn.mayHaveMore ||= ready.length === limit
  }

  function roomInAll(): number {
    const youngSinceMs = performance.now() - YOUNG_MS
    let young = 0
    for (const { startedMs } of sendings) if (startedMs > youngSinceMs) young++
    return Math.min(concurrency - young, concurrency * SENDINGS_FACTOR - sendings.size)
  }

  function begin(turn: Turn, delivery: DueDelivery): boolean {
    const { target } = turn
    if (target?.secret === undefined) return false
    turn.begin(delivery.id, delivery.lane)
    const sending = { startedMs: performance.now(), done: send(turn, delivery, target) }
    sendings.add(sending)
    void sending.done.then(() => {
      sendings.delete(sending)
      turn.end(delivery.lane)
      dispatching.nudge()
    })
    return true
  }

  async function send(turn: Turn, delivery: DueDelivery, target: Target): Promise<void> {
    const startedAt = now()
    const { url } = target
    const headers = deliveryHeaders({
      event: delivery.event,
      deliveryId: delivery.id,
      timestampS: Math.floor(startedAt / 1000),
      body: delivery.body,
      secret: target.secret!,
      replacedSecret: target.replacedSecret(),
      version,
    })
    try {
      const outcome = await sender.send({ url, headers, body: delivery.body, signal: cutting.signal })
      turn.learn(outcome.responseStatus !== null)
      recorder.add(outcomeOf(outcome, { turn, delivery, url, headers, startedAt: toIso(startedAt) }))
    } catch (err) {
      turn.taken.delete(delivery.id)
      turn.expectMore()
      if (cutting.signal.aborted) return
      restUntilMs = performance.now() + EXHAUSTED_REST_MS
      log.error({ err }, 'A webhook could not be sent; it will be tried again.')
    }
  }

  function onRecorded(batch: Outcome[], { finished, promoted }: Recorded): void {
    for (const { lease, attempt } of batch) {
      const id = attempt.delivery_id
      recorded.add(id)
      const turn = leases.turns.get(lease.subscription_id)
      turn?.taken.delete(id)
      if (promoted.has(lease.subscription_id)) turn?.expectMore()
      if (finished.has(id)) total[attempt.delivered ? 'delivered' : 'failed']++
    }
    dispatching.nudge()
  }

  async function stop(graceMs: number): Promise<void> {
    unlisten()
    await dispatching.stop()
    clearTimeout(lookSoon)
    const grace = setTimeout(() => cutting.abort(new Error('The dispatcher is stopping.')), graceMs)
    await Promise.all([...sendings].map(({ done }) => done))
    clearTimeout(grace)
    await recording.stop()
    try {
      while (recorder.waitingCount > 0) await recorder.step()
      await leases.end()
    } catch (err) {
      log.error({ err }, 'The last outcomes cannot be recorded; their webhooks will be sent again.')
    }
  }
}

interface Sent {
  turn: Turn
  delivery: DueDelivery
  url: string
  headers: Record<string, string>
  startedAt: string
}

function outcomeOf(outcome: SendOutcome, { turn, delivery, url, headers, startedAt }: Sent): Outcome {
  return {
    lease: turn.lease,
    queueKey: delivery.queue_key,
    finishedAt: toIso(now()),
    attempt: {
      org_id: delivery.org_id,
      delivery_id: delivery.id,
      started_at: startedAt,
      duration_ms: outcome.durationMs,
      delivered: outcome.delivered ? 1 : 0,
      response_status: outcome.responseStatus,
      error: outcome.error,
      url,
      request_headers: JSON.stringify(Object.entries(headers)),
      response_headers: outcome.responseHeaders && JSON.stringify(outcome.responseHeaders),
      response_body: outcome.responseBody,
      timings: timingsText(outcome.timings),
    },
  }
}

function timingsText({ resolveMs, connectMs, tlsMs, firstByteMs }: SendOutcome['timings']): string {
  return JSON.stringify({
    resolve_ms: rounded(resolveMs),
    connect_ms: rounded(connectMs),
    tls_ms: rounded(tlsMs),
    first_byte_ms: rounded(firstByteMs),
  })
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10
}
