/** Reads what a request brings, by the schemas of its route. */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { parseJsonBody } from './body.ts'
import { type Check, compileCheck } from './check.ts'
import { ApiError, type Detail, validationError } from './errors.ts'
import { compileQuery } from './query.ts'

const BODY_BYTES_MAX = 64 * 1024

interface RouteInput {
  body?: Check<unknown>
  query: (query: string, faults: Detail[]) => unknown
}

declare module 'fastify' {
  interface FastifyContextConfig {
    input?: RouteInput
    /** What the body may weigh, where 64 KiB are too little. */
    bodyBytesMax?: number
  }
  interface FastifyRequest {
    /** The body's bytes as they came, where the route has a body. */
    bodyBytes: Uint8Array | undefined
  }
}

/** Where the framework's own parsing and validation would stand: one pass with the contract's codes and order. */
export function readInputBySchema(app: FastifyInstance): void {
  app.decorateRequest('bodyBytes', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.input?.body) readBytes(request, payload, done)
    else done(null, undefined)
  })
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, input: compileInput(route) }
  })
  app.addHook('preValidation', (request, _reply, done) => {
    readInput(request)
    done()
  })
}

function compileInput({ schema }: RouteOptions): RouteInput {
  const { body, querystring } = (schema ?? {}) as { body?: TSchema; querystring?: TObject }
  const query = compileQuery(querystring ?? NO_PARAMETERS)
  return body ? { body: compileCheck(body), query } : { query }
}

const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false } as unknown as TObject

function readInput(request: FastifyRequest): void {
  const input = request.routeOptions.config.input
  if (!input) return
  const faults: Detail[] = []
  // The router hands over the text behind the question mark, for the schema to read.
  request.query = input.query(request.query as string, faults)
  if (input.body) request.body = readBody(request, input.body, faults)
  if (faults.length > 0) throw validationError(faults)
}

function readBody(request: FastifyRequest, check: Check<unknown>, faults: Detail[]): unknown {
  const bytes = request.bodyBytes
  const isPatch = request.method === 'PATCH'
  if (!bytes || bytes.length === 0) {
    if (isPatch) throw noFields()
    throw validationError([{ path: '', code: 'not_json', message: 'A body is needed: a JSON object.' }])
  }
  requireJson(request)
  const value = parseJsonBody(bytes)
  if (isPatch && Object.keys(value).length === 0) throw noFields()
  return check(value, faults)
}

function noFields(): ApiError {
  return new ApiError('no_fields', 'The body names no field to change.')
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i

function requireJson({ headers }: FastifyRequest): void {
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new ApiError('unsupported_media_type', 'The content type must be application/json.')
  }
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must not be compressed: send no Content-Encoding.')
  }
}

function readBytes(
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const bytesMax = request.routeOptions.config.bodyBytesMax ?? BODY_BYTES_MAX
  const chunks: Buffer[] = []
  let bytes = 0
  const finish = (error: Error | null) => {
    payload.off('data', onData).off('end', onEnd).off('error', finish)
    done(error)
  }
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) finish(tooLarge(bytesMax))
    else chunks.push(chunk)
  }
  const onEnd = () => {
    request.bodyBytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    finish(null)
  }
  if (Number(request.headers['content-length']) > bytesMax) done(tooLarge(bytesMax))
  else payload.on('data', onData).on('end', onEnd).on('error', finish)
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('payload_too_large', `The body must be at most ${bytesMax} bytes.`)
}
