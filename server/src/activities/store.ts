import { compiledRows } from '../database/compiled-rows.ts'
import type { Reader, Tx } from '../database/engine.ts'
import type { ActivityTable } from '../database/schema.ts'

export interface ActivityKey {
  orgId: string
  contactId: string
  id: string
}

const LISTED = ['id', 'kind', 'body', 'occurred_at', 'edited_at', 'actor'] as const

export type NewActivity = Omit<ActivityTable, 'edited_at'>

export const insertActivities = compiledRows<NewActivity>()((tx, rows) =>
  tx.insertInto('activity').values(
    rows.map((p) => ({
      org_id: p('org_id'),
      id: p('id'),
      contact_id: p('contact_id'),
      kind: p('kind'),
      body: p('body'),
      occurred_at: p('occurred_at'),
      actor: p('actor'),
    })),
  ),
)

/** The activities of a contact, newest first, ties by id; `before` is the last one that is known. */
export function activityRows(
  db: Reader,
  { orgId, contactId }: { orgId: string; contactId: string },
  { before, limit }: { before?: { at: string; id: string } | undefined; limit: number },
) {
  let query = db
    .selectFrom('activity')
    .select(LISTED)
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before) {
    const { at, id } = before
    query = query.where((eb) =>
      eb.or([eb('occurred_at', '<', at), eb.and([eb('occurred_at', '=', at), eb('id', '<', id)])]),
    )
  }
  return query.execute()
}

export async function countActivities(db: Reader, orgId: string, contactId: string): Promise<number> {
  const { n } = await db
    .selectFrom('activity')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .executeTakeFirstOrThrow()
  return n
}

export function activityById(db: Reader, { orgId, contactId, id }: ActivityKey) {
  return db
    .selectFrom('activity')
    .select(LISTED)
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function updateActivity(
  tx: Tx,
  { orgId, contactId, id }: ActivityKey,
  change: Partial<Pick<ActivityTable, 'kind' | 'body' | 'occurred_at'>> & { edited_at: string },
): Promise<void> {
  await tx
    .updateTable('activity')
    .set(change)
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .where('id', '=', id)
    .execute()
}

export async function deleteActivity(tx: Tx, { orgId, contactId, id }: ActivityKey): Promise<void> {
  await tx
    .deleteFrom('activity')
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .where('id', '=', id)
    .execute()
}

/** What members, API keys and imports are called, by their ids; those that are gone are left out. */
export async function namesByIds(
  db: Reader,
  orgId: string,
  { members, tokens, imports }: Record<'members' | 'tokens' | 'imports', string[]>,
): Promise<Map<string, string>> {
  const found = await Promise.all([
    members.length > 0
      ? db.selectFrom('member').select(['id', 'name']).where('org_id', '=', orgId).where('id', 'in', members).execute()
      : [],
    tokens.length > 0
      ? db
          .selectFrom('api_token')
          .select(['id', 'name'])
          .where('org_id', '=', orgId)
          .where('id', 'in', tokens)
          .execute()
      : [],
    imports.length > 0
      ? db
          .selectFrom('import_job')
          .select(['id', 'file_name as name'])
          .where('org_id', '=', orgId)
          .where('id', 'in', imports)
          .execute()
      : [],
  ])
  return new Map(found.flat().map(({ id, name }) => [id, name]))
}
