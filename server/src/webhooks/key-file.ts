/** The key that seals signing secrets: kept in a file outside the database, so that a copy of it alone signs nothing. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from '../database/engine.ts'
import { newId } from '../ids.ts'
import { StartError } from '../start-error.ts'
import { fingerprintOf, keepFingerprint } from './key-store.ts'
import { keyFingerprint } from './secret-box.ts'

const KEY_BYTES = 32

/**
 * Reads the key; makes one where the database has never had any.
 *
 * @param path the file: 64 hexadecimal digits, mode 0600
 * @throws StartError when the file is missing, malformed, or another key than the database was used with
 */
export async function loadSigningKey(db: Database, path: string): Promise<Buffer> {
  const known = await fingerprintOf(db.read)
  if (!existsSync(path)) {
    if (known !== undefined) throw new StartError(`${path} is missing. ${PUT_BACK}`)
    makeKey(path)
  }
  const text = readFileSync(path, 'utf8').trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new StartError(`${path} is not a key of Kith's. ${PUT_BACK}`)
  const key = Buffer.from(text, 'hex')
  const kept = known ?? (await db.write((tx) => keepFingerprint(tx, keyFingerprint(key))))
  if (kept !== keyFingerprint(key)) throw new StartError(`${path} is not the key of this database. ${PUT_BACK}`)
  return key
}

const PUT_BACK = 'Put back the kith.key that belongs to this database, or name it with KITH_KEY_FILE.'

/** Under its name the file is there whole or not at all: servers that start at once read each other's. */
function makeKey(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.${newId()}`
  try {
    writeFileSync(unfinished, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true })
    linkSync(unfinished, path)
  } catch (error) {
    // Another process was first: its key is as good.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
}
