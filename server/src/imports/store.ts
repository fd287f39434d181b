/** Imports and the rows that they could not take. */
import { type Selectable, sql } from 'kysely'
import { compiled } from '../database/compiled.ts'
import { compiledRows } from '../database/compiled-rows.ts'
import type { Reader, Tx } from '../database/engine.ts'
import type { ImportJobTable, ImportRejectTable, ImportState } from '../database/schema.ts'
import type { Counts, RejectedRow } from './schema.ts'

export interface ImportKey {
  orgId: string
  id: string
}

export type ImportJob = Selectable<ImportJobTable>

/** The imports of a file's bytes, newest first. */
export function jobsOfFile(db: Reader, { orgId, hash }: { orgId: string; hash: string }): Promise<ImportJob[]> {
  return db
    .selectFrom('import_job')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('file_hash', '=', hash)
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** An org's imports, newest first; those that were removed and those still on their way are left out. */
export function recentJobs(db: Reader, orgId: string, limit: number): Promise<ImportJob[]> {
  return db
    .selectFrom('import_job')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('state', 'not in', ['uploading', 'removed'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** How many uploads of an org wait for somebody to import them. */
export async function waitingUploads(db: Reader, orgId: string): Promise<number> {
  const { n } = await db
    .selectFrom('import_job')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('org_id', '=', orgId)
    .where('state', 'in', ['uploading', 'uploaded', 'checking', 'checked'])
    .executeTakeFirstOrThrow()
  return n
}

export function jobById(db: Reader, { orgId, id }: ImportKey): Promise<ImportJob | undefined> {
  return db
    .selectFrom('import_job')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', '<>', 'removed')
    .executeTakeFirst()
}

export async function insertJob(
  tx: Tx,
  row: Omit<ImportJob, 'bytes_read' | 'checked' | 'undone' | 'fault' | 'owner' | 'beats' | 'has_records'>,
): Promise<void> {
  await tx.insertInto('import_job').values(row).execute()
}

export type JobChange = Partial<Omit<ImportJob, 'org_id' | 'id'>>

/**
 * Changes an import that is in one of these states, and takes it from the process that works it.
 *
 * @returns false, and nothing is changed, when it is in another
 */
export async function moveJob(
  tx: Tx,
  { orgId, id }: ImportKey,
  from: readonly ImportState[],
  change: JobChange,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import_job')
    .set({ ...change, owner: null })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const advance = compiled<
  Counts & { orgId: string; id: string; state: ImportState; owner: string; before: number } & { bytes_read: number }
>()((tx, p) =>
  tx
    .updateTable('import_job')
    .set({
      rows_read: p('rows_read'),
      rows_added: p('rows_added'),
      rows_updated: p('rows_updated'),
      rows_skipped: p('rows_skipped'),
      rows_rejected: p('rows_rejected'),
      bytes_read: p('bytes_read'),
    })
    .where('org_id', '=', p('orgId'))
    .where('id', '=', p('id'))
    .where('state', '=', p('state'))
    .where(sql`coalesce(owner, '')`, '=', p('owner'))
    .where('rows_read', '=', p('before'))
    .returning('id'),
)

export interface Advance {
  state: ImportState
  /** The process that works it; empty for a command. */
  owner: string
  before: Counts
  after: Counts
  bytesRead: number
}

/** @returns false, and nothing is changed, when the import is not where the caller left it */
export async function advanceJob(
  tx: Tx,
  { orgId, id }: ImportKey,
  { state, owner, before, after, bytesRead }: Advance,
): Promise<boolean> {
  const values = { ...after, bytes_read: bytesRead, orgId, id, state, owner, before: before.rows_read }
  return (await advance(tx, values)).length > 0
}

const insertRejectRows = compiledRows<ImportRejectTable>()((tx, rows) =>
  tx.insertInto('import_reject').values(
    rows.map((p) => ({
      org_id: p('org_id'),
      import_id: p('import_id'),
      row: p('row'),
      cells: p('cells'),
      cell: p('cell'),
      reason: p('reason'),
    })),
  ),
)

export async function insertRejects(tx: Tx, { orgId, id }: ImportKey, rejected: readonly RejectedRow[]): Promise<void> {
  const rows = rejected.map(({ number, cells, cell, reason }) => {
    return { org_id: orgId, import_id: id, row: number, cells: JSON.stringify(cells), cell, reason }
  })
  await insertRejectRows(tx, rows)
}

/** Erases what was said about rows of these numbers, the last one included. */
export async function eraseRejectsBetween(
  tx: Tx,
  { orgId, id }: ImportKey,
  { first, last }: { first: number; last: number },
): Promise<void> {
  await tx
    .deleteFrom('import_reject')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('row', '>=', first)
    .where('row', '<=', last)
    .execute()
}

const REJECT_COLUMNS = ['row', 'cells', 'cell', 'reason'] as const

/** Rejected rows in the order of the file, those after the row of this number. */
export async function rejectsAfter(
  db: Reader,
  { orgId, id }: ImportKey,
  after: number,
  limit: number,
): Promise<RejectedRow[]> {
  const rows = await db
    .selectFrom('import_reject')
    .select(REJECT_COLUMNS)
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('row', '>', after)
    .orderBy('row')
    .limit(limit)
    .execute()
  return rows.map(rejectedRow)
}

export async function rejectPage(
  db: Reader,
  { orgId, id }: ImportKey,
  { limit, offset }: { limit: number; offset: number },
): Promise<RejectedRow[]> {
  const rows = await db
    .selectFrom('import_reject')
    .select(REJECT_COLUMNS)
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .orderBy('row')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(rejectedRow)
}

export async function rejectOfRow(db: Reader, { orgId, id }: ImportKey, row: number): Promise<RejectedRow | undefined> {
  const found = await db
    .selectFrom('import_reject')
    .select(REJECT_COLUMNS)
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('row', '=', row)
    .executeTakeFirst()
  return found && rejectedRow(found)
}

function rejectedRow({
  row,
  cells,
  cell,
  reason,
}: {
  row: number
  cells: string
  cell: number | null
  reason: string
}) {
  return { number: row, cells: JSON.parse(cells) as string[], cell, reason }
}

export async function eraseRejects(tx: Tx, { orgId, id }: ImportKey): Promise<void> {
  await tx.deleteFrom('import_reject').where('org_id', '=', orgId).where('import_id', '=', id).execute()
}
