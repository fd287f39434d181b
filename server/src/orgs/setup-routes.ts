import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import type { Database } from '../database/engine.ts'
import { audit } from '../http/audit.ts'
import { requirePrivateWay, setSessionCookie } from '../http/session-cookie.ts'
import type { Log } from '../log.ts'
import { needsSetUp, setUp } from './setup-actions.ts'
import { SetUp } from './setup-schema.ts'

export function setupRoutes({ db, log, http }: { db: Database; log: Log; http: Pick<Config['http'], 'baseUrl'> }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/setup',
      {
        schema: { response: { 200: Type.Object({ needed: Type.Boolean() }, { additionalProperties: false }) } },
        config: { access: 'anyone' },
      },
      async () => ({ needed: await needsSetUp(db.read) }),
    )

    app.post<{ Body: SetUp }>(
      '/setup',
      {
        schema: {
          body: SetUp,
          response: { 200: Type.Object({ org_id: Type.String() }, { additionalProperties: false }) },
        },
        config: { access: 'anyone' },
      },
      async (request, reply) => {
        requirePrivateWay(request, http.baseUrl)
        const { orgId, memberId, secret } = await setUp(db, request.body, request.headers['user-agent'] ?? '')
        audit(log, request, 'Set up: the first organisation and its admin.', { orgId, actor: `member:${memberId}` })
        setSessionCookie(request, reply, http.baseUrl, secret)
        return { org_id: orgId }
      },
    )
  }
}
