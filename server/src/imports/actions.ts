/** Importing contacts from a CSV file, as the command does it: from a file on its own disk, in one go. */
import { now, toIso } from '../clock.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { isUniqueViolation } from '../database/faults.ts'
import { validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { getOrg } from '../orgs/actions.ts'
import { checkRows, type ImportPlan, LostImport, type OnProgress, takeRows } from './job.ts'
import type { GivenFields } from './mapping.ts'
import { ADD_ALL, planFile } from './plan.ts'
import { writeRejectedFile } from './rejected-file.ts'
import { rejectedRows } from './rejected-rows.ts'
import { type Counts, type Match, NO_COUNTS, type RejectedRow } from './schema.ts'
import { fileFault, surveyFile } from './source-file.ts'
import { eraseRejects, type ImportJob, type ImportKey, insertJob, jobsOfFile, moveJob, rejectsAfter } from './store.ts'

export interface ImportResult {
  /** Null when nothing was to be written. */
  importId: string | null
  /** As it was carried out. */
  plan: ImportPlan
  counts: Counts
  /** Rows that an earlier run had dealt with. */
  rowsBefore: number
  /** The first of the rejected rows. */
  problems: RejectedRow[]
  /** Null when no row was rejected, or no file asked for. */
  rejectedFile: string | null
}

const PROBLEMS_MAX = 5

/**
 * Reads a file and decides how it is to be imported.
 *
 * @param given the fields of some columns; the others are guessed
 * @throws ApiError `validation` at `file` when it is no usable CSV file, at `map` when columns cannot be mapped
 */
export async function planImport(
  path: string,
  given: GivenFields = new Map(),
  match: Match = ADD_ALL,
): Promise<ImportPlan> {
  const file = await surveyFile(path)
  return { file, ...(await planFile(file, { given })), match, tag: null }
}

export interface ImportOptions {
  /** Import a file again that was imported whole. */
  again?: boolean
  /** Refuse to go on with an import that was begun with another mapping, instead of keeping to it. */
  keepsPlan?: boolean
  /** Where the rejected rows are to be written. */
  rejectedFile?: string
  onProgress?: OnProgress
}

/**
 * Imports a file, or goes on where an earlier run of the same file was broken off.
 *
 * @throws ApiError `not_found` for an unknown org; `validation` at `file` when it was imported whole before
 */
export async function importFile(
  db: Database,
  orgId: string,
  plan: ImportPlan,
  { again = false, keepsPlan = false, rejectedFile, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportResult> {
  const job = await db.write((tx) => jobFor(tx, orgId, plan, again)).catch(refuseSecondStart)
  const key = { orgId, id: job.id }
  const begun: Omit<ImportPlan, 'file'> = JSON.parse(job.mapping)
  if (keepsPlan && job.mapping !== planText(plan)) {
    const message = 'This import was begun with other fields for its columns. Give the same again, or none, to go on.'
    throw validationError([{ path: 'map', code: 'not_allowed', message }])
  }
  const carriedOut = { file: plan.file, ...begun }
  const counts = await takeAll(db, key, carriedOut, { counts: countsOf(job), onProgress })
  const hasFile = rejectedFile !== undefined && counts.rows_rejected > 0
  if (hasFile) {
    const header = begun.mapping.columns.map(({ name }) => name)
    await writeRejectedFile(rejectedFile, { header, delimiter: begun.format.delimiter }, rejectedRows(db.read, key))
  }
  const problems = await rejectsAfter(db.read, key, 0, PROBLEMS_MAX)
  // Only now: whoever is killed before has the file written when the import is run again.
  await db.write(async (tx) => {
    // The file has them; here nobody would ever delete what they tell about people.
    if (hasFile) await eraseRejects(tx, key)
    await moveJob(tx, key, ['running'], { state: 'done', finished_at: toIso(now()) })
  })
  return {
    importId: job.id,
    plan: carriedOut,
    counts,
    rowsBefore: job.rows_read,
    problems,
    rejectedFile: hasFile ? rejectedFile : null,
  }
}

async function takeAll(
  db: Database,
  key: ImportKey,
  plan: ImportPlan,
  { counts, onProgress }: { counts: Counts; onProgress: OnProgress },
): Promise<Counts> {
  let last: Counts = counts
  try {
    for await (const { bytesRead, ...done } of takeRows(db, key, plan, { counts, owner: '' })) {
      last = done
      onProgress({ ...done, bytesRead })
    }
  } catch (error) {
    throw error instanceof LostImport ? fileFault(error.message) : error
  }
  return last
}

/**
 * Tells what `importFile` would do with the whole file, and writes nothing.
 *
 * @throws as `importFile`
 */
export async function checkImport(
  db: Database,
  orgId: string,
  plan: ImportPlan,
  { again = false, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportResult> {
  await getOrg(db.read, orgId)
  await unfinishedJob(db.read, orgId, plan, again)
  const problems: RejectedRow[] = []
  let counts: Counts = NO_COUNTS
  for await (const checked of checkRows(db, orgId, plan)) {
    counts = checked.counts
    problems.push(...checked.rejected.slice(0, PROBLEMS_MAX - problems.length))
    onProgress({ ...counts, bytesRead: checked.bytesRead })
  }
  return { importId: null, plan, counts, rowsBefore: 0, problems, rejectedFile: null }
}

type Begun = Pick<ImportJob, 'id' | 'mapping' | keyof Counts>

async function jobFor(tx: Tx, orgId: string, plan: ImportPlan, again: boolean): Promise<Begun> {
  await getOrg(tx, orgId)
  const unfinished = await unfinishedJob(tx, orgId, plan, again)
  if (unfinished) return unfinished
  const at = toIso(now())
  const job = {
    id: newId(),
    org_id: orgId,
    source: 'file' as const,
    file_name: plan.file.name,
    file_hash: plan.file.hash,
    file_bytes: plan.file.bytes,
    mapping: planText(plan),
    state: 'running' as const,
    ...NO_COUNTS,
    created_by: 'command',
    has_file: 0,
    started_at: at,
    touched_at: at,
    finished_at: null,
  }
  await insertJob(tx, job)
  return job
}

/** @throws ApiError `validation` at `file` when it was imported whole before and is not to be again */
async function unfinishedJob(
  db: Reader,
  orgId: string,
  { file }: ImportPlan,
  again: boolean,
): Promise<ImportJob | undefined> {
  const jobs = await jobsOfFile(db, { orgId, hash: file.hash })
  const running = jobs.find(({ state }) => state === 'running')
  if (running && running.source !== 'file') throw fileFault('This file is being imported in the web app just now.')
  const finished = jobs.find(({ state }) => state === 'done')
  if (running || !finished || again) return running
  const { finished_at, rows_added, rows_rejected } = finished
  throw fileFault(
    `This file was imported on ${finished_at}: ${rows_added} contacts added, ${rows_rejected} rows rejected. ` +
      'Importing it once more takes --again.',
  )
}

function planText({ format, mapping, match, tag }: ImportPlan): string {
  return JSON.stringify({ format, mapping, match, tag })
}

function countsOf({ rows_read, rows_added, rows_updated, rows_skipped, rows_rejected }: Counts): Counts {
  return { rows_read, rows_added, rows_updated, rows_skipped, rows_rejected }
}

function refuseSecondStart(error: unknown): never {
  throw isUniqueViolation(error) ? fileFault('Another process has just begun to import this file.') : error
}
