/** The import wizard of the web app: each step of it, and what it is told. */
import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import { contactIdsByKey, matchKeyOf } from '../contacts/match-actions.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { isUniqueViolation } from '../database/faults.ts'
import { hint } from '../database/hints.ts'
import type { ImportState } from '../database/schema.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { listMembers } from '../members/actions.ts'
import { DELIMITERS } from '../text/csv-delimiter.ts'
import { isUuid } from '../uuid.ts'
import { compileConvert, plainCells } from './convert.ts'
import { countsOf } from './doing.ts'
import { countFixes, upsertFix } from './file-store.ts'
import { fixedRow, type ImportPlan, KNOWN_COUNT } from './job.ts'
import { hasName, isMarkAGuess } from './mapping.ts'
import { planFile, sampleOf } from './plan.ts'
import { SAMPLE_NAME } from './sample.ts'
import { type Column, type Counts, NO_COUNTS } from './schema.ts'
import { StageCheck } from './stage-check.ts'
import {
  eraseRejectsBetween,
  type ImportJob,
  type ImportKey,
  insertJob,
  insertRejects,
  type JobChange,
  jobById,
  jobsOfFile,
  moveJob,
  recentJobs,
  rejectOfRow,
  rejectPage,
} from './store.ts'
import { FIXES_MAX, keyOf, storedPlan } from './stored-file.ts'
import { IMPORTS_TOPIC } from './topics.ts'
import type {
  FixResult,
  ImportDetail,
  ImportPatch,
  ImportSummary,
  Problem,
  ProblemList,
  ProblemQuery,
  UndoPreview,
} from './ui-schema.ts'
import { previewUndo } from './undo.ts'

const HISTORY_MAX = 200
const UNDO_MS = 30 * 24 * 3_600_000

/** An org's imports, newest first, as far as they are listed. */
export async function listImports(db: Reader, orgId: string): Promise<ImportSummary[]> {
  const jobs = await recentJobs(db, orgId, HISTORY_MAX)
  const names = await actorNames(db, orgId)
  return jobs.map((job) => summaryOf(job, names))
}

/** @throws ApiError `not_found` */
export async function getImport(db: Database, key: ImportKey): Promise<ImportDetail> {
  return detailOf(db, await requireJob(db.read, key))
}

async function detailOf(db: Database, job: ImportJob): Promise<ImportDetail> {
  const { tag, match, format, mapping }: Omit<ImportPlan, 'file'> = JSON.parse(job.mapping)
  const isOpen = job.source === 'upload' && UNRUN.includes(job.state)
  const rows = isOpen ? (await sampleOf(storedPlan(db, job).file, format)).rows : []
  return {
    ...summaryOf(job, await actorNames(db.read, job.org_id)),
    encoding: format.encoding,
    delimiter: format.delimiter,
    decimal_mark: mapping.decimalMark,
    is_mark_a_guess: isMarkAGuess(mapping, rows),
    columns: mapping.columns.map((column, at) => ({ ...column, samples: samplesOf(rows, at) })),
    tag,
    match,
    checked: job.checked ? JSON.parse(job.checked) : null,
    fault: job.fault,
    imported_before: isOpen ? await importedBefore(db.read, job) : null,
    undone: job.undone ? JSON.parse(job.undone) : null,
  }
}

const SAMPLES_SHOWN = 3
const SAMPLE_LENGTH_MAX = 80

/** Values of a column that are there, and differ. */
function samplesOf(rows: readonly string[][], at: number): string[] {
  const values = new Set<string>()
  for (const row of rows) {
    const value = row[at]?.trim()
    if (value) values.add(value.slice(0, SAMPLE_LENGTH_MAX))
    if (values.size === SAMPLES_SHOWN) break
  }
  return [...values]
}

async function importedBefore(db: Reader, { org_id, id, file_hash }: ImportJob): Promise<string | null> {
  const jobs = await jobsOfFile(db, { orgId: org_id, hash: file_hash })
  return jobs.find((job) => job.id !== id && job.state === 'done')?.finished_at ?? null
}

/** What people call those who do things, by `Actor.name`. */
async function actorNames(db: Reader, orgId: string): Promise<Map<string, string>> {
  const members = await listMembers(db, orgId)
  const names = members.map(({ id, name, email }): [string, string] => [`member:${id}`, name || email])
  return new Map([...names, ['command', 'Command line']])
}

