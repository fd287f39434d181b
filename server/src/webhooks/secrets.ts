import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/**
 * Makes the signing secret of a subscription.
 *
 * @returns `whsec_` and the base64 of 32 random bytes: 50 characters
 * @see contract §8
 */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}
