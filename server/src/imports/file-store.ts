/** The bytes of uploaded files, and what people have corrected in them. */
import type { Reader, Tx } from '../database/engine.ts'
import type { ImportKey } from './store.ts'

export async function insertParts(
  tx: Tx,
  { orgId, id }: ImportKey,
  parts: readonly { part: number; bytes: Uint8Array }[],
): Promise<void> {
  const rows = parts.map(({ part, bytes }) => ({ org_id: orgId, import_id: id, part, bytes }))
  await tx.insertInto('import_file').values(rows).execute()
}

/** @returns undefined behind the last part */
export async function partOf(db: Reader, { orgId, id }: ImportKey, part: number): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('import_file')
    .select('bytes')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('part', '=', part)
    .executeTakeFirst()
  return row?.bytes
}

/** Erases the last parts of a file, at most so many. @returns how many it was */
export async function eraseParts(tx: Tx, { orgId, id }: ImportKey, max: number): Promise<number> {
  const parts = await tx
    .selectFrom('import_file')
    .select('part')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .orderBy('part', 'desc')
    .limit(max)
    .execute()
  if (parts.length === 0) return 0
  await tx
    .deleteFrom('import_file')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('part', '>=', parts.at(-1)!.part)
    .execute()
  return parts.length
}

export async function upsertFix(
  tx: Tx,
  { orgId, id }: ImportKey,
  { row, cells }: { row: number; cells: readonly string[] },
): Promise<void> {
  await tx
    .insertInto('import_fix')
    .values({ org_id: orgId, import_id: id, row, cells: JSON.stringify(cells) })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'import_id', 'row']).doUpdateSet({ cells: JSON.stringify(cells) }),
    )
    .execute()
}

export interface Fix {
  row: number
  cells: string[]
}

export async function fixesOf(db: Reader, { orgId, id }: ImportKey, limit: number): Promise<Fix[]> {
  const rows = await db
    .selectFrom('import_fix')
    .select(['row', 'cells'])
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .orderBy('row')
    .limit(limit)
    .execute()
  return rows.map(({ row, cells }) => ({ row, cells: JSON.parse(cells) }))
}

export async function countFixes(db: Reader, { orgId, id }: ImportKey): Promise<number> {
  const { n } = await db
    .selectFrom('import_fix')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow()
  return n
}

export async function eraseFixes(tx: Tx, { orgId, id }: ImportKey): Promise<void> {
  await tx.deleteFrom('import_fix').where('org_id', '=', orgId).where('import_id', '=', id).execute()
}