function summaryOf(job: ImportJob, names: Map<string, string>): ImportSummary {
  const { id, source, file_name, file_bytes, state, started_at, finished_at, bytes_read, created_by } = job
  const since = finished_at === null ? 0 : now() - Date.parse(finished_at)
  return {
    id,
    source,
    file_name,
    file_bytes,
    state: state as ImportSummary['state'],
    created_by: names.get(created_by) ?? 'Somebody who has left',
    started_at,
    finished_at,
    counts: countsOf(job),
    bytes_read,
    can_continue: state === 'stopped' && job.has_file === 1,
    can_undo:
      UNDOABLE.includes(state) && job.has_records === 1 && since < UNDO_MS && job.rows_added + job.rows_updated > 0,
  }
}

const UNRUN: readonly ImportState[] = ['uploaded', 'checking', 'checked']
const UNDOABLE: readonly ImportState[] = ['done', 'stopped', 'failed']

/**
 * Changes how an uploaded file is read, where its columns go, or what becomes of contacts that are there. A check that
 * was made before counts no more.
 *
 * @throws ApiError `not_found`; `validation`, also when it is being imported already
 */
export async function changeImport(db: Database, actor: Actor, id: string, patch: ImportPatch): Promise<ImportDetail> {
  const key = { orgId: actor.orgId, id }
  const job = await requireJob(db.read, key)
  const plan = await changedPlan(storedPlan(db, job), patch)
  const { format, mapping, match, tag } = plan
  const change = {
    mapping: JSON.stringify({ format, mapping, match, tag }),
    checked: null,
    ...NO_COUNTS,
    bytes_read: 0,
  }
  await db.write((tx) => move(tx, key, UNRUN, { ...change, state: 'uploaded' }))
  return getImport(db, key)
}

async function changedPlan(plan: ImportPlan, patch: ImportPatch): Promise<ImportPlan> {
  const { encoding, delimiter, decimal_mark, fields, tag, match } = patch
  if (delimiter !== undefined && !DELIMITERS.includes(delimiter)) {
    throw fault('delimiter', 'delimiter must be a comma, a semicolon or a tab.')
  }
  const changed = { ...plan, ...(tag !== undefined && { tag }), ...(match && { match }) }
  if (encoding !== undefined || delimiter !== undefined) {
    const wishes = { encoding: encoding ?? plan.format.encoding, delimiter: delimiter ?? plan.format.delimiter }
    Object.assign(changed, await planFile(plan.file, { ...wishes, mayLackName: true }))
  }
  const { columns, decimalMark } = changed.mapping
  changed.mapping = {
    columns: fields ? columnsFor(columns, fields) : columns,
    decimalMark: decimal_mark ?? decimalMark,
  }
  return changed
}

function columnsFor(columns: readonly Column[], fields: readonly Column['field'][]): Column[] {
  if (fields.length !== columns.length) {
    throw fault('fields', `fields must name the field of each of the ${columns.length} columns.`)
  }
  const single = fields.filter((field) => field !== null && !SHARED.includes(field))
  const twice = single.find((field, at) => single.indexOf(field) < at)
  if (twice) throw fault('fields', `${twice} takes one column; it is given to two.`)
  return columns.map((column, at) => {
    const field = fields[at]!
    return field === column.field ? column : { name: column.name, field, by: 'given' }
  })
}

/** Fields that several columns can go to. */
const SHARED: readonly Column['field'][] = ['location', 'tags', 'tag']

/**
 * Begins to read the whole file and to tell what would become of its rows; nothing is written to contacts.
 *
 * @throws ApiError `not_found`; `validation` when no column is a name, or it is being imported already
 */
export async function beginCheck(tx: Tx, actor: Actor, id: string): Promise<void> {
  const key = { orgId: actor.orgId, id }
  const { mapping }: Pick<ImportPlan, 'mapping'> = JSON.parse((await requireJob(tx, key)).mapping)
  if (!hasName(mapping))
    throw fault('fields', 'Choose the column that is the name or the company: a contact needs one.')
  await move(tx, key, ['uploaded', 'checked'], { state: 'checking', checked: null, ...NO_COUNTS, bytes_read: 0 })
}

/**
 * Begins the import of a checked file.
 *
 * @throws ApiError `not_found`; `validation` when it has not been checked, or has problems that are not to be skipped
 */
