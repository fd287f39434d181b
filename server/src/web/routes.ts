/** Serves the web app: its page under every path that it has a screen for, and the files that the page loads. */
import { extname, join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../http/errors.ts'
import { appPage, pageCsp, UNBUILT_PAGE, WEB_FOLDER } from './page.ts'

/** The first parts of the paths that have a screen. */
const SCREENS = [
  ...['setup', 'sign-in', 'invitation', 'reset'],
  ...['contacts', 'deals', 'tasks', 'prospecting', 'imports', 'settings'],
]

/** Where there are programs' answers and files, and never a page. */
const NOT_PAGES = /^\/(?:api|ui|docs|assets|map)(?:\/|$)/

/** The names of files in it change with their content. */
const ASSETS = '/assets/'

/** With the charset that the contract asks for; a worker whose script is not called JavaScript does not start. */
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

/**
 * The web app that the build has written into `folder`.
 *
 * @param mapOrigins other origins that the map is loaded from
 * @returns its routes, and what answers where there is no route at all
 */
export function webApp(folder: string = WEB_FOLDER, mapOrigins: readonly string[] = []) {
  return { routes, notFound }

  async function routes(app: FastifyInstance): Promise<void> {
    app.addHook('onRequest', async (request) => {
      request.query = '' // What stands behind the question mark is for the page.
    })
    app.setErrorHandler((error: FastifyError) => {
      throw error.statusCode !== undefined && error.statusCode < 500 ? nothingHere() : error
    })
    app.addHook('onSend', async (request, reply) => {
      const type = reply.statusCode < 400 ? TYPES[extname(request.url.split('?', 1)[0]!)] : undefined
      if (type) reply.type(type)
    })
    for (const path of ['/', ...SCREENS.flatMap((screen) => [`/${screen}`, `/${screen}/*`])]) {
      app.get(path, (_request, reply) => sendPage(reply, 200))
    }
    await app.register(serveFiles, {
      root: join(folder, ASSETS),
      prefix: ASSETS,
      decorateReply: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply) {
        reply.header('cache-control', 'public, max-age=31536000, immutable')
        reply.header('content-security-policy', pageCsp({ mapOrigins }))
      },
    })
  }

  /** A person gets the page, which says so; a program gets the error alone. */
  async function notFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = request.url.split('?', 1)[0]!
    const isPerson = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (!isPerson || NOT_PAGES.test(path)) throw nothingHere()
    return sendPage(reply, 404)
  }

  async function sendPage(reply: FastifyReply, status: number): Promise<FastifyReply> {
    const page = await appPage(folder, mapOrigins)
    reply.type('text/html; charset=utf-8')
    if (!page) return reply.code(503).send(UNBUILT_PAGE)
    return reply.code(status).header('content-security-policy', page.csp).send(page.html)
  }
}

function nothingHere(): ApiError {
  return new ApiError('not_found', 'There is nothing at this path.')
}
