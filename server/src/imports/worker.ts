/**
 * Works the imports that were begun in the web app, in the background and whoever has gone meanwhile.
 *
 * Of several processes on PostgreSQL one works an import: its owner, which counts up the import's beats. One whose
 * beats stand still for `DEAD_MS` by the others' monotonic clocks is dead to them, and they take the import over. Should
 * it only have been paused, all that it still wants to write names the owner, and is refused.
 *
 * On SQLite the folder's lock has already made sure that there is one server.
 */
import { startLoop } from '../background/loop.ts'
import { now, toIso } from '../clock.ts'
import type { Database, Tx } from '../database/engine.ts'
import { isAway } from '../database/faults.ts'
import { ApiError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import type { Log } from '../log.ts'
import type { Doing } from './doing.ts'
import type { Takers } from './handed-actions.ts'
import { LostImport } from './job.ts'
import { jobById } from './store.ts'
import { IMPORTS_TOPIC } from './topics.ts'
import { workOn } from './work.ts'
import { beatJob, endWork, jobsInWork, leaveJob, takeJob, type Work } from './work-store.ts'

const IDLE_MS = 1_000
const REST_MS_MAX = 10_000
const BEAT_MS = 2_000
const DEAD_MS = 8_000
/** Further imports wait until one of these has ended. */
const AT_ONCE_MAX = 8
/** How often open pages hear of progress. */
const TELL_MS = 500

export interface ImportWorker {
  /** Imports that it works now. */
  readonly owned: number
  /** Gives its imports back, after the batch that is under way. */
  stop(): Promise<void>
}

interface Own {
  key: { orgId: string; id: string }
  batches: AsyncGenerator<void>
}

interface Parts {
  db: Database
  log: Log
  takers: Takers
  /** This process's among others. */
  nodeId: string
}

export function startImportWorker({ db, log, takers, nodeId }: Parts): ImportWorker {
  const worker = new Worker(db, log, takers, { nodeId })
  const working = startLoop(
    { name: 'imports', step: (signal) => worker.step(signal), idleMs: IDLE_MS, restMsMax: REST_MS_MAX },
    log,
  )
  const beating = startLoop(
    { name: 'import-beats', step: () => worker.beat(), idleMs: BEAT_MS, restMsMax: BEAT_MS },
    log,
  )
  const unlisten = db.onHint((topic) => {
    if (topic !== IMPORTS_TOPIC) return
    worker.lookSoon()
    working.nudge()
  })
  return {
    get owned() {
      return worker.owned
    },
    async stop() {
      unlisten()
      await Promise.all([working.stop(), beating.stop()])
      await worker.end()
    },
  }
}

export class Worker {
  readonly nodeId: string
  readonly #db: Database
  readonly #log: Log
  readonly #takers: Takers
  readonly #deadMs: number
  readonly #own = new Map<string, Own>()
  readonly #seen = new Map<string, { beats: number; atMs: number }>()
  #lookAtMs = 0

  constructor(db: Database, log: Log, takers: Takers = {}, { nodeId = newId(), deadMs = DEAD_MS } = {}) {
    this.nodeId = nodeId
    this.#db = db
    this.#log = log
    this.#takers = takers
    this.#deadMs = deadMs
  }

  get owned(): number {
    return this.#own.size
  }

  lookSoon(): void {
    this.#lookAtMs = 0
  }

  /** Does a batch of each import that it works. @returns how many */
  async step(signal: AbortSignal): Promise<number> {
    if (performance.now() >= this.#lookAtMs) await this.#look()
    let batches = 0
    for (const [id, own] of this.#own) {
      if (signal.aborted) break
      batches++
      try {
        if ((await own.batches.next()).done) this.#own.delete(id)
      } catch (error) {
        this.#own.delete(id)
        await this.#fail(own, error)
      }
    }
    if (this.#own.size === 0) this.#lookAtMs = 0
    return batches
  }

  /** Tells the other processes that this one is alive. */
  async beat(): Promise<number> {
    if (this.#db.engine !== 'postgres') return 0
    for (const { key } of this.#own.values()) await this.#db.write((tx) => beatJob(tx, key, this.nodeId))
    return 0
  }

  async end(): Promise<void> {
    for (const { key, batches } of this.#own.values()) {
      await batches.return(undefined)
      await this.#db.write((tx) => leaveJob(tx, key, this.nodeId))
    }
    this.#own.clear()
  }

  async #look(): Promise<void> {
    this.#lookAtMs = performance.now() + IDLE_MS
    const jobs = (await jobsInWork(this.#db.read)).filter(isOurs)
    for (const job of jobs) {
      if (this.#own.has(job.id) || this.#own.size >= AT_ONCE_MAX || !this.#isFree(job)) continue
      if (await this.#db.write((tx) => takeJob(tx, job, this.nodeId))) await this.#begin(job)
    }
    const ids = new Set(jobs.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id)
  }

  #isFree({ id, owner, beats }: Work): boolean {
    if (owner === null || owner === this.nodeId || this.#db.engine !== 'postgres') return true
    const seen = this.#seen.get(id)
    if (seen?.beats === beats) return performance.now() - seen.atMs >= this.#deadMs
    this.#seen.set(id, { beats, atMs: performance.now() })
    return false
  }

  async #begin({ org_id: orgId, id, owner }: Work): Promise<void> {
    const job = await jobById(this.#db.read, { orgId, id })
    if (!job) return
    if (owner !== null) this.#log.info({ import: id, org: orgId }, 'An import that was broken off goes on.')
    const doing: Doing = { db: this.#db, job, owner: this.nodeId, tell: teller(orgId, id) }
    this.#own.set(id, { key: { orgId, id }, batches: workOn(doing, this.#takers) })
  }

  /** @throws what may pass by itself, so that the loop rests and tries again */
  async #fail({ key }: Own, error: unknown): Promise<void> {
    if (error instanceof LostImport) return
    const isPassing = isAway(error) || (error instanceof ApiError && error.code === 'unavailable')
    if (isPassing) throw error
    const isFault = error instanceof ApiError && error.code === 'validation'
    if (!isFault) this.#log.error({ err: error, import: key.id, org: key.orgId }, 'An import failed.')
    const fault = isFault ? error.message : 'The server failed to do this. Its log says more.'
    await this.#db.write(async (tx) => {
      await endWork(tx, key, this.nodeId, { state: 'failed', fault, finished_at: toIso(now()) })
      announce(tx, key.orgId, 'import', key.id)
    })
  }
}

/** What a command imports is its own, but for undoing it. */
function isOurs({ source, state }: Work): boolean {
  return source !== 'file' || state === 'undoing'
}

function teller(orgId: string, id: string): (tx: Tx) => void {
  let toldAtMs = 0
  return (tx) => {
    if (performance.now() - toldAtMs < TELL_MS) return
    toldAtMs = performance.now()
    announce(tx, orgId, 'import', id)
  }
}
