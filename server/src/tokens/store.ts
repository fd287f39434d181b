import { sql } from 'kysely'
import { compiled } from '../database/compiled.ts'
import type { Reader, Tx } from '../database/engine.ts'
import type { ApiTokenTable } from '../database/schema.ts'

/** The one query before every request: who asks, with the limit of the org. Looks across orgs, since a hash names one. */
export const tokenByHash = compiled<{ hash: string }>()((db, p) =>
  db
    .selectFrom('api_token as t')
    .innerJoin('org as o', 'o.id', 't.org_id')
    .select(['t.id', 't.org_id', 't.scopes', 't.revoked_at', 't.last_used_at', 'o.hourly_limit'])
    .where('t.hash', '=', p('hash')),
)

export async function insertToken(tx: Tx, row: ApiTokenTable): Promise<void> {
  await tx.insertInto('api_token').values(row).execute()
}

export function tokenRows(db: Reader, orgId: string) {
  return db
    .selectFrom('api_token')
    .select(['id', 'name', 'prefix', 'scopes', 'created_at', 'last_used_at', 'revoked_at'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
}

/** All of an org, oldest first, with the names of the members who made and revoked them. */
export function keyRows(db: Reader, orgId: string) {
  const memberOf = (column: 't.created_by' | 't.revoked_by') =>
    sql<string | null>`(select m.name from member m
      where m.org_id = t.org_id and 'member:' || cast(m.id as text) = ${sql.ref(column)})`
  return db
    .selectFrom('api_token as t')
    .select(['t.id', 't.name', 't.prefix', 't.scopes', 't.created_at', 't.created_by'])
    .select(['t.last_used_at', 't.revoked_at', 't.revoked_by'])
    .select([memberOf('t.created_by').as('creator'), memberOf('t.revoked_by').as('revoker')])
    .where('t.org_id', '=', orgId)
    .orderBy('t.id')
    .execute()
}

/** @returns whether the org has this token; one that is revoked keeps when and by whom */
export async function revokeTokenRow(
  tx: Tx,
  key: { orgId: string; id: string },
  { at, by }: { at: string; by: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('api_token')
    .set((eb) => ({
      revoked_at: eb.fn.coalesce('revoked_at', eb.val(at)),
      revoked_by: eb.case().when('revoked_at', 'is', null).then(by).else(eb.ref('revoked_by')).end(),
    }))
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function updateLastUse(tx: Tx, key: { orgId: string; id: string }, at: string): Promise<void> {
  await tx
    .updateTable('api_token')
    .set({ last_used_at: at })
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.id)
    .execute()
}
