import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../http/errors.ts'
import { openApiDocument } from './openapi.ts'
import type { Operation } from './operations.ts'
import { loadPage, type Page } from './page.ts'

const PAGE_PATH = '/docs'

/** As other pages, but for inline styles: the reference's own script sets them. */
const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

interface Reference {
  /** What `noteOperations` noted: read when the server is ready. */
  operations: Operation[]
  baseUrl: string | null
}

/** Serves the API's description for programs, `/openapi.json`, and for people, `/docs`. Neither needs a token. */
export function referenceRoutes({ operations, baseUrl }: Reference) {
  return async (app: FastifyInstance): Promise<void> => {
    let document = ''
    let etag = ''
    app.addHook('onReady', async () => {
      document = JSON.stringify(openApiDocument(operations, baseUrl))
      etag = `"${hash('sha256', document, 'base64url')}"`
    })
    app.addHook('onRequest', async (request) => {
      request.query = '' // Whatever stands behind a question mark changes nothing here.
    })

    app.get('/openapi.json', (request, reply) => {
      reply.header('etag', etag).header('cache-control', 'no-cache')
      if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(document)
    })

    let loading: Promise<Page> | undefined
    const page = () => {
      loading ??= loadPage(PAGE_PATH)
      return loading
    }

    app.get(PAGE_PATH, async (_request, reply) => {
      const { html } = await page()
      reply.header('content-security-policy', PAGE_CSP).header('cache-control', 'no-cache')
      return reply.type('text/html; charset=utf-8').send(html)
    })

    app.get(`${PAGE_PATH}/`, (_request, reply) => reply.redirect(PAGE_PATH, 308))

    app.get<{ Params: { file: string } }>(`${PAGE_PATH}/:file`, async (request, reply) => {
      const file = (await page()).files.get(request.params.file)
      if (!file) throw new ApiError('not_found', 'There is nothing at this path.')
      reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding')
      reply.type(file.type)
      if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(file.bytes)
      return reply.header('content-encoding', 'gzip').send(file.gzipped)
    })
  }
}
