import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import type { Database } from '../database/engine.ts'
import { audit } from '../http/audit.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { paced } from '../http/paced.ts'
import type { Log } from '../log.ts'
import { loadSamplePlaces } from '../prospecting/sample-actions.ts'
import { problemFile, template } from './problem-file.ts'
import {
  addSampleData,
  beginCheck,
  beginImport,
  beginUndo,
  changeImport,
  continueImport,
  fixProblem,
  getImport,
  getUndoPreview,
  listImports,
  listProblems,
  removeUpload,
  stopImport,
} from './ui-actions.ts'
import {
  FixResult,
  ImportDetail,
  ImportList,
  ImportPatch,
  ImportRun,
  ProblemFix,
  ProblemList,
  ProblemQuery,
  RowParams,
  UndoPreview,
  UploadQuery,
} from './ui-schema.ts'
import { uploadImport } from './upload.ts'

interface Parts {
  db: Database
  log: Log
  imports: Config['imports']
}

const Made = Type.Object({ id: Type.String() }, { additionalProperties: false })
const Removed = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { additionalProperties: false })
const Csv = Type.String()

const member = { access: 'member' } as const

export function importUiRoutes({ db, log, imports: { uploadBytesMax } }: Parts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/imports', { schema: { response: { 200: ImportList } }, config: member }, async ({ actor }) => ({
      data: await listImports(db.read, actor.orgId),
    }))

    app.get('/imports/template.csv', { schema: { response: { 200: Csv } }, config: member }, (_request, reply) => {
      reply.header('content-type', 'text/csv; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="kith-contacts-template.csv"')
      return reply.send(Readable.from([template()]))
    })

    app.post<{ Querystring: UploadQuery }>(
      '/imports/upload',
      {
        schema: { querystring: UploadQuery, response: { 201: ImportDetail } },
        config: { ...member, upload: true },
      },
      async (request, reply) => {
        const { actor, query } = request
        // What is still to come of a refused file is not waited for.
        reply.header('connection', 'close')
        const upload = { name: query.name, bytes: paced(request.raw), bytesMax: uploadBytesMax }
        const id = await uploadImport(db, actor, upload)
        reply.removeHeader('connection')
        audit(log, request, 'A file was uploaded to be imported.', { import: id })
        return reply.code(201).send(await getImport(db, { orgId: actor.orgId, id }))
      },
    )

    app.get<{ Params: IdParams }>(
      '/imports/:id',
      { schema: { params: IdParam, response: { 200: ImportDetail } }, config: member },
      ({ actor, params }) => getImport(db, { orgId: actor.orgId, id: params.id }),
    )

    app.patch<{ Params: IdParams; Body: ImportPatch }>(
      '/imports/:id',
      { schema: { params: IdParam, body: ImportPatch, response: { 200: ImportDetail } }, config: member },
      ({ actor, params, body }) => changeImport(db, actor, params.id, body),
    )

    app.delete<{ Params: IdParams }>(
      '/imports/:id',
      { schema: { params: IdParam, response: { 200: Removed } }, config: member },
      async ({ actor, params }) => {
        await db.write((tx) => removeUpload(tx, actor, params.id))
        return { id: params.id, deleted: true }
      },
    )

    app.post<{ Params: IdParams }>(
      '/imports/:id/check',
      { schema: { params: IdParam, response: { 200: ImportDetail } }, config: member },
      async ({ actor, params }) => {
        await db.write((tx) => beginCheck(tx, actor, params.id))
        return getImport(db, { orgId: actor.orgId, id: params.id })
      },
    )

    app.get<{ Params: IdParams; Querystring: ProblemQuery }>(
      '/imports/:id/problems',
      { schema: { params: IdParam, querystring: ProblemQuery, response: { 200: ProblemList } }, config: member },
      ({ actor, params, query }) => listProblems(db.read, { orgId: actor.orgId, id: params.id }, query),
    )

    app.patch<{ Params: RowParams; Body: ProblemFix }>(
      '/imports/:id/problems/:row',
      { schema: { params: RowParams, body: ProblemFix, response: { 200: FixResult } }, config: member },
      ({ actor, params, body }) => {
        const cells = body.cells.map((cell) => cell ?? '')
        return fixProblem(db, actor, { id: params.id, row: Number(params.row), cells })
      },
    )

    app.get<{ Params: IdParams }>(
      '/imports/:id/problems.csv',
      { schema: { params: IdParam, response: { 200: Csv } }, config: member },
      async (request, reply) => {
        const { actor, params } = request
        const text = await problemFile(db, { orgId: actor.orgId, id: params.id })
        audit(log, request, 'The rows of an import that have problems were downloaded.', { import: params.id })
        reply.header('content-type', 'text/csv; charset=utf-8')
        reply.header('content-disposition', 'attachment; filename="kith-import-problems.csv"')
        return reply.send(Readable.from(text))
      },
    )

    app.post<{ Params: IdParams; Body: ImportRun }>(
      '/imports/:id/run',
      { schema: { params: IdParam, body: ImportRun, response: { 200: ImportDetail } }, config: member },
      async (request) => {
        const { actor, params, body } = request
        await db.write((tx) => beginImport(tx, actor, params.id, body))
        audit(log, request, 'An import was begun.', { import: params.id })
        return getImport(db, { orgId: actor.orgId, id: params.id })
      },
    )

    app.post<{ Params: IdParams }>(
      '/imports/:id/stop',
      { schema: { params: IdParam, response: { 200: ImportDetail } }, config: member },
      async ({ actor, params }) => {
        await db.write((tx) => stopImport(tx, actor, params.id))
        return getImport(db, { orgId: actor.orgId, id: params.id })
      },
    )

    app.post<{ Params: IdParams }>(
      '/imports/:id/continue',
      { schema: { params: IdParam, response: { 200: ImportDetail } }, config: member },
      async ({ actor, params }) => {
        await db.write((tx) => continueImport(tx, actor, params.id))
        return getImport(db, { orgId: actor.orgId, id: params.id })
      },
    )

    app.get<{ Params: IdParams }>(
      '/imports/:id/undo-preview',
      { schema: { params: IdParam, response: { 200: UndoPreview } }, config: member },
      ({ actor, params }) => getUndoPreview(db, { orgId: actor.orgId, id: params.id }),
    )

    app.post<{ Params: IdParams }>(
      '/imports/:id/undo',
      { schema: { params: IdParam, response: { 200: ImportDetail } }, config: member },
      async (request) => {
        const { actor, params } = request
        await db.write((tx) => beginUndo(tx, actor, params.id))
        audit(log, request, 'Undoing an import was begun.', { import: params.id })
        return getImport(db, { orgId: actor.orgId, id: params.id })
      },
    )

    app.post(
      '/sample-data',
      { schema: { response: { 201: Made } }, config: { access: 'admin' } },
      async (request, reply) => {
        const made = await db.write((tx) => addSampleData(tx, request.actor))
        await loadSamplePlaces(db)
        audit(log, request, 'Sample data was added.', { import: made.id })
        return reply.code(201).send(made)
      },
    )
  }
}
