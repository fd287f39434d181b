import type { SignedIn } from '../actor.ts'
import type { Database } from '../database/engine.ts'
import { type ApiError, type Detail, validationError } from '../http/errors.ts'
import { startSession } from '../sessions/actions.ts'
import { hashPassword, isOutdated, isPassword } from './password.ts'
import type { SignIn } from './schema.ts'
import { lockedMember, memberForSignIn, passwordHashOf, updateMember } from './store.ts'
import {
  accountSubject,
  addressSubject,
  countTry,
  forgetTries,
  memberSubject,
  type Subject,
  takeBack,
} from './tries.ts'

/** Where a try to sign in comes from. */
export interface Origin {
  address: string
  userAgent: string
}

export type SignInOutcome =
  | { orgId: string; memberId: string; secret: string }
  /**
   * Nobody has this pair (`validation`), or there were too many tries (`too_many_tries`). `who` is there when the address
   * is somebody's: for the log, never for whoever asks.
   */
  | { refused: ApiError; who: { orgId: string; memberId: string } | undefined }

/**
 * Signs somebody in: a new session. An address that is nobody's costs the same work and gives the same answer as a
 * wrong password.
 *
 * @throws ApiError `unavailable` when too many passwords are being hashed
 * @see security P1, P3, P4
 */
export async function signIn(db: Database, { email, password }: SignIn, from: Origin): Promise<SignInOutcome> {
  const account = accountSubject(email)
  const address = addressSubject(from.address)
  const counted = await countTry(db, [account, address])
  const found = await memberForSignIn(db.read, email.toLowerCase())
  const who = found && { orgId: found.org_id, memberId: found.id }
  if ('refused' in counted) return { refused: counted.refused, who }
  const { at } = counted
  const isRight = await judged(db, [account, address], at, () => isPassword(password, found?.password_hash))
  if (!found || !who || !isRight) return { refused: wrongPair(), who }
  const renewed = isOutdated(found.password_hash) ? await hashPassword(password) : undefined
  return db.write(async (tx) => {
    const key = { orgId: who.orgId, id: who.memberId }
    // Whoever has changed it meanwhile has ended all that the old password opens.
    if ((await lockedMember(tx, key))?.password_hash !== found.password_hash) return { refused: wrongPair(), who }
    await forgetTries(tx, account)
    await takeBack(tx, address, at)
    if (renewed !== undefined) await updateMember(tx, key, { password_hash: renewed })
    const { secret } = await startSession(tx, who, from.userAgent)
    return { ...who, secret }
  })
}

/**
 * Asks somebody who has signed in for the password again, before what a borrowed screen must not be enough for.
 *
 * @throws ApiError `validation` at `current_password`; `too_many_tries`, `unavailable`
 */
export async function requireOwnPassword(db: Database, member: SignedIn, password: string | undefined): Promise<void> {
  if (password === undefined) throw atCurrentPassword('required', 'Your current password is needed for this.')
  const subject = memberSubject(member.id)
  const counted = await countTry(db, [subject])
  if ('refused' in counted) throw counted.refused
  const { at } = counted
  const stored = await passwordHashOf(db.read, { orgId: member.orgId, id: member.id })
  if (!(await judged(db, [subject], at, () => isPassword(password, stored)))) {
    throw atCurrentPassword('not_allowed', 'This is not your current password.')
  }
  await db.write((tx) => forgetTries(tx, subject))
}

/** A try that could not be judged is no failure. */
async function judged(db: Database, subjects: Subject[], at: number, judge: () => Promise<boolean>): Promise<boolean> {
  try {
    return await judge()
  } catch (error) {
    await db.write(async (tx) => {
      for (const subject of subjects) await takeBack(tx, subject, at)
    })
    throw error
  }
}

function wrongPair(): ApiError {
  return validationError([{ path: '', code: 'not_allowed', message: 'Email or password is wrong.' }])
}

function atCurrentPassword(code: Detail['code'], message: string): ApiError {
  return validationError([{ path: 'current_password', code, message }])
}
