import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { audit } from '../http/audit.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { paced } from '../http/paced.ts'
import type { Log } from '../log.ts'
import { listSources, type Places, searchPlaces } from './actions.ts'
import { FoundPlaces, PlaceQuery, PlaceSource, PlaceSources, UploadPlacesQuery } from './schema.ts'
import { removeUpload, uploadPlaces } from './upload-actions.ts'

const Removed = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { additionalProperties: false })

const member = { access: 'member' } as const

export function prospectingUiRoutes({ db, log, overpass }: Places & { log: Log }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/places/sources', { schema: { response: { 200: PlaceSources } }, config: member }, async (request) => ({
      data: await listSources({ db, overpass }, request.member),
    }))

    app.get<{ Querystring: PlaceQuery }>(
      '/places',
      { schema: { querystring: PlaceQuery, response: { 200: FoundPlaces } }, config: member },
      (request) => searchPlaces({ db, overpass }, request.member, request.query),
    )

    app.post<{ Querystring: UploadPlacesQuery }>(
      '/places/upload',
      {
        schema: { querystring: UploadPlacesQuery, response: { 201: PlaceSource } },
        config: { ...member, upload: true },
      },
      async (request, reply) => {
        // What is still to come of a refused file is not waited for.
        reply.header('connection', 'close')
        const file = { name: request.query.name, bytes: paced(request.raw) }
        const source = await uploadPlaces(db, request.member, file)
        reply.removeHeader('connection')
        audit(log, request, 'A file of places was uploaded.', { source: source.id })
        return reply.code(201).send(source)
      },
    )

    app.delete<{ Params: IdParams }>(
      '/places/upload/:id',
      { schema: { params: IdParam, response: { 200: Removed } }, config: member },
      async ({ member: viewer, params }) => {
        const id = params.id.replace(/^upload:/, '')
        await removeUpload(db, viewer, id)
        return { id: params.id, deleted: true }
      },
    )
  }
}
