import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../database/engine.ts'
import { audit } from '../http/audit.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import type { Log } from '../log.ts'
import { createToken, listApiKeys, revokeToken } from './actions.ts'
import { ApiKey, ApiKeyInput, MadeApiKey } from './schema.ts'

const Revoked = Type.Object({ id: Type.String(), revoked: Type.Literal(true) })
const admin = { access: 'admin' } as const

export function tokenUiRoutes({ db, log }: { db: Database; log: Log }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/tokens',
      { schema: { response: { 200: Type.Object({ data: Type.Array(ApiKey) }) } }, config: admin },
      async ({ actor }) => ({ data: await listApiKeys(db.read, actor.orgId) }),
    )

    app.post<{ Body: ApiKeyInput }>(
      '/tokens',
      { schema: { body: ApiKeyInput, response: { 201: MadeApiKey } }, config: admin },
      async (request, reply) => {
        const made = await db.write((tx) => createToken(tx, request.actor, request.body))
        audit(log, request, 'A token was made.', { madeToken: made.id })
        // The token is in this answer only, and nobody keeps that.
        return reply.code(201).header('cache-control', 'no-store').send(made)
      },
    )

    app.post<{ Params: IdParams }>(
      '/tokens/:id/revoke',
      { schema: { params: IdParam, response: { 200: Revoked } }, config: admin },
      async (request) => {
        const { actor, params } = request
        await db.write((tx) => revokeToken(tx, actor, params.id))
        audit(log, request, 'A token was revoked.', { revokedToken: params.id })
        return { id: params.id, revoked: true }
      },
    )
  }
}
