/** The work of an import: its rows, in batches that each are one transaction. */
import { setTimeout as rest } from 'node:timers/promises'
import { type Actor, LANE_IMPORT } from '../actor.ts'
import { createContact } from '../contacts/actions.ts'
import type { ContactInput } from '../contacts/schema.ts'
import type { Database, Tx } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { requireStage } from '../orgs/actions.ts'
import { compileConvert, plainCells, reasonOf } from './convert.ts'
import type { Row } from './rows.ts'
import type { Mapping, RejectedRow } from './schema.ts'
import { type Format, fileFault, readRows, type SourceFile } from './source-file.ts'
import { advanceJob, type Counts, type ImportKey, insertReject } from './store.ts'

export interface ImportPlan {
  file: SourceFile
  format: Format
  mapping: Mapping
}

export interface Progress extends Counts {
  bytesRead: number
}

export type OnProgress = (progress: Progress) => void

const BATCH_ROWS_MAX = 200
/** On SQLite a batch holds the event loop, and the lock that other processes write with. */
const BATCH_MS_MAX = 20
const WORK_MS_MAX = 120
const REST_MS = 10

/**
 * Adds the contacts of all rows that `counts` does not cover yet.
 *
 * A batch's contacts, its rejected rows and the new counts are one transaction: whenever this is broken off, going on
 * from the stored counts neither loses a row nor takes one twice.
 *
 * @returns the counts at the end
 * @throws ApiError `validation` at `file` when it has changed, or another process is importing it too
 */
export async function addRows(
  db: Database,
  key: ImportKey,
  plan: ImportPlan,
  counts: Counts,
  onProgress: OnProgress,
): Promise<Counts> {
  const actor: Actor = { orgId: key.orgId, name: `import:${key.id}`, lane: LANE_IMPORT }
  const convert = compileConvert(plan.mapping)
  const turns = new Turns(db.engine)
  let done = counts
  for await (const { rows, bytesRead } of dataRows(plan, counts.rows_read)) {
    for (let from = 0; from < rows.length; ) {
      const before = done
      done = await db.write(async (tx) => {
        const batch = await addBatch(tx, { key, actor, convert, rows, from, msMax: turns.batchMsMax })
        const after = sum(before, batch)
        if (await advanceJob(tx, key, before, after)) return after
        throw fileFault('Another process is importing this file at the same time. This one has stopped.')
      })
      from += done.rows_read - before.rows_read
      onProgress({ ...done, bytesRead })
      await turns.next()
    }
  }
  return done
}

const PROBLEMS_MAX = 5

/** Reads and checks all rows as `addRows` does, and writes nothing. @returns the counts, and the first rejected rows */
export async function checkRows(
  db: Database,
  orgId: string,
  plan: ImportPlan,
  onProgress: OnProgress,
): Promise<{ counts: Counts; problems: RejectedRow[] }> {
  const convert = compileConvert(plan.mapping)
  const stages = new StageCheck(db, orgId)
  const problems: RejectedRow[] = []
  const counts: Counts = { rows_read: 0, rows_added: 0, rows_rejected: 0 }
  for await (const { rows, bytesRead } of dataRows(plan, 0)) {
    for (const row of rows) {
      const { input, reason = await stages.reasonAgainst(input!) } = convert(row)
      counts.rows_read++
      if (reason === undefined) counts.rows_added++
      else counts.rows_rejected++
      if (reason !== undefined && problems.length < PROBLEMS_MAX) {
        problems.push({ number: row.number, cells: plainCells(row), reason })
      }
    }
    onProgress({ ...counts, bytesRead })
  }
  return { counts, problems }
}

/** The rows below the header, without the first `skip` of them. */
async function* dataRows(
  { file, format }: ImportPlan,
  skip: number,
): AsyncGenerator<{ rows: Row[]; bytesRead: number }> {
  let toSkip = skip + 1
  for await (const { rows, bytesRead } of readRows(file, format)) {
    const skipped = Math.min(toSkip, rows.length)
    toSkip -= skipped
    yield { rows: skipped > 0 ? rows.slice(skipped) : rows, bytesRead }
  }
}

interface Batch {
  key: ImportKey
  actor: Actor
  convert: ReturnType<typeof compileConvert>
  rows: readonly Row[]
  from: number
  msMax: number
}

async function addBatch(tx: Tx, { key, actor, convert, rows, from, msMax }: Batch): Promise<Counts> {
  const endsAt = performance.now() + msMax
  const end = Math.min(rows.length, from + BATCH_ROWS_MAX)
  const counts: Counts = { rows_read: 0, rows_added: 0, rows_rejected: 0 }
  do {
    const row = rows[from + counts.rows_read]!
    const { input, reason = await refusalOf(tx, actor, input!) } = convert(row)
    counts.rows_read++
    if (reason === undefined) {
      counts.rows_added++
    } else {
      counts.rows_rejected++
      const cells = JSON.stringify(plainCells(row))
      await insertReject(tx, { org_id: key.orgId, import_id: key.id, row: row.number, cells, reason })
    }
  } while (from + counts.rows_read < end && performance.now() < endsAt)
  return counts
}

/** Adds one contact. @returns why the org's rules refuse it, before anything was written; undefined when it is added */
async function refusalOf(tx: Tx, actor: Actor, input: ContactInput): Promise<string | undefined> {
  try {
    await createContact(tx, actor, input)
    return undefined
  } catch (error) {
    return reasonOfRefusal(error)
  }
}

/** @throws the error itself when it is none of a rule */
function reasonOfRefusal(error: unknown): string {
  if (error instanceof ApiError && error.code === 'validation') return reasonOf(error.details ?? [])
  throw error
}

function sum(one: Counts, other: Counts): Counts {
  return {
    rows_read: one.rows_read + other.rows_read,
    rows_added: one.rows_added + other.rows_added,
    rows_rejected: one.rows_rejected + other.rows_rejected,
  }
}

/** Lets other processes write to a SQLite database too: they wait for a gap between our transactions. */
class Turns {
  readonly batchMsMax: number
  readonly #yields: boolean
  #restedAt = performance.now()

  constructor(engine: Database['engine']) {
    this.#yields = engine === 'sqlite'
    this.batchMsMax = this.#yields ? BATCH_MS_MAX : Number.POSITIVE_INFINITY
  }

  async next(): Promise<void> {
    if (!this.#yields || performance.now() - this.#restedAt < WORK_MS_MAX) return
    await rest(REST_MS)
    this.#restedAt = performance.now()
  }
}

const STAGES_KEPT_MAX = 1000

/** The pipeline's rule for each stage, asked for once. */
class StageCheck {
  readonly #db: Database
  readonly #orgId: string
  readonly #reasons = new Map<string, string | undefined>()

  constructor(db: Database, orgId: string) {
    this.#db = db
    this.#orgId = orgId
  }

  async reasonAgainst({ deal_stage }: ContactInput): Promise<string | undefined> {
    if (!deal_stage) return undefined
    if (!this.#reasons.has(deal_stage)) {
      if (this.#reasons.size >= STAGES_KEPT_MAX) this.#reasons.clear()
      this.#reasons.set(deal_stage, await this.#ask(deal_stage))
    }
    return this.#reasons.get(deal_stage)
  }

  #ask(stage: string): Promise<string | undefined> {
    return requireStage(this.#db.read, this.#orgId, stage).then(() => undefined, reasonOfRefusal)
  }
}
