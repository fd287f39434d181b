/** Imports and the rows that they could not take. */
import { compiled } from '../database/compiled.ts'
import type { Reader, Tx } from '../database/engine.ts'
import type { ImportJobTable, ImportRejectTable } from '../database/schema.ts'
import type { RejectedRow } from './schema.ts'

export interface ImportKey {
  orgId: string
  id: string
}

/** How far an import has come. */
export interface Counts {
  /** Rows below the header that were dealt with; empty ones do not count. */
  rows_read: number
  rows_added: number
  rows_rejected: number
}

export type ImportJob = Omit<ImportJobTable, 'org_id'>

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

export async function insertJob(tx: Tx, row: ImportJobTable): Promise<void> {
  await tx.insertInto('import_job').values(row).execute()
}

const moveJob = compiled<Counts & { orgId: string; id: string; before: number }>()((tx, p) =>
  tx
    .updateTable('import_job')
    .set({ rows_read: p('rows_read'), rows_added: p('rows_added'), rows_rejected: p('rows_rejected') })
    .where('org_id', '=', p('orgId'))
    .where('id', '=', p('id'))
    .where('state', '=', 'running')
    .where('rows_read', '=', p('before'))
    .returning('id'),
)

/** @returns false, and nothing is changed, when the import is not where the caller left it */
export async function advanceJob(tx: Tx, { orgId, id }: ImportKey, before: Counts, after: Counts): Promise<boolean> {
  return (await moveJob(tx, { ...after, orgId, id, before: before.rows_read })).length > 0
}

export async function finishJob(tx: Tx, { orgId, id }: ImportKey, at: string): Promise<void> {
  await tx
    .updateTable('import_job')
    .set({ state: 'done', finished_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

export const insertReject = compiled<ImportRejectTable>()((tx, p) =>
  tx.insertInto('import_reject').values({
    org_id: p('org_id'),
    import_id: p('import_id'),
    row: p('row'),
    cells: p('cells'),
    reason: p('reason'),
  }),
)

/** Rejected rows in the order of the file, those after the row of this number. */
export async function rejectsAfter(
  db: Reader,
  { orgId, id }: ImportKey,
  after: number,
  limit: number,
): Promise<RejectedRow[]> {
  const rows = await db
    .selectFrom('import_reject')
    .select(['row', 'cells', 'reason'])
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('row', '>', after)
    .orderBy('row')
    .limit(limit)
    .execute()
  return rows.map(({ row, cells, reason }) => ({ number: row, cells: JSON.parse(cells), reason }))
}

export async function eraseRejects(tx: Tx, { orgId, id }: ImportKey): Promise<void> {
  await tx.deleteFrom('import_reject').where('org_id', '=', orgId).where('import_id', '=', id).execute()
}
