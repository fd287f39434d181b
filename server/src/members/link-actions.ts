/** One-time links: an invitation to an org, or a member's way to another password. Kith sends no mail. */
import { hash, randomBytes } from 'node:crypto'
import type { SignedIn } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import type { OneTimeLinkTable } from '../database/schema.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { getOrg } from '../orgs/actions.ts'
import { startSession } from '../sessions/actions.ts'
import { isUuid } from '../uuid.ts'
import { createMember, hashNewPassword, memberOf, resetPassword } from './actions.ts'
import {
  deleteEndedLinks,
  deleteInvitation,
  deleteInvitationsTo,
  deleteLinksOf,
  endedLinks,
  insertLink,
  invitationRows,
  linkByHash,
  takeLink,
} from './link-store.ts'
import type { Invitation, LinkAcceptance, NewInvitation, OpenedLink } from './schema.ts'
import { lockedMember, memberByEmail } from './store.ts'

const HOUR_MS = 3_600_000
const KEPT_MS = { invitation: 24 * HOUR_MS, reset: HOUR_MS } as const
const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/

/** A link as it is made: its token is in this answer only. */
export interface NewLink {
  id: string
  token: string
  expires_at: string
}

/**
 * Invites somebody to the org of the admin who asks. An invitation to the same address that still stands is replaced.
 *
 * @throws ApiError `validation` at `email` for somebody who is a member of the org
 */
export async function invite(tx: Tx, by: SignedIn, { email, role }: NewInvitation): Promise<NewLink> {
  const key = { orgId: by.orgId, email: email.toLowerCase() }
  if (await memberByEmail(tx, key)) {
    throw validationError([{ path: 'email', code: 'not_allowed', message: `${key.email} is a member already.` }])
  }
  await deleteInvitationsTo(tx, key)
  return makeLink(tx, by, { kind: 'invitation', email: key.email, role, member_id: null })
}

/** The invitations of an org that still stand, oldest first. */
export function listInvitations(db: Reader, orgId: string): Promise<Invitation[]> {
  return invitationRows(db, orgId, toIso(now()))
}

/** @throws ApiError `not_found` */
export async function withdrawInvitation(tx: Tx, by: SignedIn, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteInvitation(tx, { orgId: by.orgId, id }))) {
    throw new ApiError('not_found', 'There is no such invitation.')
  }
  announce(tx, by.orgId, 'member', null)
}

/** Makes a link with which a member sets another password; one made before ends. @throws ApiError `not_found` */
export async function makeResetLink(tx: Tx, by: SignedIn, memberId: string): Promise<NewLink> {
  if (isUuid(memberId)) await lockedMember(tx, { orgId: by.orgId, id: memberId })
  const { email, role } = await memberOf(tx, by.orgId, memberId)
  await deleteLinksOf(tx, { orgId: by.orgId, memberId })
  return makeLink(tx, by, { kind: 'reset', email, role, member_id: memberId })
}

/** What a link is for. @throws ApiError `not_found` when it has been used, has ended, or never was */
export async function openLink(db: Reader, token: string): Promise<OpenedLink> {
  const link = await standingLink(db, token)
  const [org, member] = await Promise.all([
    getOrg(db, link.org_id),
    link.member_id === null ? undefined : memberOf(db, link.org_id, link.member_id),
  ])
  return { kind: link.kind, org_name: org.name, email: link.email, name: member?.name ?? '', role: link.role }
}

/**
 * Uses a link up: whoever has it becomes a member, or gets another password, and is signed in.
 *
 * @throws ApiError `not_found` as `openLink`; `validation` at `password`, `name`, or `email` when the address has
 *   become somebody's
 */
export async function acceptLink(
  db: Database,
  { token, name, password }: LinkAcceptance,
  userAgent: string,
): Promise<{ kind: OneTimeLinkTable['kind']; orgId: string; memberId: string; secret: string }> {
  const { org_id: orgId, email, kind } = await standingLink(db.read, token)
  if (kind === 'invitation' && name === undefined) {
    throw validationError([{ path: 'name', code: 'required', message: 'name is required.' }])
  }
  const passwordHash = await hashNewPassword(db.read, { orgId, email }, password)
  return db.write(async (tx) => {
    const link = await takeLink(tx, hashOf(token))
    if (!link) throw noSuchLink()
    const memberId = await acceptedBy(tx, link, name, passwordHash)
    const { secret } = await startSession(tx, { orgId, memberId }, userAgent)
    announce(tx, orgId, 'member', memberId)
    return { kind, orgId, memberId, secret }
  })
}

/** Erases the links that nobody has used in time. @returns how many */
export async function forgetEndedLinks(db: Database): Promise<number> {
  const at = toIso(now())
  if ((await endedLinks(db.read, at)).length === 0) return 0
  return db.write((tx) => deleteEndedLinks(tx, at))
}

async function makeLink(
  tx: Tx,
  by: SignedIn,
  link: Pick<OneTimeLinkTable, 'kind' | 'email' | 'role' | 'member_id'>,
): Promise<NewLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const at = now()
  const row = { id: newId(), expires_at: toIso(at + KEPT_MS[link.kind]) }
  await insertLink(tx, {
    ...link,
    ...row,
    org_id: by.orgId,
    hash: hashOf(token),
    created_by: `member:${by.id}`,
    created_at: toIso(at),
  })
  announce(tx, by.orgId, 'member', null)
  return { ...row, token }
}

async function standingLink(db: Reader, token: string): Promise<OneTimeLinkTable> {
  const link = TOKEN.test(token) ? await linkByHash(db, hashOf(token)) : undefined
  if (!link || link.expires_at <= toIso(now())) throw noSuchLink()
  return link
}

async function acceptedBy(
  tx: Tx,
  { org_id: orgId, member_id: memberId, email, role }: OneTimeLinkTable,
  name: string | undefined,
  passwordHash: string,
): Promise<string> {
  if (memberId === null) return (await createMember(tx, orgId, { email, role, name }, passwordHash)).id
  const member = await memberOf(tx, orgId, memberId)
  await resetPassword(tx, { orgId, email: member.email }, passwordHash)
  return memberId
}

function noSuchLink(): ApiError {
  return new ApiError('not_found', 'This link has been used or has ended. Ask an admin for a new one.')
}

function hashOf(token: string): string {
  return hash('sha256', token)
}
