import type { SignedIn } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { getOrg } from '../orgs/actions.ts'
import { endSessionsOf } from '../sessions/actions.ts'
import { isUuid } from '../uuid.ts'
import { deleteLinksOf } from './link-store.ts'
import { hashPassword } from './password.ts'
import { passwordFaults } from './password-rules.ts'
import type { Member, NewMember, Role } from './schema.ts'
import {
  deleteMemberRow,
  insertMember,
  lockedMember,
  lockedMembers,
  type MemberKey,
  memberByEmail,
  memberById,
  memberRows,
  updateMember,
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
  throw takenAddress(member.email)
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
 * @param field where the password stands in what was sent
 * @throws ApiError `not_found` when there is no such org, `validation` at `field`, `unavailable` when too many
 *   passwords are being hashed
 * @see security P1, P2
 */
export async function hashNewPassword(
  db: Reader,
  key: MemberKey,
  password: string,
  field = 'password',
): Promise<string> {
  const org = await getOrg(db, key.orgId)
  return hashPasswordOf({ email: key.email, orgName: org.name }, password, field)
}

/** As `hashNewPassword`, for somebody whose org need not be there yet. */
export async function hashPasswordOf(
  person: { email: string; orgName: string },
  password: string,
  field = 'password',
): Promise<string> {
  const faults = passwordFaults(password, person)
  if (faults.length > 0) throw validationError(faults.map((fault) => ({ ...fault, path: field })))
  return hashPassword(password)
}

/** Replaces a member's password, and ends all that the old one opened. @throws ApiError `not_found` */
export async function resetPassword(tx: Tx, key: MemberKey, passwordHash: string): Promise<void> {
  const { id } = await getMember(tx, key)
  await updatePasswordHash(tx, lowered(key), passwordHash)
  await endSessionsOf(tx, { orgId: key.orgId, memberId: id })
  await deleteLinksOf(tx, { orgId: key.orgId, memberId: id })
}

/**
 * Gives a member another role, and ends the member's sessions, but for the one that asks.
 *
 * @throws ApiError `not_found`; `validation` for the last admin
 * @see security P6
 */
export async function changeRole(tx: Tx, by: SignedIn, id: string, role: Role): Promise<Member> {
  const admins = await lockedMembers(tx, { orgId: by.orgId, role: 'admin' })
  const member = await memberOf(tx, by.orgId, id)
  if (member.role === role) return member
  if (role !== 'admin') requireAnotherAdmin(admins, id)
  await updateMember(tx, { orgId: by.orgId, id }, { role })
  await endSessionsOf(tx, { orgId: by.orgId, memberId: id }, id === by.id ? by.sessionId : undefined)
  announce(tx, by.orgId, 'member', id)
  return { ...member, role }
}

/** Removes a person from an org. @throws ApiError `not_found`; `validation` for its last admin */
export async function removeMember(tx: Tx, key: MemberKey): Promise<void> {
  const admins = await lockedMembers(tx, { orgId: key.orgId, role: 'admin' })
  const { id } = await getMember(tx, key)
  requireAnotherAdmin(admins, id)
  await remove(tx, { orgId: key.orgId, id })
}

/** As `removeMember`, by the id. */
export async function removeMemberById(tx: Tx, orgId: string, id: string): Promise<void> {
  const admins = await lockedMembers(tx, { orgId, role: 'admin' })
  await memberOf(tx, orgId, id)
  requireAnotherAdmin(admins, id)
  await remove(tx, { orgId, id })
}

/**
 * Changes what one may change of oneself. Another e-mail address, with which one signs in, is only given to who knows
 * the password: see `requireOwnPassword`.
 *
 * @throws ApiError `validation` at `email` when it is a member's already, of this org or another
 */
export async function changeOwn(
  tx: Tx,
  member: SignedIn,
  change: { name?: string | undefined; email?: string | undefined },
): Promise<Member> {
  const email = change.email?.toLowerCase()
  const changed = await updateMember(
    tx,
    { orgId: member.orgId, id: member.id },
    { ...(change.name !== undefined && { name: change.name }), ...(email !== undefined && { email }) },
  )
  if (!changed) throw takenAddress(email ?? '')
  announce(tx, member.orgId, 'member', member.id)
  return changed
}

/** Gives a member another password, and ends the member's other sessions. @see security P6 */
export async function changeOwnPassword(tx: Tx, member: SignedIn, passwordHash: string): Promise<void> {
  const key = { orgId: member.orgId, memberId: member.id }
  await updateMember(tx, { orgId: member.orgId, id: member.id }, { password_hash: passwordHash })
  await endSessionsOf(tx, key, member.sessionId)
  await deleteLinksOf(tx, key)
}

/** @throws ApiError `not_found`, in the same words for what never existed and what is another org's */
export async function memberOf(db: Reader, orgId: string, id: string): Promise<Member> {
  const member = isUuid(id) ? await memberById(db, { orgId, id }) : undefined
  if (!member) throw new ApiError('not_found', 'There is no such member.')
  return member
}

async function remove(tx: Tx, { orgId, id }: { orgId: string; id: string }): Promise<void> {
  await lockedMember(tx, { orgId, id })
  await endSessionsOf(tx, { orgId, memberId: id })
  await deleteLinksOf(tx, { orgId, memberId: id })
  await deleteMemberRow(tx, { orgId, id })
  announce(tx, orgId, 'member', id)
}

function requireAnotherAdmin(admins: { id: string }[], id: string): void {
  if (admins.length > 1 || admins[0]?.id !== id) return
  throw validationError([{ path: '', code: 'not_allowed', message: 'An organisation needs one admin.' }])
}

function takenAddress(email: string): ApiError {
  const message = `${email} is a member already; a person is a member of one org.`
  return validationError([{ path: 'email', code: 'not_allowed', message }])
}

function lowered({ orgId, email }: MemberKey): MemberKey {
  return { orgId, email: email.toLowerCase() }
}

function noSuchMember({ email }: MemberKey): ApiError {
  return new ApiError('not_found', `The org has no member ${email.toLowerCase()}.`)
}
