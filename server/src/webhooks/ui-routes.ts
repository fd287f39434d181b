import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../database/engine.ts'
import { audit } from '../http/audit.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import type { Log } from '../log.ts'
import type { AddressGuard } from '../outgoing/address-guard.ts'
import {
  changeSubscription,
  createSubscription,
  deleteSubscription,
  endOldSecret,
  pauseSubscription,
  refusalOf,
  resumeSubscription,
  rotateSecret,
} from './actions.ts'
import { countFailedSince, sendFailedAgain, stopSendingAgain } from './send-again-actions.ts'
import { sendTest } from './test-delivery-actions.ts'
import { getWebhook, listWebhooks } from './ui-actions.ts'
import {
  FailedCount,
  FailedQuery,
  ListedWebhook,
  MadeWebhook,
  RotatedSecret,
  SendAgainAnswer,
  SendAgainInput,
  TestAnswer,
  TestInput,
  UrlCheck,
  UrlCheckInput,
  Webhook,
  WebhookDetails,
  WebhookInput,
  WebhookPatch,
} from './ui-schema.ts'

export interface WebhookUiParts {
  db: Database
  log: Log
  /** Where deliveries may go. */
  guard: AddressGuard
  /** 32 bytes that signing secrets are sealed with. */
  key: Uint8Array
}

const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) })
const admin = { access: 'admin' } as const

/** Subscriptions; what was sent to them is in `delivery-ui-routes.ts`. */
export function webhookUiRoutes({ db, log, guard, key }: WebhookUiParts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/webhooks',
      { schema: { response: { 200: Type.Object({ data: Type.Array(ListedWebhook) }) } }, config: admin },
      async ({ actor }) => ({ data: await listWebhooks(db, actor.orgId) }),
    )

    app.post<{ Body: WebhookInput }>(
      '/webhooks',
      { schema: { body: WebhookInput, response: { 201: MadeWebhook } }, config: admin },
      async (request, reply) => {
        const { actor, body } = request
        const made = await db.write((tx) => createSubscription(tx, actor, body, { guard, key }))
        audit(log, request, 'A webhook was added.', { webhook: made.id })
        return secretAnswer(reply).code(201).send(made)
      },
    )

    app.post<{ Body: { url: string } }>(
      '/webhooks/check-url',
      { schema: { body: UrlCheckInput, response: { 200: UrlCheck } }, config: admin },
      async ({ body }) => ({ refused: refusalOf(guard, body.url) }),
    )

    app.get<{ Params: IdParams }>(
      '/webhooks/:id',
      { schema: { params: IdParam, response: { 200: WebhookDetails } }, config: admin },
      ({ actor, params }) => getWebhook(db, actor.orgId, params.id),
    )

    app.patch<{ Params: IdParams; Body: WebhookPatch }>(
      '/webhooks/:id',
      { schema: { params: IdParam, body: WebhookPatch, response: { 200: Webhook } }, config: admin },
      async (request) => {
        const { actor, params, body } = request
        const changed = await db.write((tx) => changeSubscription(tx, actor, params.id, body, { guard }))
        audit(log, request, 'A webhook was changed.', { webhook: params.id })
        return changed
      },
    )

    app.delete<{ Params: IdParams }>(
      '/webhooks/:id',
      { schema: { params: IdParam, response: { 200: Deleted } }, config: admin },
      async (request) => {
        const { actor, params } = request
        await db.write((tx) => deleteSubscription(tx, actor, params.id))
        audit(log, request, 'A webhook was deleted.', { webhook: params.id })
        return { id: params.id, deleted: true }
      },
    )

    app.post<{ Params: IdParams }>(
      '/webhooks/:id/pause',
      { schema: { params: IdParam, response: { 200: Webhook } }, config: admin },
      ({ actor, params }) => db.write((tx) => pauseSubscription(tx, actor, params.id)),
    )

    app.post<{ Params: IdParams }>(
      '/webhooks/:id/resume',
      { schema: { params: IdParam, response: { 200: Webhook } }, config: admin },
      ({ actor, params }) => db.write((tx) => resumeSubscription(tx, actor, params.id)),
    )

    app.post<{ Params: IdParams }>(
      '/webhooks/:id/secret',
      { schema: { params: IdParam, response: { 200: RotatedSecret } }, config: admin },
      async (request, reply) => {
        const { actor, params } = request
        const rotated = await db.write((tx) => rotateSecret(tx, actor, params.id, { key }))
        audit(log, request, 'A webhook got a new secret.', { webhook: params.id })
        return secretAnswer(reply).send(rotated)
      },
    )

    app.delete<{ Params: IdParams }>(
      '/webhooks/:id/secret/old',
      { schema: { params: IdParam, response: { 200: Webhook } }, config: admin },
      async (request) => {
        const { actor, params } = request
        const changed = await db.write((tx) => endOldSecret(tx, actor, params.id))
        audit(log, request, "A webhook's old secret ended.", { webhook: params.id })
        return changed
      },
    )

    app.post<{ Params: IdParams; Body: TestInput }>(
      '/webhooks/:id/test',
      { schema: { params: IdParam, body: TestInput, response: { 200: TestAnswer } }, config: admin },
      async ({ actor, params, body }) => ({
        delivery_id: await db.write((tx) => sendTest(tx, actor, params.id, body.event)),
      }),
    )

    app.get<{ Params: IdParams; Querystring: { since: string } }>(
      '/webhooks/:id/failed',
      { schema: { params: IdParam, querystring: FailedQuery, response: { 200: FailedCount } }, config: admin },
      async ({ actor, params, query }) => ({
        count: await countFailedSince(db, actor.orgId, params.id, query.since),
      }),
    )

    app.post<{ Params: IdParams; Body: SendAgainInput }>(
      '/webhooks/:id/send-failed-again',
      { schema: { params: IdParam, body: SendAgainInput, response: { 200: SendAgainAnswer } }, config: admin },
      async ({ actor, params, body }) => ({ queued: await sendFailedAgain(db, actor, params.id, body) }),
    )

    app.delete<{ Params: IdParams }>(
      '/webhooks/:id/send-failed-again',
      { schema: { params: IdParam, response: { 200: WebhookDetails } }, config: admin },
      async ({ actor, params }) => {
        await db.write((tx) => stopSendingAgain(tx, actor, params.id))
        return getWebhook(db, actor.orgId, params.id)
      },
    )
  }
}

/** A secret is in one answer only, and nobody keeps that. */
function secretAnswer(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store')
}
