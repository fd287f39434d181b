/** What a database error means, from the numbers of both engines. */
import { ApiError } from '../http/errors.ts'

/** SQLite's primary result codes (https://sqlite.org/rescode.html). */
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_NOMEM = 7
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067

const SQLITE_AWAY = [SQLITE_NOMEM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN]

/** PostgreSQL's SQLSTATEs (appendix A of its manual): the server cannot work now, and may later. */
const POSTGRES_AWAY = /^(08|53|57P|25006|25P03|55P03|57014|58)/
const POSTGRES_CONFLICT = /^(40001|40P01)$/
const SOCKET_AWAY =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|EMFILE)$/

/** @returns whether the row is there already */
export function isUniqueViolation(error: unknown): boolean {
  const extended = sqliteCode(error)
  return (
    extended === SQLITE_CONSTRAINT_UNIQUE ||
    extended === SQLITE_CONSTRAINT_PRIMARYKEY ||
    (error as { code?: unknown })?.code === '23505'
  )
}

/** @returns whether another connection holds SQLite's write lock */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error)
  return code === SQLITE_BUSY || code === SQLITE_LOCKED
}

/** @returns whether the database itself, not the statement, is what failed */
export function isAway(error: unknown): boolean {
  const sqlite = primaryCode(error)
  if (sqlite !== undefined) return SQLITE_AWAY.includes(sqlite) || isBusy(error)
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && (SOCKET_AWAY.test(code) || POSTGRES_AWAY.test(code))
}

/** @returns whether PostgreSQL rolled the transaction back because of another one, so that it may be run again */
export function isConflict(error: unknown): boolean {
  return POSTGRES_CONFLICT.test(String((error as { code?: unknown })?.code))
}

/** The answer while the database cannot work. */
export function unavailable(cause?: unknown): ApiError {
  return new ApiError('unavailable', 'The service cannot answer now. Try again shortly.', {
    headers: { 'retry-after': '1' },
    cause,
  })
}

function primaryCode(error: unknown): number | undefined {
  const extended = sqliteCode(error)
  return extended === undefined ? undefined : extended & 0xff
}

function sqliteCode(error: unknown): number | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode : undefined
}
