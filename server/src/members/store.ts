import { forUpdate, type Reader, type Tx } from '../database/engine.ts'
import { isUniqueViolation } from '../database/faults.ts'
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

export function memberById(db: Reader, key: { orgId: string; id: string }): Promise<Member | undefined> {
  return db
    .selectFrom('member')
    .select(LISTED)
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.id)
    .executeTakeFirst()
}

/** Whoever signs in with this address, of whichever org. */
export function memberForSignIn(db: Reader, email: string) {
  return db.selectFrom('member').select(['id', 'org_id', 'password_hash']).where('email', '=', email).executeTakeFirst()
}

export async function passwordHashOf(db: Reader, key: { orgId: string; id: string }): Promise<string | undefined> {
  const row = await db
    .selectFrom('member')
    .select('password_hash')
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.id)
    .executeTakeFirst()
  return row?.password_hash
}

/** A member's row, locked until the transaction ends: a removal waits for a sign-in and the other way round. */
export function lockedMember(tx: Tx, key: { orgId: string; id: string }) {
  const query = tx.selectFrom('member').select('password_hash').where('org_id', '=', key.orgId).where('id', '=', key.id)
  return forUpdate(tx, query).executeTakeFirst()
}

/** @returns the member as it is then; undefined when the address is another member's already */
export async function updateMember(
  tx: Tx,
  key: { orgId: string; id: string },
  change: Partial<Pick<MemberTable, 'name' | 'email' | 'role' | 'password_hash'>>,
): Promise<Member | undefined> {
  try {
    return await tx
      .updateTable('member')
      .set(change)
      .where('org_id', '=', key.orgId)
      .where('id', '=', key.id)
      .returning(LISTED)
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
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

export async function deleteMemberRow(tx: Tx, key: { orgId: string; id: string }): Promise<void> {
  await tx.deleteFrom('member').where('org_id', '=', key.orgId).where('id', '=', key.id).execute()
}
