import type { Database } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { ping } from './store.ts'
import { within } from './within.ts'

const ANSWER_MS_MAX = 1_000

export interface ReadinessParts {
  db: Pick<Database, 'read'>
  isClosing: () => boolean
}

/**
 * Makes the check whether requests may be sent here. Those who ask while a check is under way share it, so that a
 * database that hangs is not asked again and again.
 *
 * @returns a check that throws ApiError `unavailable` when the server is shutting down, or the database does not answer
 *   within a second
 */
export function createReadiness({ db, isClosing }: ReadinessParts): () => Promise<void> {
  let underway: Promise<void> | undefined
  const askDatabase = () => {
    underway ??= ping(db.read).finally(() => {
      underway = undefined
    })
    return underway
  }
  return async () => {
    if (isClosing()) throw notReady('The server is shutting down.')
    await within(askDatabase(), ANSWER_MS_MAX).catch((cause: unknown) => {
      throw notReady('The database does not answer.', cause)
    })
  }
}

function notReady(message: string, cause?: unknown): ApiError {
  return new ApiError('unavailable', message, { headers: { 'retry-after': '1' }, cause })
}
