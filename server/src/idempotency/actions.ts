/** Answers to POSTs with an `Idempotency-Key`, kept for 24 hours in the transaction of what they made. */
import { hash } from 'node:crypto'
import { now, toIso } from '../clock.ts'
import type { Database, Tx } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { type AnswerKey, claimKey, forgetKey, keepAnswer, keptAnswer, keysBefore } from './store.ts'

const KEPT_MS = 24 * 3_600_000
const FORGET_ROWS_MAX = 500

/** What a POST made and answered. */
export interface Made {
  /** The answer's bytes, which a repeat gets again. */
  answer: string
  location: string
  /** The contact that the answer tells about: deleting it erases the answer. */
  contactId: string | null
}

/**
 * Runs `make` once for a key: a repeat with the same body gets the first answer again.
 *
 * @param requestHash of path and body: see `requestHash`
 * @throws ApiError `validation` for another body under the key; `not_found` when the contact is deleted since
 */
export async function once(
  tx: Tx,
  key: AnswerKey,
  requestHash: string,
  make: () => Promise<Made>,
): Promise<Omit<Made, 'contactId'> & { isReplayed: boolean }> {
  const row = {
    org_id: key.orgId,
    token_id: key.tokenId,
    key: key.key,
    request_hash: requestHash,
    contact_id: null,
    location: null,
    answer: null,
    created_at: toIso(now()),
  }
  if (!(await claimKey(tx, row))) {
    const kept = await keptAnswer(tx, key)
    if (Date.parse(kept.created_at) > now() - KEPT_MS) return replay(kept, requestHash)
    await forgetKey(tx, key)
    await claimKey(tx, row)
  }
  const { answer, location, contactId } = await make()
  await keepAnswer(tx, key, { answer: Buffer.from(answer), location, contact_id: contactId })
  return { answer, location, isReplayed: false }
}

/** Identifies a request: the same bytes to the same path. */
export function requestHash(path: string, body: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${path}\n`), body]))
}

/** @throws ApiError `validation` at `Idempotency-Key` unless it is 1 to 255 printable characters */
export function readKey(header: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(header)) return header
  throw refused('bad_format', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

/** Erases a batch of answers older than 24 hours. @returns how many */
export async function forgetOldAnswers(db: Database): Promise<number> {
  const before = toIso(now() - KEPT_MS)
  const old = await keysBefore(db.read, before, FORGET_ROWS_MAX)
  if (old.length === 0) return 0
  await db.write(async (tx) => {
    for (const key of old) await forgetKey(tx, key)
  })
  return old.length
}

function replay(
  kept: { request_hash: string; location: string | null; answer: Uint8Array | null },
  requestHash: string,
): Omit<Made, 'contactId'> & { isReplayed: boolean } {
  if (kept.request_hash !== requestHash) {
    throw refused('not_allowed', 'This Idempotency-Key was used with another body. Take a new key for a new request.')
  }
  if (kept.answer === null) throw new ApiError('not_found', 'What this Idempotency-Key made has been deleted.')
  return { answer: Buffer.from(kept.answer).toString(), location: kept.location ?? '', isReplayed: true }
}

function refused(code: 'bad_format' | 'not_allowed', message: string): ApiError {
  return validationError([{ path: 'Idempotency-Key', code, message }])
}
