/** Passwords at rest: argon2id, written as `$argon2id$v=19$m=…,t=…,p=1$salt$hash`, so that each carries its costs. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '../http/errors.ts'

const COSTS = { memory: 19 * 1024, passes: 2 }
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Each takes 19 MiB and a thread of the pool for tens of milliseconds. */
const RUNNING_MAX = 4
const WAITING_MAX = 100

/**
 * Hashes a password as it was sent.
 *
 * @returns the text to store, in the PHC string format
 * @throws ApiError `unavailable` when 100 wait already
 * @see security P1
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return written(COSTS, salt, await derive(password, salt, COSTS, HASH_BYTES))
}

/**
 * Whether a password is the one that was hashed.
 *
 * @param stored what `hashPassword` returned; undefined where there is no such person: the same work is done then, so
 *   that the time tells nothing
 * @throws ApiError `unavailable` when 100 wait already
 * @throws Error when `stored` is no such text
 * @see security P3
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const { costs, salt, hash } = stored === undefined ? nobody : read(stored)
  const derived = await derive(password, salt, costs, hash.length)
  return timingSafeEqual(derived, hash) && stored !== undefined
}

/** Whether a hash was made with other costs than today's, so that the next login should replace it. */
export function isOutdated(stored: string): boolean {
  const { costs } = read(stored)
  return costs.memory !== COSTS.memory || costs.passes !== COSTS.passes
}

type Costs = typeof COSTS

const nobody = { costs: COSTS, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=1\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{43,86})$/

function read(stored: string): { costs: Costs; salt: Buffer; hash: Buffer } {
  const [, memory, passes, salt, hash] = PHC.exec(stored) ?? []
  if (!hash) throw new Error('The stored password hash is not readable.')
  return {
    costs: { memory: Number(memory), passes: Number(passes) },
    salt: Buffer.from(salt!, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

function written(costs: Costs, salt: Buffer, hash: Buffer): string {
  const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${costs.memory},t=${costs.passes},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(hash)}`
}

const argon2Async = promisify<'argon2id', Argon2Parameters, Buffer>(argon2)

let running = 0
const waiting: (() => void)[] = []

async function derive(password: string, salt: Buffer, costs: Costs, tagLength: number): Promise<Buffer> {
  if (running >= RUNNING_MAX) {
    if (waiting.length >= WAITING_MAX) {
      throw new ApiError('unavailable', 'Too many people are signing in at once. Try again shortly.', {
        headers: { 'retry-after': '1' },
      })
    }
    // Whoever ends hands its place over, so that nobody who comes later gets in between.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running++
  }
  try {
    return await argon2Async('argon2id', {
      message: Buffer.from(password, 'utf8'),
      nonce: salt,
      parallelism: PARALLELISM,
      tagLength,
      ...costs,
    })
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
