import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { answerOf } from '../http/answer.ts'
import { audit } from '../http/audit.ts'
import { compileCheck } from '../http/check.ts'
import { type Detail, validationError } from '../http/errors.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import type { Log } from '../log.ts'
import { findDuplicates } from './actions.ts'
import { changeContacts } from './bulk-actions.ts'
import { BulkLine, BulkRequest } from './bulk-schema.ts'
import { contactFile } from './export-actions.ts'
import { ALL_COLUMNS, ContactExport } from './export-schema.ts'
import { ContactFilter } from './filter-schema.ts'
import { gridPage } from './grid-actions.ts'
import { DuplicateQuery, Duplicates, ExportQuery, GridPage, GridQuery } from './grid-schema.ts'
import { contactPageOf } from './page-actions.ts'
import { ContactPage } from './page-schema.ts'
import type { Selection } from './selection.ts'

/** 10,000 ids twice, in JSON. */
const IDS_BYTES_MAX = 1024 * 1024

interface Parts {
  db: Database
  log: Log
}

export function contactUiRoutes({ db, log }: Parts) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: GridQuery }>(
      '/contacts/grid',
      {
        schema: { summary: 'Contacts by any filter and order', querystring: GridQuery, response: { 200: GridPage } },
        config: { access: 'member' },
      },
      async ({ actor, query }) => {
        const { rows, count } = await gridPage(db, actor.orgId, readFilter(query.filter), query)
        const { limit, offset } = query
        return { data: rows, meta: { count, limit, offset } }
      },
    )

    app.get<{ Params: IdParams }>(
      '/contacts/:id/page',
      {
        schema: { summary: 'A contact with what its page shows', params: IdParam, response: { 200: ContactPage } },
        config: { access: 'member' },
      },
      ({ actor, params }) => contactPageOf(db.read, actor, params.id),
    )

    app.post<{ Body: DuplicateQuery }>(
      '/contacts/duplicates',
      {
        schema: {
          summary: 'Contacts that a new one may repeat',
          description: 'Not a GET: names and addresses of people stay out of addresses of pages.',
          body: DuplicateQuery,
          response: { 200: Duplicates },
        },
        config: { access: 'member' },
      },
      async ({ actor, body }) => ({ data: await findDuplicates(db.read, actor.orgId, body) }),
    )

    app.post<{ Body: BulkRequest }>(
      '/contacts/bulk',
      {
        schema: {
          summary: 'Change or delete many contacts',
          description: 'Answers with a line of JSON for each step; who closes the connection stops it.',
          body: BulkRequest,
          response: { 200: BulkLine },
        },
        config: { access: 'member', bodyBytesMax: IDS_BYTES_MAX },
      },
      async (request, reply) => {
        const lines = await changeContacts(db, request.actor, request.body)
        reply.header('content-type', 'application/x-ndjson; charset=utf-8')
        // Proxies of nginx's kind would gather what is to arrive now.
        reply.header('x-accel-buffering', 'no')
        return reply.send(Readable.from(jsonLines(lines, request, log)))
      },
    )

    app.get<{ Querystring: ExportQuery }>(
      '/contacts/export',
      {
        exposeHeadRoute: false,
        schema: {
          summary: 'Contacts that match, as a CSV file',
          querystring: ExportQuery,
          response: { 200: Type.String() },
        },
        config: { access: 'member' },
      },
      (request, reply) => {
        const { filter, columns } = request.query
        return sendFile({ db, log }, request, reply, { filter: readFilter(filter) }, readColumns(columns))
      },
    )

    app.post<{ Body: ContactExport }>(
      '/contacts/export',
      {
        schema: {
          summary: 'Selected contacts, as a CSV file',
          body: ContactExport,
          response: { 200: Type.String() },
        },
        config: { access: 'member', bodyBytesMax: IDS_BYTES_MAX },
      },
      (request, reply) => {
        const { columns, ...selection } = request.body
        return sendFile({ db, log }, request, reply, selection, columns?.length ? columns : undefined)
      },
    )
  }
}

const checkFilter = compileCheck(ContactFilter)

/** @throws ApiError `validation`, its paths beginning with `filter` */
function readFilter(text: string | undefined): ContactFilter {
  if (text === undefined) return {}
  const faults: Detail[] = []
  const filter = checkFilter(parsed(text), faults, 'filter')
  if (faults.length > 0) throw validationError(faults)
  return filter
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw validationError([{ path: 'filter', code: 'not_json', message: 'filter is not valid JSON.' }])
  }
}

function readColumns(text: string | undefined): typeof ALL_COLUMNS | undefined {
  if (text === undefined) return undefined
  if (text === 'all') return ALL_COLUMNS
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const columns = ALL_COLUMNS.filter((column) => names.includes(column))
  if (columns.length === names.length) return names as typeof ALL_COLUMNS
  const message = `columns must be names between commas, out of ${ALL_COLUMNS.join(', ')}; or all.`
  throw validationError([{ path: 'columns', code: 'not_allowed', message }])
}

async function* jsonLines(lines: AsyncGenerator<BulkLine>, request: FastifyRequest, log: Log): AsyncGenerator<string> {
  let last: BulkLine = { done: 0, total: 0 }
  try {
    for await (const line of lines) {
      last = line
      yield `${JSON.stringify(line)}\n`
    }
  } catch (error) {
    // The status has gone out: the last line says what would have been the answer.
    const { body } = answerOf(error)
    log.error({ err: error, req: request, requestId: request.id }, body.message)
    yield `${JSON.stringify({ ...last, ended: false, message: body.message })}\n`
  }
}

function sendFile(
  { db, log }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  selection: Selection,
  columns: typeof ALL_COLUMNS | undefined,
): FastifyReply {
  const noteCount = (contacts: number) => audit(log, request, 'Contacts were exported.', { contacts })
  const pieces = contactFile(db, request.actor.orgId, selection, columns, noteCount)
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="contacts-${toIso(now()).slice(0, 10)}.csv"`)
  // A piece that waits behind others outlives young garbage.
  return reply.send(Readable.from(pieces, { highWaterMark: 1 }))
}
