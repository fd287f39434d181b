import type { FastifyInstance } from 'fastify'
import { getContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { deliveryLog, getDelivery, redeliver } from './delivery-actions.ts'
import { ContactLogQuery, DeliveryDetails, LogPage, LogQuery } from './ui-schema.ts'

const admin = { access: 'admin' } as const

/** What was sent, and how it ended. */
export function deliveryUiRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Params: IdParams; Querystring: LogQuery }>(
      '/webhooks/:id/deliveries',
      { schema: { params: IdParam, querystring: LogQuery, response: { 200: LogPage } }, config: admin },
      async ({ actor, params, query }) => ({
        data: await deliveryLog(db, actor.orgId, { subscriptionId: params.id }, query),
      }),
    )

    app.get<{ Params: IdParams; Querystring: ContactLogQuery }>(
      '/contacts/:id/deliveries',
      { schema: { params: IdParam, querystring: ContactLogQuery, response: { 200: LogPage } }, config: admin },
      async ({ actor, params, query }) => {
        await getContact(db.read, actor.orgId, params.id)
        return { data: await deliveryLog(db, actor.orgId, { contactId: params.id }, query) }
      },
    )

    app.get<{ Params: IdParams }>(
      '/deliveries/:id',
      { schema: { params: IdParam, response: { 200: DeliveryDetails } }, config: admin },
      ({ actor, params }) => getDelivery(db.read, actor.orgId, params.id),
    )

    app.post<{ Params: IdParams }>(
      '/deliveries/:id/send-again',
      { schema: { params: IdParam, response: { 200: DeliveryDetails } }, config: admin },
      async ({ actor, params }) => {
        await db.write((tx) => redeliver(tx, actor, params.id))
        return getDelivery(db.read, actor.orgId, params.id)
      },
    )
  }
}
