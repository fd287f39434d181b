import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Tx } from '../database/engine.ts'
import { once, readKey, requestHash } from './actions.ts'

/** What was made: the record to answer with, and the contact that the record tells about. */
export interface Created {
  record: { id: string }
  contactId: string | null
}

/**
 * Answers a POST: 201, `Location` and the record that `make` makes in a transaction; under an `Idempotency-Key` made
 * once and answered again.
 */
export async function sendCreated(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  make: (tx: Tx) => Promise<Created>,
): Promise<FastifyReply> {
  const path = request.url.split('?', 1)[0]!
  const answer = ({ record, contactId }: Created) => ({
    answer: String(reply.code(201).serialize(record)),
    location: `${path}/${record.id}`,
    contactId,
  })
  const header = request.headers['idempotency-key']
  reply.type('application/json; charset=utf-8')
  // A key is a program's, kept with its token; the web app has none.
  if (header === undefined || request.tokenId === '') {
    const made = answer(await db.write(make))
    return reply.header('location', made.location).send(made.answer)
  }
  const key = { orgId: request.actor.orgId, tokenId: request.tokenId, key: readKey(String(header)) }
  const hash = requestHash(path, request.bodyBytes ?? new Uint8Array())
  const made = await db.write((tx) => once(tx, key, hash, async () => answer(await make(tx))))
  if (made.isReplayed) reply.header('idempotent-replayed', 'true')
  return reply.code(201).header('location', made.location).send(made.answer)
}
