/** Importing contacts from a CSV file, whoever asks: the command or the web app. */
import { now, toIso } from '../clock.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { isUniqueViolation } from '../database/faults.ts'
import { validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { getOrg } from '../orgs/actions.ts'
import { COLUMNS_MAX } from './csv-record.ts'
import { guessDelimiter } from './dialect.ts'
import { addRows, checkRows, type ImportPlan, type OnProgress } from './job.ts'
import { type GivenFields, mapColumns } from './mapping.ts'
import { writeRejectedFile } from './rejected-file.ts'
import { RowSplitter } from './rows.ts'
import type { RejectedRow } from './schema.ts'
import { fileFault, startOfFile, surveyFile } from './source-file.ts'
import {
  type Counts,
  eraseRejects,
  finishJob,
  type ImportJob,
  type ImportKey,
  insertJob,
  jobsOfFile,
  rejectsAfter,
} from './store.ts'

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

const SAMPLE_ROWS_MAX = 200
const PROBLEMS_MAX = 5

/**
 * Reads a file and decides how it is to be imported.
 *
 * @param given the fields of some columns; the others are guessed
 * @throws ApiError `validation` at `file` when it is no usable CSV file, at `map` when columns cannot be mapped
 */
export async function planImport(path: string, given: GivenFields = new Map()): Promise<ImportPlan> {
  const file = await surveyFile(path)
  const start = await startOfFile(file)
  const format = { encoding: file.encoding, delimiter: guessDelimiter(start.text, start.isWhole) }
  const splitter = new RowSplitter(format.delimiter)
  const rows = [...splitter.push(start.text), ...(start.isWhole ? splitter.end() : [])]
  const header = rows.shift()
  if (!header) throw fileFault('The file has no rows.')
  if (header.fault) throw fileFault(`Row ${header.number}, which must name the columns: ${header.fault}`)
  if (header.cells.length > COLUMNS_MAX) throw fileFault(`The file has more than ${COLUMNS_MAX} columns.`)
  const sample = rows.slice(0, SAMPLE_ROWS_MAX).map(({ cells }) => cells)
  return { file, format, mapping: mapColumns({ header: header.cells, rows: sample, ...format }, given) }
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
  const begun: Pick<ImportPlan, 'format' | 'mapping'> = JSON.parse(job.mapping)
  if (keepsPlan && job.mapping !== planText(plan)) {
    const message = 'This import was begun with other fields for its columns. Give the same again, or none, to go on.'
    throw validationError([{ path: 'map', code: 'not_allowed', message }])
  }
  const { rows_read, rows_added, rows_rejected } = job
  const carriedOut = { file: plan.file, ...begun }
  const counts = await addRows(db, key, carriedOut, { rows_read, rows_added, rows_rejected }, onProgress)
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
    await finishJob(tx, key, toIso(now()))
  })
  return {
    importId: job.id,
    plan: carriedOut,
    counts,
    rowsBefore: rows_read,
    problems,
    rejectedFile: hasFile ? rejectedFile : null,
  }
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
  const { counts, problems } = await checkRows(db, orgId, plan, onProgress)
  return { importId: null, plan, counts, rowsBefore: 0, problems, rejectedFile: null }
}

async function jobFor(tx: Tx, orgId: string, plan: ImportPlan, again: boolean): Promise<ImportJob> {
  await getOrg(tx, orgId)
  const unfinished = await unfinishedJob(tx, orgId, plan, again)
  if (unfinished) return unfinished
  const job: ImportJob = {
    id: newId(),
    file_name: plan.file.name,
    file_hash: plan.file.hash,
    mapping: planText(plan),
    state: 'running',
    rows_read: 0,
    rows_added: 0,
    rows_rejected: 0,
    started_at: toIso(now()),
    finished_at: null,
  }
  await insertJob(tx, { ...job, org_id: orgId })
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
  const unfinished = jobs.find(({ state }) => state === 'running')
  const finished = jobs.find(({ state }) => state === 'done')
  if (unfinished || !finished || again) return unfinished
  const { finished_at, rows_added, rows_rejected } = finished
  throw fileFault(
    `This file was imported on ${finished_at}: ${rows_added} contacts added, ${rows_rejected} rows rejected. ` +
      'Importing it once more takes --again.',
  )
}

function planText({ format, mapping }: ImportPlan): string {
  return JSON.stringify({ format, mapping })
}

function refuseSecondStart(error: unknown): never {
  throw isUniqueViolation(error) ? fileFault('Another process has just begun to import this file.') : error
}

/** A rejected row can have 100 cells of 16 KiB. */
const REJECTED_AT_ONCE = 20

async function* rejectedRows(db: Reader, key: ImportKey): AsyncGenerator<RejectedRow[]> {
  for (let after = 0; ; ) {
    const rows = await rejectsAfter(db, key, after, REJECTED_AT_ONCE)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.number
  }
}
