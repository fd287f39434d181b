/** Where somebody who has not signed in becomes a member or signs in. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import type { Database } from '../database/engine.ts'
import { audit } from '../http/audit.ts'
import { requirePrivateWay, setSessionCookie } from '../http/session-cookie.ts'
import type { Log } from '../log.ts'
import { acceptLink, openLink } from './link-actions.ts'
import { LinkAcceptance, LinkToken, OpenedLink, SignIn } from './schema.ts'
import { signIn } from './sign-in-actions.ts'

interface Parts {
  db: Database
  log: Log
  http: Pick<Config['http'], 'baseUrl'>
}

/** Nothing but the cookie: the page then asks for `/ui/session`. */
const SignedInAnswer = Type.Object({ member_id: Type.String() }, { additionalProperties: false })

export function signInRoutes({ db, log, http: { baseUrl } }: Parts) {
  const open = (request: FastifyRequest, reply: FastifyReply, who: { memberId: string; secret: string }) => {
    setSessionCookie(request, reply, baseUrl, who.secret)
    return { member_id: who.memberId }
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Body: SignIn }>(
      '/sign-in',
      { schema: { body: SignIn, response: { 200: SignedInAnswer } }, config: { access: 'anyone' } },
      async (request, reply) => {
        requirePrivateWay(request, baseUrl)
        const outcome = await signIn(db, request.body, { address: request.ip, userAgent: userAgentOf(request) })
        if ('refused' in outcome) {
          const what =
            outcome.refused.code === 'too_many_tries' ? 'Too many tries to sign in.' : 'A try to sign in failed.'
          audit(log, request, what, outcome.who && whoOf(outcome.who))
          throw outcome.refused
        }
        audit(log, request, 'Signed in.', whoOf(outcome))
        return open(request, reply, outcome)
      },
    )

    app.post<{ Body: { token: string } }>(
      '/links/open',
      { schema: { body: LinkToken, response: { 200: OpenedLink } }, config: { access: 'anyone' } },
      ({ body }) => openLink(db.read, body.token),
    )

    app.post<{ Body: LinkAcceptance }>(
      '/links/accept',
      { schema: { body: LinkAcceptance, response: { 200: SignedInAnswer } }, config: { access: 'anyone' } },
      async (request, reply) => {
        requirePrivateWay(request, baseUrl)
        const accepted = await acceptLink(db, request.body, userAgentOf(request))
        const message = accepted.kind === 'reset' ? 'Set another password by a link.' : 'Accepted an invitation.'
        audit(log, request, `${message} Signed in.`, whoOf(accepted))
        return open(request, reply, accepted)
      },
    )
  }
}

function userAgentOf({ headers }: FastifyRequest): string {
  return headers['user-agent'] ?? ''
}

function whoOf({ orgId, memberId }: { orgId: string; memberId: string }) {
  return { orgId, actor: `member:${memberId}` }
}
