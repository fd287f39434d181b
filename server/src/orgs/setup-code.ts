/** The one-time code that proves, on the first-run page, that whoever sets up a fresh server can read its output. */
import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import type { Database, Tx } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { keepSetupCode, keepSetupTries, lockedSetupCode } from './setup-store.ts'
import { hasOrg } from './store.ts'

/** Without letters and digits that look alike. 16 of 31 are 79 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ2345679'
const GROUPS = 4
const GROUP_LENGTH = 4
const TRIES_MAX = 10

/**
 * Makes a new code, which replaces the one before, as long as there is no org.
 *
 * @returns the code; undefined once an org exists, and the old code is gone then
 */
export function renewSetupCode(db: Database): Promise<string | undefined> {
  return db.write(async (tx) => {
    const code = (await hasOrg(tx)) ? undefined : newCode()
    await keepSetupCode(tx, code === undefined ? undefined : hash('sha256', code))
    return code
  })
}

/**
 * Judges a code, and counts a wrong one: the tenth ends the code, until the server starts again with another. The
 * count has to be committed, so what is wrong is returned and not thrown.
 *
 * @param typed the code in whatever case, with or without the dashes
 * @returns what is wrong; undefined when it is the code
 */
export async function setupCodeFault(tx: Tx, typed: string): Promise<ApiError | undefined> {
  const kept = await lockedSetupCode(tx)
  if (await hasOrg(tx)) return new ApiError('forbidden', 'This server has been set up already. Sign in.')
  if (!kept || kept.tries >= TRIES_MAX) {
    return new ApiError('too_many_tries', 'Too many wrong codes. Start the server again: it then prints a new one.')
  }
  if (timingSafeEqual(Buffer.from(hash('sha256', written(typed))), Buffer.from(kept.hash))) return undefined
  await keepSetupTries(tx, kept.tries + 1)
  const message = 'That code does not match. It is in the server’s output, on the line that begins “Set-up code”.'
  return validationError([{ path: 'code', code: 'not_allowed', message }])
}

/** Ends the code, since it has been used. */
export function endSetupCode(tx: Tx): Promise<void> {
  return keepSetupCode(tx, undefined)
}

function newCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

function written(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return letters.match(/.{1,4}/g)?.join('-') ?? ''
}
