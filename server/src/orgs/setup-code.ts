/** The one-time code that proves, on the first-run page, that whoever sets up a fresh server can read its output. */
import { hash, randomInt } from 'node:crypto'
import type { Database } from '../database/engine.ts'
import { hasOrg, keepSetupCode } from './store.ts'

/** Without letters and digits that look alike. 16 of 31 are 79 bits. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ2345679'
const GROUPS = 4
const GROUP_LENGTH = 4

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

function newCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}
