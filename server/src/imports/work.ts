/** What is done for an import in the background, one bounded batch at a time. */
import { now, toIso } from '../clock.ts'
import { countsOf, type Doing, finish, requireOwn } from './doing.ts'
import { takeHanded } from './handed.ts'
import type { Takers } from './handed-actions.ts'
import { checkRows, takeRows } from './job.ts'
import { addSample } from './sample.ts'
import { type Counts, NO_COUNTS, type RejectedRow } from './schema.ts'
import { advanceJob, eraseRejectsBetween, insertRejects } from './store.ts'
import { keyOf, storedFixes, storedPlan } from './stored-file.ts'
import { undoImport } from './undo.ts'
import { resetCounts } from './work-store.ts'

/**
 * Brings an import to where its state leads: a check to its end, a run to its end, an undoing to its end.
 *
 * @throws LostImport when it is not this owner's any more; ApiError `validation` at `file`
 */
export async function* workOn(doing: Doing, takers: Takers): AsyncGenerator<void> {
  const { state, source } = doing.job
  const take = takers[source]
  if (state === 'checking') yield* check(doing)
  else if (state === 'undoing') yield* undoImport(doing)
  else if (source === 'sample') yield* addSample(doing)
  else if (take) yield* takeHanded(doing, take)
  else yield* run(doing)
}

async function* run(doing: Doing): AsyncGenerator<void> {
  const { db, job, owner, tell } = doing
  const fixes = await storedFixes(db, keyOf(job))
  const taking = { counts: countsOf(job), owner, fixes, wasChecked: true, onBatch: tell }
  for await (const _ of takeRows(db, keyOf(job), storedPlan(db, job), taking)) yield
  await finish(doing, { state: 'done', finished_at: toIso(now()) })
}

const CHECKED_AT_ONCE_MS = 300
const REJECTS_AT_ONCE = 200
const ROWS_MAX = 2 ** 31 - 1

/** Begins at the first row, also where another process had come further: nothing but counts would be lost. */
async function* check(doing: Doing): AsyncGenerator<void> {
  const { db, job, owner, tell } = doing
  const key = keyOf(job)
  await db.write(async (tx) => requireOwn(await resetCounts(tx, key, owner)))
  let saved: Counts = NO_COUNTS
  let counts: Counts = NO_COUNTS
  let first = 0
  let rejected: RejectedRow[] = []
  let savedAtMs = performance.now()
  for await (const checked of checkRows(db, key.orgId, storedPlan(db, job), await storedFixes(db, key))) {
    counts = checked.counts
    rejected.push(...checked.rejected)
    if (rejected.length >= REJECTS_AT_ONCE || performance.now() - savedAtMs > CHECKED_AT_ONCE_MS) {
      await save(checked.span.last, checked.bytesRead)
      savedAtMs = performance.now()
    }
    yield
  }
  await save(ROWS_MAX, job.file_bytes)
  await finish(doing, { state: 'checked', checked: JSON.stringify(counts) })

  async function save(last: number, bytesRead: number): Promise<void> {
    await db.write(async (tx) => {
      requireOwn(await advanceJob(tx, key, { state: 'checking', owner, before: saved, after: counts, bytesRead }))
      await eraseRejectsBetween(tx, key, { first, last })
      await insertRejects(tx, key, rejected)
      tell(tx)
    })
    saved = counts
    first = last + 1
    rejected = []
  }
}
