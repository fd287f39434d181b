import { now, toIso } from '../clock.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { getOrg } from '../orgs/actions.ts'
import { hashPassword } from './password.ts'
import { passwordFaults } from './password-rules.ts'
import type { Member, NewMember } from './schema.ts'
import {
  deleteMemberRow,
  insertMember,
  lockedMembers,
  type MemberKey,
  memberByEmail,
  memberRows,
  updatePasswordHash,
} from './store.ts'

/**
 * Adds a person to an org.
 *
 * @param passwordHash what `hashNewPassword` made, before the transaction: hashing takes long on purpose
 * @throws ApiError `validation` at `email` when the address is a member's already, of this org or another
 */
export async function createMember(tx: Tx, orgId: string, input: NewMember, passwordHash: string): Promise<Member> {
  const member: Member = {
    id: newId(),
    email: input.email.toLowerCase(),
    name: input.name ?? '',
    role: input.role,
    created_at: toIso(now()),
    last_seen_at: null,
  }
  if (await insertMember(tx, { ...member, org_id: orgId, password_hash: passwordHash })) return member
  const message = `${member.email} is a member already; a person is a member of one org.`
  throw validationError([{ path: 'email', code: 'not_allowed', message }])
}

/** All members of an org, oldest first. */
export function listMembers(db: Reader, orgId: string): Promise<Member[]> {
  return memberRows(db, orgId)
}

/** @throws ApiError `not_found` */
export async function getMember(db: Reader, key: MemberKey): Promise<Member> {
  const member = await memberByEmail(db, lowered(key))
  if (!member) throw noSuchMember(key)
  return member
}

/**
 * Judges a password for a person of an org and hashes it.
 *
 * @throws ApiError `not_found` when there is no such org, `validation` at `password`, `unavailable` when too many
 *   passwords are being hashed
 * @see security P1, P2
 */
export async function hashNewPassword(db: Reader, key: MemberKey, password: string): Promise<string> {
  const org = await getOrg(db, key.orgId)
  const faults = passwordFaults(password, { email: key.email, orgName: org.name })
  if (faults.length > 0) throw validationError(faults)
  return hashPassword(password)
}

/** Replaces a member's password. @throws ApiError `not_found` */
export async function resetPassword(tx: Tx, key: MemberKey, passwordHash: string): Promise<void> {
  if (!(await updatePasswordHash(tx, lowered(key), passwordHash))) throw noSuchMember(key)
}

/** Removes a person from an org. @throws ApiError `not_found`; `validation` for its last admin */
export async function removeMember(tx: Tx, key: MemberKey): Promise<void> {
  const admins = await lockedMembers(tx, { orgId: key.orgId, role: 'admin' })
  const member = await getMember(tx, key)
  if (admins.length === 1 && admins[0]!.id === member.id) {
    throw validationError([{ path: '', code: 'not_allowed', message: 'An organisation needs one admin.' }])
  }
  await deleteMemberRow(tx, lowered(key))
}

function lowered({ orgId, email }: MemberKey): MemberKey {
  return { orgId, email: email.toLowerCase() }
}

function noSuchMember({ email }: MemberKey): ApiError {
  return new ApiError('not_found', `The org has no member ${email.toLowerCase()}.`)
}