export async function beginImport(
  tx: Tx,
  actor: Actor,
  id: string,
  { skip_problems }: { skip_problems: boolean },
): Promise<void> {
  const key = { orgId: actor.orgId, id }
  const job = await requireJob(tx, key)
  const checked: Counts | null = job.checked && JSON.parse(job.checked)
  if (checked && checked.rows_rejected > 0 && !skip_problems) {
    throw fault('skip_problems', `${checked.rows_rejected} rows have problems. Correct them, or skip these rows.`)
  }
  const change = { ...NO_COUNTS, bytes_read: 0, started_at: toIso(now()) }
  await move(tx, key, ['checked'], { ...change, state: 'running' }).catch(refuseSecond)
}

/** Ends an import, keeping what is done, or a check. @throws ApiError `not_found`; `validation` when it has ended */
export async function stopImport(tx: Tx, actor: Actor, id: string): Promise<void> {
  const key = { orgId: actor.orgId, id }
  const { state, source } = await requireJob(tx, key)
  if (state === 'checking') await move(tx, key, ['checking'], { state: 'uploaded', ...NO_COUNTS, bytes_read: 0 })
  else if (source === 'file') throw fault('', 'This import runs on the command line. Stop it there.')
  else await move(tx, key, ['running'], { state: 'stopped', finished_at: toIso(now()) })
}

/** Goes on with an import that was stopped. @throws ApiError `not_found`; `validation` when that cannot be */
export async function continueImport(tx: Tx, actor: Actor, id: string): Promise<void> {
  const key = { orgId: actor.orgId, id }
  const { has_file } = await requireJob(tx, key)
  if (has_file === 0) throw fault('', 'The uploaded file is not there any more. Upload it again.')
  await move(tx, key, ['stopped'], { state: 'running', finished_at: null }).catch(refuseSecond)
}

/** Begins to take back what an import has done. @throws ApiError `not_found`; `validation` when that cannot be */
export async function beginUndo(tx: Tx, actor: Actor, id: string): Promise<void> {
  const job = await requireJob(tx, { orgId: actor.orgId, id })
  if (!summaryOf(job, new Map()).can_undo) throw fault('', 'This import cannot be undone, or not any more.')
  await move(tx, keyOf(job), UNDOABLE, { state: 'undoing', undone: null })
}

/** @throws ApiError `not_found`; `validation` when it cannot be undone */
export async function getUndoPreview(db: Database, key: ImportKey): Promise<UndoPreview> {
  const job = await requireJob(db.read, key)
  if (!summaryOf(job, new Map()).can_undo) throw fault('', 'This import cannot be undone, or not any more.')
  return previewUndo(db, key)
}

/** Removes an upload that was not imported. @throws ApiError `not_found`; `validation` when it was */
export async function removeUpload(tx: Tx, actor: Actor, id: string): Promise<void> {
  const key = { orgId: actor.orgId, id }
  await requireJob(tx, key)
  await move(tx, key, ['uploading', ...UNRUN], { state: 'removed' })
}

/** Rows that could not be taken, in the order of the file. @throws ApiError `not_found` */
export async function listProblems(db: Reader, key: ImportKey, page: ProblemQuery): Promise<ProblemList> {
  const job = await requireJob(db, key)
  const rows = PROBLEM_STATES.includes(job.state) ? await rejectPage(db, key, page) : []
  const checked: Counts | null = job.state === 'checked' ? JSON.parse(job.checked!) : null
  const count = rows.length === 0 && page.offset === 0 ? 0 : (checked ?? job).rows_rejected
  return {
    data: rows.map(({ number, cell, reason, cells }) => ({ row: number, cell, reason, cells })),
    meta: { count, ...page },
  }
}

/** While it is being checked or run, the rows of both would stand side by side. */
const PROBLEM_STATES: readonly ImportState[] = ['checked', 'running', 'stopped', 'done', 'failed', 'undoing', 'undone']

/**
 * Corrects a row and checks it again.
 *
 * @param cells all of the row's
 * @throws ApiError `not_found`, also for a row without a problem; `validation` when the file is not checked
 */
