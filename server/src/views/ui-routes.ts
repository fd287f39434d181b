import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../database/engine.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { changeView, listViews, removeView, saveView } from './actions.ts'
import { View, ViewInput, ViewPatch } from './schema.ts'

const Views = Type.Object({ data: Type.Array(View) }, { additionalProperties: false })
const Deleted = Type.Object({ id: View.properties.id, deleted: Type.Literal(true) }, { additionalProperties: false })

export function viewUiRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/views', { schema: { response: { 200: Views } }, config: { access: 'member' } }, async ({ actor }) => ({
      data: await listViews(db.read, actor.orgId),
    }))

    app.post<{ Body: ViewInput }>(
      '/views',
      { schema: { body: ViewInput, response: { 201: View } }, config: { access: 'member' } },
      async ({ actor, body }, reply) => reply.code(201).send(await db.write((tx) => saveView(tx, actor, body))),
    )

    app.patch<{ Params: IdParams; Body: ViewPatch }>(
      '/views/:id',
      { schema: { params: IdParam, body: ViewPatch, response: { 200: View } }, config: { access: 'member' } },
      ({ actor, params, body }) => db.write((tx) => changeView(tx, actor, params.id, body)),
    )

    app.delete<{ Params: IdParams }>(
      '/views/:id',
      { schema: { params: IdParam, response: { 200: Deleted } }, config: { access: 'member' } },
      async ({ actor, params }) => {
        await db.write((tx) => removeView(tx, actor, params.id))
        return { id: params.id, deleted: true }
      },
    )
  }
}
