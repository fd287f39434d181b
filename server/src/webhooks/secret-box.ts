/** Keeps small texts, such as signing secrets, unreadable in the database (AES-256-GCM). */

import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FINGERPRINT_DIGITS = 16

/**
 * Seals a text under a key.
 *
 * @param key 32 bytes
 * @param context what the text belongs to (`orgId/subscriptionId`); it is not stored, and the same one opens the text,
 *   so that a sealed text copied to another record does not open there
 * @returns a version byte (1), a random nonce of 12 bytes, the ciphertext, a tag of 16 bytes
 * @throws RangeError when the key is not 32 bytes
 */
export function sealText(key: Uint8Array, text: string, context: string): Uint8Array {
  checkKey(key)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(context))
  return Buffer.concat([
    Uint8Array.of(VERSION),
    nonce,
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

/**
 * Opens what `sealText` made with the same key and context.
 *
 * @throws Error when the key or the context is another one, or the bytes were changed or are not a sealed text
 * @throws RangeError when the key is not 32 bytes
 */
export function openText(key: Uint8Array, sealed: Uint8Array, context: string): string {
  checkKey(key)
  if (sealed.length < 1 + NONCE_BYTES + TAG_BYTES) throw new Error('The sealed text is too short.')
  if (sealed[0] !== VERSION) throw new Error(`The sealed text is of the unknown version ${sealed[0]}.`)
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  const text = decipher.update(sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new Error('The sealed text does not open: it was sealed with another key or for another record.', { cause })
  }
}

/**
 * A short text that is the same for the same key and tells nothing about it: kept in the database, it shows a key
 * that does not fit.
 *
 * @returns 16 lower-case hex digits
 * @throws RangeError when the key is not 32 bytes
 */
export function keyFingerprint(key: Uint8Array): string {
  checkKey(key)
  return createHmac('sha256', key).update('kith key fingerprint').digest('hex').slice(0, FINGERPRINT_DIGITS)
}

function checkKey(key: Uint8Array): void {
  if (key.length !== KEY_BYTES) throw new RangeError(`The key has ${key.length} bytes; it needs ${KEY_BYTES}.`)
}
