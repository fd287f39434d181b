/** Which imports there is something to do for. Looks across orgs: the worker serves all of them. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../database/engine.ts'
import type { ImportState } from '../database/schema.ts'
import { NO_COUNTS } from './schema.ts'
import type { ImportJob, ImportKey } from './store.ts'

export interface Work {
  org_id: string
  id: string
  source: ImportJob['source']
  state: ImportState
  owner: string | null
  beats: number
}

const WORKED = sql<boolean>`state in ('checking', 'running', 'undoing')`

/** All imports that are being worked, oldest first. */
export function jobsInWork(db: Reader): Promise<Work[]> {
  return db
    .selectFrom('import_job')
    .select(['org_id', 'id', 'source', 'state', 'owner', 'beats'])
    .where(WORKED)
    .orderBy('id')
    .execute()
}

/**
 * Makes `owner` the one that works an import.
 *
 * @returns false, and nothing is changed, when it is not as it was seen: another has taken it, or its owner is alive
 */
export async function takeJob(tx: Tx, { org_id, id, owner: before, beats }: Work, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import_job')
    .set(({ eb }) => ({ owner, beats: eb('beats', '+', 1) }))
    .where('org_id', '=', org_id)
    .where('id', '=', id)
    .where(WORKED)
    .where(sql`coalesce(owner, '')`, '=', before ?? '')
    .where('beats', '=', beats)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Gives another beat. @returns whether it is the owner's own still */
export async function beatJob(tx: Tx, { orgId, id }: ImportKey, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import_job')
    .set(({ eb }) => ({ beats: eb('beats', '+', 1) }))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Makes the counts those of an import of which nothing is done. @returns whether it was the owner's own still */
export async function resetCounts(tx: Tx, { orgId, id }: ImportKey, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import_job')
    .set({ ...NO_COUNTS, bytes_read: 0 })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Notes how far undoing has come. @returns whether it was the owner's own still */
export async function noteUndone(tx: Tx, { orgId, id }: ImportKey, owner: string, undone: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import_job')
    .set({ undone })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Gives an import back, for another to take. */
export async function leaveJob(tx: Tx, { orgId, id }: ImportKey, owner: string): Promise<void> {
  await tx
    .updateTable('import_job')
    .set({ owner: null })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .execute()
}

/** Changes an import that `owner` works, and ends its work. @returns whether it was its own still */
export async function endWork(
  tx: Tx,
  { orgId, id }: ImportKey,
  owner: string,
  change: Partial<Pick<ImportJob, 'state' | 'checked' | 'undone' | 'fault' | 'finished_at' | 'touched_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import_job')
    .set({ ...change, owner: null })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export type Held = Pick<ImportJob, 'org_id' | 'id' | 'state' | 'touched_at'>

const HELD = ['org_id', 'id', 'state', 'touched_at'] as const

/** Imports whose file is there, the longest untouched first. */
export function jobsWithFile(db: Reader, limit: number): Promise<Held[]> {
  return db
    .selectFrom('import_job')
    .select(HELD)
    .where(sql<boolean>`has_file = 1`)
    .orderBy('touched_at')
    .limit(limit)
    .execute()
}

/** Imports that ended before this time, and whose records are there. */
export function jobsWithRecords(db: Reader, before: string, limit: number): Promise<Held[]> {
  return db
    .selectFrom('import_job')
    .select(HELD)
    .where(sql<boolean>`has_records = 1`)
    .where('finished_at', '<', before)
    .orderBy('finished_at')
    .limit(limit)
    .execute()
}

export async function markErased(
  tx: Tx,
  { orgId, id }: ImportKey,
  change: Partial<Pick<ImportJob, 'has_file' | 'has_records'>>,
): Promise<void> {
  await tx.updateTable('import_job').set(change).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Erases some of what tells about people: rejected rows and changes. @returns whether there may be more */
export async function eraseSomeRecords(tx: Tx, { orgId, id }: ImportKey, max: number): Promise<boolean> {
  const rejects = await tx
    .selectFrom('import_reject')
    .select('row')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .orderBy('row')
    .limit(max)
    .execute()
  if (rejects.length > 0) {
    await tx
      .deleteFrom('import_reject')
      .where('org_id', '=', orgId)
      .where('import_id', '=', id)
      .where('row', '<=', rejects.at(-1)!.row)
      .execute()
    return true
  }
  const changes = await tx
    .selectFrom('import_change')
    .select('contact_id')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .orderBy('contact_id')
    .limit(max)
    .execute()
  if (changes.length > 0) {
    await tx
      .deleteFrom('import_change')
      .where('org_id', '=', orgId)
      .where('import_id', '=', id)
      .where('contact_id', '<=', changes.at(-1)!.contact_id)
      .execute()
    return true
  }
  await tx.deleteFrom('import_task').where('org_id', '=', orgId).where('import_id', '=', id).execute()
  return false
}

export async function eraseJob(tx: Tx, { orgId, id }: ImportKey): Promise<void> {
  await tx.deleteFrom('import_job').where('org_id', '=', orgId).where('id', '=', id).execute()
}
