import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../database/engine.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { listOf, pageAnswer } from '../http/paging.ts'
import { readAsPreferred } from '../http/prefer.ts'
import { sendCreated } from '../idempotency/send-created.ts'
import { changeContact, createContact, deleteContact, getContact, listContacts } from './actions.ts'
import { Contact, ContactInput, ContactListItem, ContactQuery } from './schema.ts'

const Deleted = Type.Object(
  { id: Contact.properties.id, deleted: Type.Literal(true) },
  { $id: 'Deleted', additionalProperties: false },
)

export function contactRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: ContactQuery }>(
      '/contacts',
      {
        schema: {
          operationId: 'listContacts',
          tags: ['Contacts'],
          summary: 'List contacts',
          description: 'Newest first.',
          querystring: ContactQuery,
          response: { 200: listOf(ContactListItem) },
        },
        config: { scope: 'read' },
      },
      async (request, reply) => {
        const { actor, query } = request
        const page = await readAsPreferred(db, request, reply, (from) => listContacts(from, actor.orgId, query))
        return pageAnswer(page, query)
      },
    )

    app.post<{ Body: ContactInput }>(
      '/contacts',
      {
        schema: {
          operationId: 'createContact',
          tags: ['Contacts'],
          summary: 'Create a contact',
          description: 'Needs a full_name or a company. Emits `contact.created`.',
          body: ContactInput,
          response: { 201: Contact },
        },
        config: { scope: 'write' },
      },
      (request, reply) =>
        sendCreated(db, request, reply, async (tx) => {
          const contact = await createContact(tx, request.actor, request.body)
          return { record: contact, contactId: contact.id }
        }),
    )

    app.get<{ Params: IdParams }>(
      '/contacts/:id',
      {
        schema: {
          operationId: 'getContact',
          tags: ['Contacts'],
          summary: 'Get a contact',
          params: IdParam,
          response: { 200: Contact },
        },
        config: { scope: 'read' },
      },
      ({ actor, params }) => getContact(db.read, actor.orgId, params.id),
    )

    app.patch<{ Params: IdParams; Body: ContactInput }>(
      '/contacts/:id',
      {
        schema: {
          operationId: 'changeContact',
          tags: ['Contacts'],
          summary: 'Change a contact',
          description:
            'Send only the fields to change; null clears a field. Emits `contact.updated`, then `deal.stage_changed` when the stage differs.',
          params: IdParam,
          body: ContactInput,
          response: { 200: Contact },
        },
        config: { scope: 'write' },
      },
      ({ actor, params, body }) => db.write((tx) => changeContact(tx, actor, params.id, body)),
    )

    app.delete<{ Params: IdParams }>(
      '/contacts/:id',
      {
        schema: {
          operationId: 'deleteContact',
          tags: ['Contacts'],
          summary: 'Delete a contact',
          description: 'For good, with its activities and webhook deliveries. Emits `contact.deleted`.',
          params: IdParam,
          response: { 200: Deleted },
        },
        config: { scope: 'write' },
      },
      async ({ actor, params }) => {
        await db.write((tx) => deleteContact(tx, actor, params.id))
        return { id: params.id, deleted: true }
      },
    )
  }
}
