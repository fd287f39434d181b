import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import type { ImportState } from '../database/schema.ts'
import { eraseFixes, eraseParts } from './file-store.ts'
import { keyOf } from './stored-file.ts'
import { eraseJob, eraseSomeRecords, type Held, jobsWithFile, jobsWithRecords, markErased } from './work-store.ts'

export const UNDO_DAYS = 30
const FILE_HOURS = 24
const HOUR_MS = 3_600_000

/** In these, the file is of no use any more. */
const ENDED: ReadonlySet<ImportState> = new Set(['done', 'failed', 'undone', 'removed'])
/** From these, somebody may still go on. */
const WAITING: ReadonlySet<ImportState> = new Set(['uploading', 'uploaded', 'checked', 'stopped'])

const LOOKED_AT_MAX = 100
/** 1 MiB: zeroing it takes SQLite some milliseconds. */
const PARTS_AT_ONCE = 8
const RECORDS_AT_ONCE = 100

/**
 * Makes the background step that erases what imports no longer need: the file of one that has ended, or that nobody
 * went on with for a day, and all that undoing needs 30 days after its end.
 *
 * @returns a step for `startLoop`; it works off one bounded batch and returns how many rows it erased
 */
export function importRetentionStep(db: Database): () => Promise<number> {
  return async () => (await eraseFile(db)) + (await eraseRecords(db))
}

async function eraseFile(db: Database): Promise<number> {
  const abandonedBefore = toIso(now() - FILE_HOURS * HOUR_MS)
  const held = await jobsWithFile(db.read, LOOKED_AT_MAX)
  const job = held.find(({ state, touched_at }) => {
    return ENDED.has(state) || (WAITING.has(state) && touched_at < abandonedBefore)
  })
  if (!job) return 0
  const key = keyOf(job)
  return db.write(async (tx) => {
    const parts = await eraseParts(tx, key, PARTS_AT_ONCE)
    if (parts > 0) return parts
    await eraseFixes(tx, key)
    if (isWritten(job)) {
      await markErased(tx, key, { has_file: 0 })
      return 1
    }
    // Nothing came of it, so nothing is left of it.
    if (await eraseSomeRecords(tx, key, RECORDS_AT_ONCE)) return RECORDS_AT_ONCE
    await eraseJob(tx, key)
    return 1
  })
}

function isWritten({ state }: Held): boolean {
  return state === 'done' || state === 'failed' || state === 'undone' || state === 'stopped'
}

async function eraseRecords(db: Database): Promise<number> {
  const before = toIso(now() - UNDO_DAYS * 24 * HOUR_MS)
  const [job] = await jobsWithRecords(db.read, before, 1)
  if (!job) return 0
  return db.write(async (tx) => {
    if (await eraseSomeRecords(tx, keyOf(job), RECORDS_AT_ONCE)) return RECORDS_AT_ONCE
    await markErased(tx, keyOf(job), { has_records: 0 })
    return 1
  })
}