export async function fixProblem(
  db: Database,
  actor: Actor,
  { id, row, cells }: { id: string; row: number; cells: readonly string[] },
): Promise<FixResult> {
  const key = { orgId: actor.orgId, id }
  const job = await requireJob(db.read, key)
  const plan = storedPlan(db, job)
  const fixed = fixedRow({ number: row, cells: [] }, new Map([[row, cells]]))
  const { input, refusal: fault_ } = compileConvert(plan.mapping, plan.tag)(fixed)
  const known = input ? await isKnown(db, key.orgId, plan, input) : false
  const stages = new StageCheck(db, key.orgId)
  const refusal = fault_ ?? (await stages.refusalOf(input, { isKnown: known, match: plan.match }))
  const outcome = refusal ? 'rows_rejected' : known ? KNOWN_COUNT[plan.match.known] : 'rows_added'
  const problem: Problem | null = refusal ? { row, ...refusal, cells: plainCells(fixed) } : null

  const checked = await db.write(async (tx) => {
    const locked = await requireJob(tx, key)
    if (!Number.isSafeInteger(row) || !(await rejectOfRow(tx, key, row)))
      throw new ApiError('not_found', 'There is no problem with such a row.')
    if ((await countFixes(tx, key)) >= FIXES_MAX) {
      throw fault('', `At most ${FIXES_MAX} rows can be corrected here. Correct the others in the file.`)
    }
    const before: Counts = JSON.parse(locked.checked ?? JSON.stringify(NO_COUNTS))
    const after = { ...before, rows_rejected: before.rows_rejected - 1 }
    after[outcome]++
    await move(tx, key, ['checked'], { checked: JSON.stringify(after) })
    await upsertFix(tx, key, { row, cells })
    await eraseRejectsBetween(tx, key, { first: row, last: row })
    if (refusal) await insertRejects(tx, key, [{ number: row, cells: plainCells(fixed), ...refusal }])
    return after
  })
  return { problem, checked }
}

async function isKnown(db: Database, orgId: string, { match }: ImportPlan, input: Parameters<typeof matchKeyOf>[1]) {
  const matchKey = match.known === 'add' ? undefined : matchKeyOf(match.on, input)
  if (matchKey === undefined) return false
  return (await contactIdsByKey(db.read, orgId, { on: match.on, keys: [matchKey] })).has(matchKey)
}

/**
 * Begins to add the sample data, as an import that can be undone.
 *
 * @throws ApiError `validation` when the org has it already
 */
export async function addSampleData(tx: Tx, actor: Actor): Promise<{ id: string }> {
  const before = await jobsOfFile(tx, { orgId: actor.orgId, hash: SAMPLE_NAME })
  if (before.some(({ state }) => state !== 'undone' && state !== 'failed'))
    throw fault('', 'The sample data is there already.')
  const at = toIso(now())
  const id = newId()
  const plan = { format: { encoding: 'utf-8', delimiter: ',' }, mapping: { columns: [], decimalMark: '.' }, tag: null }
  await insertJob(tx, {
    id,
    org_id: actor.orgId,
    source: 'sample',
    file_name: SAMPLE_NAME,
    file_hash: SAMPLE_NAME,
    file_bytes: 0,
    mapping: JSON.stringify({ ...plan, match: { on: 'email', known: 'add' } }),
    state: 'running',
    ...NO_COUNTS,
    created_by: actor.name,
    has_file: 0,
    started_at: at,
    touched_at: at,
    finished_at: null,
  }).catch(refuseSecond)
  tellOf(tx, { orgId: actor.orgId, id })
  return { id }
}

/** @throws ApiError `not_found` */
export async function requireJob(db: Reader, key: ImportKey): Promise<ImportJob> {
  const job = isUuid(key.id) ? await jobById(db, key) : undefined
  if (!job) throw new ApiError('not_found', 'There is no such import.')
  return job
}

/** @throws ApiError `validation` when the import is in another state */
async function move(tx: Tx, key: ImportKey, from: readonly ImportState[], change: JobChange): Promise<void> {
  const isMoved = await moveJob(tx, key, from, { ...change, touched_at: toIso(now()) })
  if (!isMoved) throw fault('', 'The import has gone on meanwhile. Look at it again.')
  tellOf(tx, key)
}

function tellOf(tx: Tx, { orgId, id }: ImportKey): void {
  hint(tx, IMPORTS_TOPIC)
  announce(tx, orgId, 'import', id)
}

function fault(path: string, message: string): ApiError {
  return validationError([{ path, code: 'not_allowed', message }])
}

function refuseSecond(error: unknown): never {
  throw isUniqueViolation(error) ? fault('', 'This file is being imported just now.') : error
}
