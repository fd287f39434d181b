/** Stages and labels that were renamed, until the last contact has the new name. */
import { forUpdate, type Reader, type Tx } from '../database/engine.ts'
import { idOrder, ofOrg } from '../database/org-rows.ts'
import type { ValueRenameTable } from '../database/schema.ts'

export type Rename = ValueRenameTable

/** Adds renames; contacts on their way to a name that is renamed again go on to the newest. */
export async function addRenames(tx: Tx, renames: readonly Rename[]): Promise<void> {
  for (const { org_id, field, old_value, new_value } of renames) {
    await tx
      .updateTable('value_rename')
      .set({ new_value })
      .where('org_id', '=', org_id)
      .where('field', '=', field)
      .where('new_value', '=', old_value)
      .execute()
  }
  if (renames.length > 0) await tx.insertInto('value_rename').values(renames).execute()
}

/** The names that contacts of an org are being moved away from. */
export async function oldValues(db: Reader, orgId: string, field: Rename['field']): Promise<string[]> {
  const rows = await db
    .selectFrom('value_rename')
    .select('old_value')
    .where('org_id', '=', orgId)
    .where('field', '=', field)
    .execute()
  return rows.map(({ old_value }) => old_value)
}

/** Of any org. */
export function firstRename(db: Reader): Promise<Rename | undefined> {
  return db
    .selectFrom('value_rename')
    .selectAll()
    .orderBy('org_id')
    .orderBy('field')
    .orderBy('old_value')
    .limit(1)
    .executeTakeFirst()
}

/** The rename as it is now, locked, so that one process at a time moves its contacts. */
export function lockRename(tx: Tx, { org_id, field, old_value }: Rename): Promise<Rename | undefined> {
  return forUpdate(
    tx,
    tx
      .selectFrom('value_rename')
      .selectAll()
      .where('org_id', '=', org_id)
      .where('field', '=', field)
      .where('old_value', '=', old_value),
  ).executeTakeFirst()
}

export async function deleteRename(tx: Tx, { org_id, field, old_value }: Rename): Promise<void> {
  await tx
    .deleteFrom('value_rename')
    .where('org_id', '=', org_id)
    .where('field', '=', field)
    .where('old_value', '=', old_value)
    .execute()
}

/** Contacts that still have the old name. */
export async function contactsWith(tx: Tx, { org_id, field, old_value }: Rename, max: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('contact')
    .select('id')
    .where(ofOrg(tx, org_id))
    .where(field, '=', old_value)
    .orderBy(idOrder(tx))
    .limit(max)
    .execute()
  return rows.map(({ id }) => id)
}

/** How many contacts have each name, whether or not it is offered. */
export async function valueCounts(
  db: Reader,
  orgId: string,
  field: Rename['field'],
): Promise<{ name: string; contacts: number }[]> {
  const column = field === 'deal_stage' ? 'stage' : 'label'
  const rows = await db
    .selectFrom('contact_count')
    .select(`${column} as name`)
    .select((eb) => eb.fn.sum<number>('n').as('contacts'))
    .where('org_id', '=', orgId)
    .where(column, '<>', '')
    .groupBy(column)
    .orderBy(column)
    .execute()
  return rows.map(({ name, contacts }) => ({ name, contacts: Number(contacts) })).filter((row) => row.contacts > 0)
}
