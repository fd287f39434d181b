import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/engine.ts'
import { audit } from '../http/audit.ts'
import type { Log } from '../log.ts'
import { placesOf } from './actions.ts'
import { addPlaces } from './add-actions.ts'
import { AddedPlaces, AddPlaces, MapContacts, MapContactsQuery } from './add-schema.ts'
import { contactsOnMap } from './contact-place-actions.ts'
import { loadSamplePlaces } from './sample-actions.ts'
import { PlaceSource } from './schema.ts'

/** 500 ids of 200 characters in JSON, and what all the places become. */
const BODY_BYTES_MAX = 256 * 1024

interface Parts {
  db: Database
  log: Log
}

export function addUiRoutes({ db, log }: Parts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Body: AddPlaces }>(
      '/places/add',
      {
        schema: {
          summary: 'Add places as contacts',
          description: 'By an import, which can be undone. Those that are contacts already are left out.',
          body: AddPlaces,
          response: { 200: AddedPlaces },
        },
        config: { access: 'member', bodyBytesMax: BODY_BYTES_MAX },
      },
      async (request) => {
        const { actor, member, body } = request
        const { source, ...wanted } = body
        const found = await placesOf(db, member, source, wanted.source_ids)
        const answer = await addPlaces(db, actor, found, wanted)
        const { import_id, added } = answer
        if (import_id !== null) audit(log, request, 'Places were added as contacts.', { import: import_id, added })
        return answer
      },
    )

    app.get<{ Querystring: MapContactsQuery }>(
      '/places/contacts',
      {
        schema: {
          summary: 'Contacts that were found on a map, in an area',
          querystring: MapContactsQuery,
          response: { 200: MapContacts },
        },
        config: { access: 'member' },
      },
      ({ actor, query }) => contactsOnMap(db.slow, actor.orgId, query),
    )

    app.post(
      '/places/sample',
      {
        schema: { summary: 'Load the sample places', response: { 201: PlaceSource } },
        config: { access: 'admin' },
      },
      async (request, reply) => {
        const source = await loadSamplePlaces(db)
        audit(log, request, 'The sample places were loaded.', { source: source.id })
        return reply.code(201).send(source)
      },
    )
  }
}
