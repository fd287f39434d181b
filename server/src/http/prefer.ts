/** Lists that may be some seconds old, where the caller says so: `Prefer: stale` (RFC 7240). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Reads } from '../database/engine.ts'

/**
 * Reads from the replica where there is one and the caller prefers it, which the answer then says; else from the
 * database itself. For lists alone: whoever asks for a record by its id may have just written it.
 */
export async function readAsPreferred<T>(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  read: (from: Reads) => Promise<T>,
): Promise<T> {
  // The web app shows people what they have just done.
  if (db.replica === undefined || request.tokenId === '') return read(db)
  reply.header('vary', 'Prefer')
  const old = prefersStale(request.headers.prefer) ? await db.replica.attempt(read) : undefined
  if (old === undefined) return read(db)
  reply.header('preference-applied', 'stale')
  return old.value
}

/** @param header of which there may have been several, joined by commas */
export function prefersStale(header: string | string[] | undefined): boolean {
  if (header === undefined) return false
  const preferences = String(header).replaceAll(QUOTED, '""').split(',')
  return preferences.some((preference) => {
    const [name, value = ''] = preference.split(';', 1)[0]!.split('=')
    return name!.trim().toLowerCase() === 'stale' && ['', '""'].includes(value.trim())
  })
}

/** One that does not end goes to the end: it is then found at once, or a long one would be looked for again and again. */
const QUOTED = /"(?:[^"\\]|\\.?)*(?:"|$)/g
