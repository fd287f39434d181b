import type { Reader, Tx } from '../database/engine.ts'
import type { SavedViewTable } from '../database/schema.ts'
import type { View } from './schema.ts'

export interface ViewKey {
  orgId: string
  id: string
}

/** In the order in which they were saved. */
export async function viewRows(db: Reader, orgId: string): Promise<View[]> {
  const rows = await viewsOf(db, orgId).orderBy('id').execute()
  return rows.map(viewOf)
}

export async function viewById(db: Reader, { orgId, id }: ViewKey): Promise<View | undefined> {
  const row = await viewsOf(db, orgId).where('id', '=', id).executeTakeFirst()
  return row && viewOf(row)
}

export async function insertView(tx: Tx, row: SavedViewTable): Promise<void> {
  await tx.insertInto('saved_view').values(row).execute()
}

export async function updateView(tx: Tx, { orgId, id }: ViewKey, { name, filter, sort, columns }: View): Promise<void> {
  await tx
    .updateTable('saved_view')
    .set({ name, filter: JSON.stringify(filter), sort, columns: JSON.stringify(columns) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** @returns whether the org has had it */
export async function deleteView(tx: Tx, { orgId, id }: ViewKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('saved_view')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

function viewsOf(db: Reader, orgId: string) {
  return db.selectFrom('saved_view').select(['id', 'name', 'filter', 'sort', 'columns']).where('org_id', '=', orgId)
}

function viewOf({
  id,
  name,
  filter,
  sort,
  columns,
}: Pick<SavedViewTable, 'id' | 'name' | 'filter' | 'sort' | 'columns'>): View {
  return { id, name, filter: JSON.parse(filter), sort: sort as View['sort'], columns: JSON.parse(columns) }
}
