/**
 * Which subscriptions this process works.
 *
 * On PostgreSQL several processes share them. Each counts up its beats in the database. One whose count stands still
 * for `DEAD_MS` by the others' monotonic clocks is dead to them, and its leases are free; since it stops by itself after
 * `ALIVE_MS` without a beat, a shorter time, no two ever send for one subscription, whatever their clocks say. What a
 * process that was paused meanwhile still wants to record is refused by the fence, which grows with every turn.
 *
 * On SQLite the folder's lock has already made sure that there is one server.
 */
import { now } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import {
  beatNode,
  buryAllNodes,
  buryNode,
  freeLeases,
  type Lease,
  type LeaseKey,
  leasedSubscriptions,
  nodes,
  releaseLeases,
  removeNode,
  takeLeases,
} from './lease-store.ts'
import { Target, type TargetRow } from './target.ts'
import { Turn } from './turn.ts'

/** A beat comes with every refresh, about once a second. */
const ALIVE_MS = 4_000
const DEAD_MS = 6_000
/** An idle subscription is given back, so that whoever is next to find work for it may take it. */
const IDLE_MS = 10_000

interface LeasesOptions {
  db: Database
  /** Opens the signing secrets. */
  key: Uint8Array
  log: Log
  windowMax: number
  /** This process's among others; a new one unless it is given. */
  nodeId?: string | undefined
}

export class Leases {
  readonly nodeId: string
  /** By subscription id. */
  readonly turns = new Map<string, Turn>()
  readonly #options: LeasesOptions
  readonly #isShared: boolean
  readonly #seen = new Map<string, { beats: number; atMs: number }>()
  #isStarted = false
  #beatAtMs = Number.NEGATIVE_INFINITY

  constructor(options: LeasesOptions) {
    this.nodeId = options.nodeId ?? newId()
    this.#options = options
    this.#isShared = options.db.engine === 'postgres'
  }

  /** Whether the leases are still this process's own, as far as it can know. */
  get isCurrent(): boolean {
    return this.#isStarted && (!this.#isShared || performance.now() - this.#beatAtMs < ALIVE_MS)
  }

  /** Tells that this process is alive, and reads its leases and their subscriptions anew. */
  async refresh(): Promise<void> {
    const { db } = this.#options
    const startedMs = performance.now()
    if (this.#isShared) {
      await db.write((tx) => beatNode(tx, this.nodeId, now()))
      await this.#buryDead()
    } else if (!this.#isStarted) {
      await db.write(buryAllNodes)
    }
    await this.#align()
    this.#beatAtMs = startedMs
    this.#isStarted = true
  }

  /** Takes this process's share of the busy subscriptions that nobody works. */
  async take(busy: readonly LeaseKey[]): Promise<void> {
    const { db } = this.#options
    const others = busy.filter((key) => !this.turns.has(key.subscription_id))
    if (others.length === 0) return
    const room = this.#share(busy.length) - (busy.length - others.length)
    if (room <= 0) return
    const free = (await freeLeases(db.read, others)).slice(0, room)
    if (free.length === 0) return
    await db.write((tx) => takeLeases(tx, this.nodeId, free))
    await this.#align()
  }

  /** Gives back what is idle, and one a call of what is more than this process's share. */
  async release(busy: readonly LeaseKey[]): Promise<void> {
    const busyHere = busy.map((key) => this.turns.get(key.subscription_id)).filter((turn) => turn !== undefined)
    if (busyHere.length > this.#share(busy.length)) busyHere[0]!.isLeaving = true
    const idleSinceMs = performance.now() - IDLE_MS
    const leaving = [...this.turns.values()].filter(
      (turn) => turn.isIdle && (turn.isLeaving || turn.workedAtMs < idleSinceMs),
    )
    if (leaving.length === 0) return
    const keys = leaving.map((turn) => turn.lease)
    await this.#options.db.write((tx) => releaseLeases(tx, this.nodeId, keys))
    for (const key of keys) this.turns.delete(key.subscription_id)
  }

  /** Gives everything back. */
  async end(): Promise<void> {
    this.turns.clear()
    await this.#options.db.write((tx) => removeNode(tx, this.nodeId))
  }

  /** Everyone's share, rounded up and one more, so that a difference of one moves nothing about. */
  #share(busyCount: number): number {
    return Math.ceil(busyCount / Math.max(1, this.#seen.size)) + 1
  }

  async #buryDead(): Promise<void> {
    const { db, log } = this.#options
    const atMs = performance.now()
    const found = await nodes(db.read)
    for (const { id, beats } of found) {
      if (this.#seen.get(id)?.beats !== beats) this.#seen.set(id, { beats, atMs })
    }
    const ids = new Set(found.map(({ id }) => id))
    for (const [id, { beats, atMs: since }] of this.#seen) {
      if (!ids.has(id)) this.#seen.delete(id)
      else if (id !== this.nodeId && atMs - since >= DEAD_MS) {
        const isDead = await db.write((tx) => buryNode(tx, { id, beats }))
        if (isDead) log.warn({ node: id }, 'Another server is gone; its webhooks are sent from here.')
        this.#seen.delete(id)
      }
    }
  }

  /** Brings the turns in line with what the database says of this process's leases. */
  async #align(): Promise<void> {
    const rows = await leasedSubscriptions(this.#options.db.read, { owner: this.nodeId })
    const fences = new Map(rows.map((row) => [row.subscription_id, row.fence]))
    for (const [id, { lease }] of this.turns) if (fences.get(id) !== lease.fence) this.turns.delete(id)
    for (const row of rows) this.#aim(this.turns.get(row.subscription_id) ?? this.#begin(row), row)
  }

  #begin({ org_id, subscription_id, fence }: Lease): Turn {
    const turn = new Turn({ org_id, subscription_id, fence }, this.#options.windowMax)
    this.turns.set(subscription_id, turn)
    return turn
  }

  #aim(turn: Turn, row: TargetRow): void {
    if (row.paused_at !== null || row.deleted_at !== null) {
      turn.target = null
    } else if (!turn.target?.fits(row)) {
      turn.target = new Target(this.#options.key, row)
      turn.mayHaveMore = true
      const { fault } = turn.target
      const { subscription_id: subscription } = row
      if (fault)
        this.#options.log.error({ err: fault, subscription }, 'A signing secret does not open: nothing is sent.')
    }
  }
}
