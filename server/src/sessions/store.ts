import { sql } from 'kysely'
import { compiled } from '../database/compiled.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { givenRows, lookedUp } from '../database/given-rows.ts'
import type { SessionTable } from '../database/schema.ts'

/** The one query before every request of the web app: who asks. Looks across orgs, since a hash names one. */
export const sessionByHash = compiled<{ hash: string }>()((db, p) =>
  db
    .selectFrom('session as s')
    .innerJoin('member as m', (join) => join.onRef('m.org_id', '=', 's.org_id').onRef('m.id', '=', 's.member_id'))
    .select(['s.id', 's.org_id', 's.created_at', 's.last_used_at', 's.member_id', 'm.name', 'm.email', 'm.role'])
    .where('s.hash', '=', p('hash')),
)

export async function insertSession(tx: Tx, row: SessionTable): Promise<void> {
  await tx.insertInto('session').values(row).execute()
}

/** The sessions of a member, the one used last first. */
export function sessionRows(db: Reader, { orgId, memberId }: { orgId: string; memberId: string }) {
  return db
    .selectFrom('session')
    .select(['id', 'user_agent', 'created_at', 'last_used_at'])
    .where('org_id', '=', orgId)
    .where('member_id', '=', memberId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Those of the sessions that are still there. */
export async function sessionsAmong(db: Reader, keys: readonly { org_id: string; id: string }[]) {
  const { rows } = await sql<Pick<SessionTable, 'id' | 'created_at' | 'last_used_at'>>`
    select s.id, s.created_at, s.last_used_at
    from ${givenRows(db, keys, { org_id: 'uuid', id: 'uuid' })}
    ${lookedUp(db, 'session', 's', sql`s.org_id = given.org_id and s.id = given.id`)}`.execute(db)
  return rows
}

/** @returns whether the member had this session */
export async function deleteSession(
  tx: Tx,
  { orgId, memberId, id }: { orgId: string; memberId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('session')
    .where('org_id', '=', orgId)
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Deletes a member's sessions, less the one to keep. @returns how many */
export async function deleteSessionsOf(
  tx: Tx,
  { orgId, memberId, keptId }: { orgId: string; memberId: string; keptId: string | undefined },
): Promise<number> {
  const query = tx.deleteFrom('session').where('org_id', '=', orgId).where('member_id', '=', memberId)
  const { numDeletedRows } = await (keptId === undefined
    ? query
    : query.where('id', '<>', keptId)
  ).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function updateLastUse(
  tx: Tx,
  { orgId, memberId, id }: { orgId: string; memberId: string; id: string },
  at: string,
): Promise<void> {
  await tx
    .updateTable('member')
    .set({ last_seen_at: at })
    .where('org_id', '=', orgId)
    .where('id', '=', memberId)
    .execute()
  await tx.updateTable('session').set({ last_used_at: at }).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Erases the sessions begun, and those last used, before the given times. @returns how many */
export async function deleteEndedSessions(tx: Tx, before: { createdAt: string; lastUsedAt: string }): Promise<number> {
  const old = await tx.deleteFrom('session').where('created_at', '<', before.createdAt).executeTakeFirstOrThrow()
  const idle = await tx.deleteFrom('session').where('last_used_at', '<', before.lastUsedAt).executeTakeFirstOrThrow()
  return Number(old.numDeletedRows + idle.numDeletedRows)
}

/** @returns whether there are any such sessions */
export async function hasEndedSessions(
  db: Reader,
  before: { createdAt: string; lastUsedAt: string },
): Promise<boolean> {
  const old = db.selectFrom('session').select('id').where('created_at', '<', before.createdAt).limit(1)
  const idle = db.selectFrom('session').select('id').where('last_used_at', '<', before.lastUsedAt).limit(1)
  return (await old.execute()).length > 0 || (await idle.execute()).length > 0
}
