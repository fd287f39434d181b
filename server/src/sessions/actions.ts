/** Sessions of people at the web app. What a cookie holds is kept as its hash alone. */
import { hash, randomBytes } from 'node:crypto'
import type { SignedIn } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { isUuid } from '../uuid.ts'
import type { ListedSession } from './schema.ts'
import {
  deleteEndedSessions,
  deleteSession,
  deleteSessionsOf,
  hasEndedSessions,
  insertSession,
  sessionByHash,
  sessionRows,
  sessionsAmong,
  updateLastUse,
} from './store.ts'

const HOUR_MS = 3_600_000
const IDLE_MS_MAX = 12 * HOUR_MS
const AGE_MS_MAX = 30 * 24 * HOUR_MS
const SECRET_BYTES = 32
const USER_AGENT_MAX = 300

interface MemberKey {
  orgId: string
  memberId: string
}

/** A session that is going on. */
export interface Session extends SignedIn {
  lastUsedAt: string
}

/**
 * Starts a session of a member.
 *
 * @param userAgent as the browser names itself
 * @returns its id, and what its cookie holds: a new secret of 256 bits that nothing else tells
 * @see security P6
 */
export async function startSession(
  tx: Tx,
  { orgId, memberId }: MemberKey,
  userAgent: string,
): Promise<{ id: string; secret: string }> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const at = toIso(now())
  const id = newId()
  await insertSession(tx, {
    org_id: orgId,
    id,
    member_id: memberId,
    hash: hashOf(secret),
    user_agent: userAgent.slice(0, USER_AGENT_MAX),
    created_at: at,
    last_used_at: at,
  })
  await updateLastUse(tx, { orgId, memberId, id }, at)
  return { id, secret }
}

/**
 * Whose session a cookie names. Nothing is cached: one that has been ended is refused from the next request on, in
 * every process.
 *
 * @returns undefined when there is no such session, or it has ended: 12 hours unused, or 30 days old
 */
export async function recogniseSession(db: Reader, secret: string): Promise<Session | undefined> {
  if (!SECRET.test(secret)) return undefined
  const [row] = await sessionByHash(db, { hash: hashOf(secret) })
  if (!row || isEnded(row)) return undefined
  return {
    id: row.member_id,
    orgId: row.org_id,
    name: row.name,
    email: row.email,
    role: row.role,
    sessionId: row.id,
    lastUsedAt: row.last_used_at,
  }
}

const SECRET = /^[\w-]{43}$/

function isEnded({ created_at, last_used_at }: { created_at: string; last_used_at: string }): boolean {
  const { createdAt, lastUsedAt } = oldest()
  return created_at < createdAt || last_used_at < lastUsedAt
}

/** The sessions of the member who asks, the one used last first. */
export async function listSessions(db: Reader, member: SignedIn): Promise<ListedSession[]> {
  const rows = await sessionRows(db, { orgId: member.orgId, memberId: member.id })
  return rows.filter((row) => !isEnded(row)).map((row) => ({ ...row, is_current: row.id === member.sessionId }))
}

/** The ids of those of the sessions that have not ended, in any process. */
export async function openSessions(
  db: Reader,
  sessions: readonly { orgId: string; sessionId: string }[],
): Promise<Set<string>> {
  const keys = sessions.map(({ orgId, sessionId }) => ({ org_id: orgId, id: sessionId }))
  const rows = await sessionsAmong(db, keys)
  return new Set(rows.filter((row) => !isEnded(row)).map(({ id }) => id))
}

/** Ends one of the sessions of the member who asks. @throws ApiError `not_found` */
export async function endSession(tx: Tx, member: SignedIn, id: string): Promise<void> {
  if (isUuid(id) && (await deleteSession(tx, { orgId: member.orgId, memberId: member.id, id }))) return
  throw new ApiError('not_found', 'There is no such session.')
}

/** Ends the sessions of a member, less the one with the id `keptId`. @returns how many */
export function endSessionsOf(tx: Tx, { orgId, memberId }: MemberKey, keptId?: string): Promise<number> {
  return deleteSessionsOf(tx, { orgId, memberId, keptId })
}

/** Erases what is left of sessions that have ended by themselves. @returns how many */
export async function forgetEndedSessions(db: Database): Promise<number> {
  const before = oldest()
  if (!(await hasEndedSessions(db.read, before))) return 0
  return db.write((tx) => deleteEndedSessions(tx, before))
}

function oldest(): { createdAt: string; lastUsedAt: string } {
  return { createdAt: toIso(now() - AGE_MS_MAX), lastUsedAt: toIso(now() - IDLE_MS_MAX) }
}

function hashOf(secret: string): string {
  return hash('sha256', secret)
}
