import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Database } from '../database/engine.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { addNote, changeNote, listActivities, removeNote } from './note-actions.ts'
import { Activities, Activity, ActivityQuery, NoteInput, NotePatch } from './schema.ts'

const NoteParams = Type.Object({ ...IdParam.properties, activity_id: Type.String() })
type NoteParams = IdParams & { activity_id: string }

const Deleted = Type.Object(
  { id: Activity.properties.id, deleted: Type.Literal(true) },
  { additionalProperties: false },
)

export function activityUiRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Params: IdParams; Querystring: ActivityQuery }>(
      '/contacts/:id/activities',
      {
        schema: { params: IdParam, querystring: ActivityQuery, response: { 200: Activities } },
        config: { access: 'member' },
      },
      ({ actor, params, query }) => listActivities(db.read, actor, params.id, query),
    )

    app.post<{ Params: IdParams; Body: NoteInput }>(
      '/contacts/:id/activities',
      { schema: { params: IdParam, body: NoteInput, response: { 201: Activity } }, config: { access: 'member' } },
      async ({ actor, params, body }, reply) =>
        reply.code(201).send(await db.write((tx) => addNote(tx, actor, params.id, body))),
    )

    app.patch<{ Params: NoteParams; Body: NotePatch }>(
      '/contacts/:id/activities/:activity_id',
      { schema: { params: NoteParams, body: NotePatch, response: { 200: Activity } }, config: { access: 'member' } },
      ({ actor, params, body }) => db.write((tx) => changeNote(tx, actor, placeOf(params), body)),
    )

    app.delete<{ Params: NoteParams }>(
      '/contacts/:id/activities/:activity_id',
      { schema: { params: NoteParams, response: { 200: Deleted } }, config: { access: 'member' } },
      async ({ actor, params }) => {
        await db.write((tx) => removeNote(tx, actor, placeOf(params)))
        return { id: params.activity_id, deleted: true }
      },
    )
  }
}

function placeOf({ id, activity_id }: NoteParams) {
  return { contactId: id, id: activity_id }
}
