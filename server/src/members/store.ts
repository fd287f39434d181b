import { forUpdate, type Reader, type Tx } from '../database/engine.ts'
import type { MemberTable } from '../database/schema.ts'
import type { Member } from './schema.ts'

const LISTED = ['id', 'email', 'name', 'role', 'created_at', 'last_seen_at'] as const

export interface MemberKey {
  orgId: string
  email: string
}

/** @returns whether the row was added: an e-mail address belongs to one member of one org */
export async function insertMember(tx: Tx, row: MemberTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('member')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export function memberRows(db: Reader, orgId: string): Promise<Member[]> {
  return db.selectFrom('member').select(LISTED).where('org_id', '=', orgId).orderBy('id').execute()
}

/** The members of the given role, locked, so that two removals cannot both leave the other as the last. */
export function lockedMembers(tx: Tx, key: { orgId: string; role: MemberTable['role'] }) {
  const query = tx
    .selectFrom('member')
    .select(['id', 'email'])
    .where('org_id', '=', key.orgId)
    .where('role', '=', key.role)
    .orderBy('id')
  return forUpdate(tx, query).execute()
}

export function memberByEmail(db: Reader, key: MemberKey) {
  return db
    .selectFrom('member')
    .select(LISTED)
    .where('org_id', '=', key.orgId)
    .where('email', '=', key.email)
    .executeTakeFirst()
}

/** @returns whether the org has this member */
export async function updatePasswordHash(tx: Tx, key: MemberKey, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('member')
    .set({ password_hash: hash })
    .where('org_id', '=', key.orgId)
    .where('email', '=', key.email)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteMemberRow(tx: Tx, key: MemberKey): Promise<void> {
  await tx.deleteFrom('member').where('org_id', '=', key.orgId).where('email', '=', key.email).execute()
}
