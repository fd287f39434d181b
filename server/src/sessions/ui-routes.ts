import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import type { Database } from '../database/engine.ts'
import { audit } from '../http/audit.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { ownOrigin } from '../http/own-origin.ts'
import { clearSessionCookie } from '../http/session-cookie.ts'
import type { Log } from '../log.ts'
import { listMembers } from '../members/actions.ts'
import { getOrgSettings, listLabels, listStages } from '../orgs/actions.ts'
import { VERSION } from '../version.ts'
import { listViews } from '../views/actions.ts'
import { endSession, endSessionsOf, listSessions } from './actions.ts'
import { ListedSession, OpenSession } from './schema.ts'

interface Parts {
  db: Database
  log: Log
  http: Pick<Config['http'], 'baseUrl'>
}

const Ended = Type.Object({ ended: Type.Integer() }, { additionalProperties: false })

export function sessionUiRoutes({ db, log, http: { baseUrl } }: Parts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/session',
      { schema: { response: { 200: OpenSession } }, config: { access: 'member' } },
      async (request) => {
        const { member } = request
        const { orgId } = member
        const [org, stages, labels, views, members] = await Promise.all([
          getOrgSettings(db.read, orgId),
          listStages(db.read, orgId),
          listLabels(db.read, orgId),
          listViews(db.read, orgId),
          listMembers(db.read, orgId),
        ])
        const admins = members.filter(({ role }) => role === 'admin').map(({ name, email }) => name || email)
        const apiUrl = `${ownOrigin(request, baseUrl)}/api/v1`
        return { member, org, stages, labels, views, admins, api_url: apiUrl, version: VERSION }
      },
    )

    app.get(
      '/sessions',
      {
        schema: {
          response: { 200: Type.Object({ data: Type.Array(ListedSession) }, { additionalProperties: false }) },
        },
        config: { access: 'member' },
      },
      async ({ member }) => ({ data: await listSessions(db.read, member) }),
    )

    app.delete<{ Params: IdParams }>(
      '/sessions/:id',
      { schema: { params: IdParam, response: { 200: Ended } }, config: { access: 'member' } },
      async (request, reply) => {
        const { member, params } = request
        await db.write((tx) => endSession(tx, member, params.id))
        audit(log, request, 'Ended a session.', { ended: params.id })
        if (params.id === member.sessionId) clearSessionCookie(request, reply, baseUrl)
        return { ended: 1 }
      },
    )

    app.post(
      '/sessions/end-others',
      { schema: { response: { 200: Ended } }, config: { access: 'member' } },
      async (request) => {
        const { orgId, id: memberId, sessionId } = request.member
        const ended = await db.write((tx) => endSessionsOf(tx, { orgId, memberId }, sessionId))
        audit(log, request, 'Signed out everywhere else.')
        return { ended }
      },
    )

    app.post(
      '/sign-out',
      { schema: { response: { 200: Ended } }, config: { access: 'member' } },
      async (request, reply) => {
        await db.write((tx) => endSession(tx, request.member, request.member.sessionId))
        audit(log, request, 'Signed out.')
        clearSessionCookie(request, reply, baseUrl)
        return { ended: 1 }
      },
    )
  }
}
