/** Which passwords people may choose, and one that the service chooses for them. */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Detail } from '../http/errors.ts'
import { PASSWORD_LENGTH_MIN } from './schema.ts'

const LENGTH_MAX = 256

/**
 * What is wrong with a password, taken exactly as sent: 12 to 256 characters of any kind, none of the common ones,
 * not the e-mail address and not the org's name (both in whatever case).
 *
 * @returns a detail at `password` for each fault
 * @see security P2
 */
export function passwordFaults(password: string, { email, orgName }: { email: string; orgName: string }): Detail[] {
  const fault = (code: Detail['code'], message: string): Detail => ({ path: 'password', code, message })
  if (password.includes('\0') || !password.isWellFormed()) {
    return [fault('bad_format', 'password must be well-formed Unicode without the character U+0000.')]
  }
  const length = [...password.slice(0, 2 * LENGTH_MAX + 1)].length
  if (length < PASSWORD_LENGTH_MIN) {
    return [fault('out_of_range', `password must be at least ${PASSWORD_LENGTH_MIN} characters; it has ${length}.`)]
  }
  if (length > LENGTH_MAX) return [fault('too_long', `password must be at most ${LENGTH_MAX} characters.`)]
  const folded = password.toLowerCase()
  if (folded === email.toLowerCase() || folded === orgName.toLowerCase()) {
    return [fault('not_allowed', "password must not be the e-mail address or the org's name.")]
  }
  if (commonPasswords().has(folded)) {
    return [fault('not_allowed', 'password is one that many people use, and so among the first to be guessed.')]
  }
  return []
}

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A password for a person to type once: 20 random letters and digits (100 bits) in groups of five. */
export function newPassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

let common: Set<string> | undefined

function commonPasswords(): Set<string> {
  common ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  return common
}
