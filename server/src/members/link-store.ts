import type { Reader, Tx } from '../database/engine.ts'
import type { OneTimeLinkTable } from '../database/schema.ts'

export async function insertLink(tx: Tx, row: OneTimeLinkTable): Promise<void> {
  await tx.insertInto('one_time_link').values(row).execute()
}

/** Looks across orgs, since a hash names one. */
export function linkByHash(db: Reader, hash: string) {
  return db.selectFrom('one_time_link').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Takes a link out. @returns it; undefined when it is not there, or another transaction took it first */
export function takeLink(tx: Tx, hash: string): Promise<OneTimeLinkTable | undefined> {
  return tx.deleteFrom('one_time_link').where('hash', '=', hash).returningAll().executeTakeFirst()
}

/** The invitations of an org that still stand at `at`, oldest first. */
export function invitationRows(db: Reader, orgId: string, at: string) {
  return db
    .selectFrom('one_time_link')
    .select(['id', 'email', 'role', 'created_by', 'created_at', 'expires_at'])
    .where('org_id', '=', orgId)
    .where('kind', '=', 'invitation')
    .where('expires_at', '>', at)
    .orderBy('id')
    .execute()
}

/** @returns whether the org had this invitation */
export async function deleteInvitation(tx: Tx, key: { orgId: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('one_time_link')
    .where('org_id', '=', key.orgId)
    .where('kind', '=', 'invitation')
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function deleteInvitationsTo(tx: Tx, key: { orgId: string; email: string }): Promise<void> {
  await tx
    .deleteFrom('one_time_link')
    .where('org_id', '=', key.orgId)
    .where('kind', '=', 'invitation')
    .where('email', '=', key.email)
    .execute()
}

/** Deletes the links with which a member's password could be reset. */
export async function deleteLinksOf(tx: Tx, key: { orgId: string; memberId: string }): Promise<void> {
  await tx.deleteFrom('one_time_link').where('org_id', '=', key.orgId).where('member_id', '=', key.memberId).execute()
}

export function endedLinks(db: Reader, at: string) {
  return db.selectFrom('one_time_link').select('id').where('expires_at', '<', at).limit(1).execute()
}

/** @returns how many */
export async function deleteEndedLinks(tx: Tx, at: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('one_time_link').where('expires_at', '<', at).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
