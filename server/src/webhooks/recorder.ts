import type { Database, Tx } from '../database/engine.ts'
import type { DeliveryAttemptTable } from '../database/schema.ts'
import { ApiError } from '../http/errors.ts'
import { announce } from '../live/announce.ts'
import type { Log } from '../log.ts'
import { eraseDeliveries } from './erasure-store.ts'
import { heldFences, type Lease } from './lease-store.ts'
import {
  countOutcomes,
  finishDeliveries,
  type HourOfOutcomes,
  insertAttempts,
  lockHeads,
  promoteNext,
  type QueueKey,
} from './outcome-store.ts'

/** Each commit writes every index page that it touches anew: half as many at once cost a tenth more for a delivery. */
const BATCH_MAX = 500
/** When the last batch was larger than this, the next one gathers for so long: one commit then serves many. */
const BUSY_BATCH = 16
const GATHER_MS = 10
/** Nothing more is sent while this many outcomes wait for the database. */
const WAITING_MAX = 1_000
const HOUR_MS = 3_600_000

/** What came of one sending. */
export interface Outcome {
  lease: Lease
  queueKey: string
  attempt: Omit<DeliveryAttemptTable, 'number'>
  finishedAt: string
}

interface RecorderOptions {
  db: Database
  nodeId: string
  log: Log
  /** Called when there is a batch to record. */
  onReady(): void
  /** Called when a batch has been dealt with. */
  onRecorded(batch: Outcome[], recorded: Recorded): void
}

export interface Recorded {
  /** Deliveries whose outcome is in the database now; others are gone, or another process's by now. */
  finished: Set<string>
  /** Subscriptions that have another delivery ready now. */
  promoted: Set<string>
}

/** Writes outcomes into the database, as many at once as have gathered. What cannot be written now waits here. */
export class Recorder {
  readonly #options: RecorderOptions
  #waiting: Outcome[] = []
  #batchMax = BATCH_MAX
  #lastBatch = 0
  #gathering: NodeJS.Timeout | undefined

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  get waitingCount(): number {
    return this.#waiting.length
  }

  get isBehind(): boolean {
    return this.#waiting.length >= WAITING_MAX
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome)
    this.#gather()
  }

  /** Records one batch. @returns how many; 0 also when the rest is still gathering */
  async step(): Promise<number> {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const batch = this.#waiting.slice(0, this.#batchMax)
    this.#lastBatch = batch.length
    if (batch.length === 0) return 0
    const { db, nodeId, onRecorded } = this.#options
    try {
      const recorded = await db.write((tx) => record(tx, nodeId, batch))
      this.#batchMax = BATCH_MAX
      this.#waiting.splice(0, batch.length)
      onRecorded(batch, recorded)
      if (this.#waiting.length === 0 || this.#gather()) return 0
      return batch.length
    } catch (err) {
      if (err instanceof ApiError) throw err
      return this.#isolate(batch, err)
    }
  }

  /** @returns whether a batch is gathering; else it is ready */
  #gather(): boolean {
    if (this.#lastBatch > BUSY_BATCH && this.#waiting.length < this.#batchMax) {
      this.#gathering ??= setTimeout(this.#options.onReady, GATHER_MS)
      return true
    }
    this.#options.onReady()
    return false
  }

  /**
   * The database refused what is in the batch: it is tried one by one, and the one that is refused is set aside. Its
   * delivery stays due and its queue waits, until this process's turn ends.
   */
  #isolate(batch: Outcome[], err: unknown): number {
    if (batch.length > 1) {
      this.#batchMax = 1
      return 1
    }
    this.#waiting.shift()
    this.#options.log.error({ err, delivery: batch[0]!.attempt.delivery_id }, 'An outcome cannot be recorded.')
    return 1
  }
}

async function record(tx: Tx, nodeId: string, batch: Outcome[]): Promise<Recorded> {
  const fences = await heldFences(tx, nodeId, distinctLeases(batch))
  const ours = batch.filter(({ lease }) => fences.get(lease.subscription_id) === lease.fence)
  await lockHeads(tx, ours.map(queueOf))
  const finished = new Map((await finishDeliveries(tx, ours.map(finishedOf))).map((row) => [row.id, row]))
  const attempts: DeliveryAttemptTable[] = []
  const hours = new Map<string, HourOfOutcomes>()
  const queues = []
  const erased = []
  for (const outcome of ours) {
    const { attempt, lease, finishedAt } = outcome
    const row = finished.get(attempt.delivery_id)
    if (!row) continue
    announce(tx, lease.org_id, 'delivery', lease.subscription_id)
    countOutcome(hours, lease, attempt.delivered === 1 ? 'delivered' : 'failed', finishedAt)
    queues.push(queueOf(outcome))
    if (row.contact_deleted) erased.push({ org_id: lease.org_id, id: row.id })
    else attempts.push({ ...attempt, number: row.attempts })
  }
  await insertAttempts(tx, attempts)
  await countOutcomes(tx, [...hours.values()])
  const promoted = await promoteNext(tx, queues)
  if (erased.length > 0) await eraseDeliveries(tx, erased)
  return { finished: new Set(finished.keys()), promoted }
}

function countOutcome(
  hours: Map<string, HourOfOutcomes>,
  { org_id, subscription_id }: Lease,
  outcome: 'delivered' | 'failed',
  finishedAt: string,
): void {
  const hour = Math.floor(Date.parse(finishedAt) / HOUR_MS)
  const key = `${subscription_id} ${hour}`
  const counted = hours.get(key) ?? { org_id, subscription_id, hour, delivered: 0, failed: 0 }
  counted[outcome]++
  hours.set(key, counted)
}

function distinctLeases(batch: Outcome[]): Lease[] {
  return [...new Map(batch.map(({ lease }) => [lease.subscription_id, lease])).values()]
}

function queueOf({ lease, queueKey }: Outcome): QueueKey {
  return { org_id: lease.org_id, subscription_id: lease.subscription_id, queue_key: queueKey }
}

function finishedOf({ lease, attempt, finishedAt }: Outcome) {
  return {
    org_id: lease.org_id,
    id: attempt.delivery_id,
    state: attempt.delivered ? ('delivered' as const) : ('failed' as const),
    response_status: attempt.response_status,
    error: attempt.error,
    duration_ms: attempt.duration_ms,
    finished_at: finishedAt,
  }
}
