import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import type { Database } from '../database/engine.ts'
import { audit } from '../http/audit.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { ownOrigin } from '../http/own-origin.ts'
import { clearSessionCookie } from '../http/session-cookie.ts'
import type { Log } from '../log.ts'
import {
  changeOwn,
  changeOwnPassword,
  changeRole,
  hashNewPassword,
  listMembers,
  memberOf,
  removeMemberById,
} from './actions.ts'
import { invite, listInvitations, makeResetLink, type NewLink, withdrawInvitation } from './link-actions.ts'
import { Invitation, MadeLink, Member, MemberChange, NewInvitation, OwnChange, PasswordChange } from './schema.ts'
import { requireOwnPassword } from './sign-in-actions.ts'

interface Parts {
  db: Database
  log: Log
  http: Pick<Config['http'], 'baseUrl'>
}

const Members = Type.Object(
  { members: Type.Array(Member), invitations: Type.Array(Invitation) },
  { additionalProperties: false },
)

const Gone = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { additionalProperties: false })

export function memberUiRoutes({ db, log, http: { baseUrl } }: Parts) {
  /** The token stands behind `#`, which a browser sends nowhere: no log and no referrer has it. */
  const linkOf = (request: FastifyRequest, page: 'invitation' | 'reset', { id, token, expires_at }: NewLink) => ({
    id,
    link: `${ownOrigin(request, baseUrl)}/${page}#${token}`,
    expires_at,
  })

  return async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/members',
      { schema: { response: { 200: Members } }, config: { access: 'member' } },
      async ({ member: { orgId } }) => ({
        members: await listMembers(db.read, orgId),
        invitations: await listInvitations(db.read, orgId),
      }),
    )

    app.post<{ Body: NewInvitation }>(
      '/invitations',
      { schema: { body: NewInvitation, response: { 201: MadeLink } }, config: { access: 'admin' } },
      async (request, reply) => {
        const link = await db.write((tx) => invite(tx, request.member, request.body))
        audit(log, request, 'Invited somebody.', { invitation: link.id, role: request.body.role })
        return reply.code(201).send(linkOf(request, 'invitation', link))
      },
    )

    app.delete<{ Params: IdParams }>(
      '/invitations/:id',
      { schema: { params: IdParam, response: { 200: Gone } }, config: { access: 'admin' } },
      async (request) => {
        await db.write((tx) => withdrawInvitation(tx, request.member, request.params.id))
        audit(log, request, 'Withdrew an invitation.', { invitation: request.params.id })
        return { id: request.params.id, deleted: true }
      },
    )

    app.patch<{ Params: IdParams; Body: MemberChange }>(
      '/members/:id',
      { schema: { params: IdParam, body: MemberChange, response: { 200: Member } }, config: { access: 'admin' } },
      async (request) => {
        const { id } = request.params
        const { role } = request.body
        const member = await db.write((tx) => changeRole(tx, request.member, id, role))
        audit(log, request, 'Changed a role.', { member: id, role })
        return member
      },
    )

    app.post<{ Params: IdParams }>(
      '/members/:id/reset',
      { schema: { params: IdParam, response: { 201: MadeLink } }, config: { access: 'admin' } },
      async (request, reply) => {
        const link = await db.write((tx) => makeResetLink(tx, request.member, request.params.id))
        audit(log, request, 'Made a link to set another password.', { member: request.params.id })
        return reply.code(201).send(linkOf(request, 'reset', link))
      },
    )

    app.delete<{ Params: IdParams }>(
      '/members/:id',
      { schema: { params: IdParam, response: { 200: Gone } }, config: { access: 'admin' } },
      async (request, reply) => {
        const { id } = request.params
        await db.write((tx) => removeMemberById(tx, request.member.orgId, id))
        audit(log, request, 'Removed a member.', { member: id })
        if (id === request.member.id) clearSessionCookie(request, reply, baseUrl)
        return { id, deleted: true }
      },
    )

    app.patch<{ Body: OwnChange }>(
      '/me',
      { schema: { body: OwnChange, response: { 200: Member } }, config: { access: 'member' } },
      async (request) => {
        const { member } = request
        const { name, email, current_password } = request.body
        if (email !== undefined && email.toLowerCase() !== member.email) {
          await requireOwnPassword(db, member, current_password)
          audit(log, request, 'Changed the own e-mail address.')
        }
        if (name === undefined && email === undefined) return memberOf(db.read, member.orgId, member.id)
        return db.write((tx) => changeOwn(tx, member, { name, email }))
      },
    )

    app.post<{ Body: PasswordChange }>(
      '/me/password',
      {
        schema: { body: PasswordChange, response: { 200: Type.Object({}, { additionalProperties: false }) } },
        config: { access: 'member' },
      },
      async (request) => {
        const { member } = request
        const { current_password, new_password } = request.body
        await requireOwnPassword(db, member, current_password)
        const hash = await hashNewPassword(db.read, member, new_password, 'new_password')
        await db.write((tx) => changeOwnPassword(tx, member, hash))
        audit(log, request, 'Changed the own password.')
        return {}
      },
    )
  }
}
