/** What every kind of work on an import needs. */
import { now, toIso } from '../clock.ts'
import type { Database, Tx } from '../database/engine.ts'
import { announce } from '../live/announce.ts'
import { LostImport } from './job.ts'
import type { Counts } from './schema.ts'
import type { ImportJob } from './store.ts'
import { keyOf } from './stored-file.ts'
import { endWork } from './work-store.ts'

export interface Doing {
  db: Database
  job: ImportJob
  /** The process that works it. */
  owner: string
  /** Tells the open pages, now and then. */
  tell: (tx: Tx) => void
}

/** Ends the work. @throws LostImport */
export async function finish({ db, job, owner }: Doing, change: Parameters<typeof endWork>[3]): Promise<void> {
  await db.write(async (tx) => {
    requireOwn(await endWork(tx, keyOf(job), owner, { ...change, touched_at: toIso(now()) }))
    announce(tx, job.org_id, 'import', job.id)
  })
}

/** @throws LostImport */
export function requireOwn(isOwn: boolean): void {
  if (!isOwn) throw new LostImport('Another process works this import, or it was stopped.')
}

export function countsOf({ rows_read, rows_added, rows_updated, rows_skipped, rows_rejected }: Counts): Counts {
  return { rows_read, rows_added, rows_updated, rows_skipped, rows_rejected }
}
