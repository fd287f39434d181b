import serveFiles from '@fastify/static'
import type { FastifyError, FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { sessionSecret } from '../http/session-cookie.ts'
import { recogniseSession } from '../sessions/actions.ts'
import { MAP_PREFIX, type MapFiles } from './map-background.ts'

export interface MapRouteParts {
  db: Database
  http: Pick<Config['http'], 'baseUrl'>
  files: MapFiles | null
}

/** Files of the map's background, whole or in ranges, for people who have signed in. */
export function mapRoutes({ db, http, files }: MapRouteParts) {
  return async (app: FastifyInstance): Promise<void> => {
    if (!files) return
    app.addHook('onRequest', async (request) => {
      request.query = '' // What stands behind the question mark is for the browser's cache.
      const secret = sessionSecret(request, http.baseUrl)
      if (secret === undefined || !(await recogniseSession(db.read, secret))) {
        throw new ApiError('not_signed_in', 'Sign in first.')
      }
    })
    app.setErrorHandler((error: FastifyError) => {
      const status = error instanceof ApiError ? 500 : (error.statusCode ?? 500)
      if (status === 416) throw new ApiError('bad_request', 'The file has no such range.', { status })
      throw status < 500 ? new ApiError('not_found', 'There is nothing at this path.') : error
    })
    await app.register(serveFiles, {
      root: files.folder,
      prefix: MAP_PREFIX,
      decorateReply: false,
      index: false,
      cacheControl: false,
      allowedPath: (path) => files.isServed(path),
      setHeaders(reply) {
        reply.header('cache-control', 'private, no-cache')
      },
    })
  }
}
