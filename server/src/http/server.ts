/** The HTTP server: limits, headers, request ids, and errors in the contract's shape, also below the framework. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { newId } from '../ids.ts'
import type { Log } from '../log.ts'
import { answerOf } from './answer.ts'
import { ApiError, STATUS } from './errors.ts'
import { answerHeaders } from './headers.ts'
import { readInputBySchema } from './input.ts'
import './request.ts'
import { compileSerialiser } from './serialise.ts'

const HEADER_BYTES_MAX = 16 * 1024
const REQUEST_LINE_BYTES_MAX = 8 * 1024
const HEADERS_MS_MAX = 5_000
const BODY_MS_MAX = 10_000
const UPLOAD_MS_MAX = 30 * 60_000
const CHECK_EVERY_MS = 1_000

type NotFound = (request: FastifyRequest, reply: FastifyReply) => unknown

/**
 * @param isClosing turns new requests away with 503 while the others end
 * @param notFound answers what no route is there for
 * @returns a server without routes
 */
export function createServer(
  http: Config['http'],
  log: Log,
  isClosing: () => boolean,
  notFound: NotFound = refuseUnknown,
): FastifyInstance {
  const limits = {
    maxHeaderSize: HEADER_BYTES_MAX,
    requireHostHeader: false,
    headersTimeout: HEADERS_MS_MAX,
    connectionsCheckingInterval: CHECK_EVERY_MS,
  }
  const app = Fastify({
    ...(http.tls
      ? { https: { ...limits, cert: readFileSync(http.tls.certFile), key: readFileSync(http.tls.keyFile) } }
      : { http: limits }),
    requestTimeout: UPLOAD_MS_MAX,
    keepAliveTimeout: http.keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: http.trustedProxies.length > 0 ? http.trustedProxies : false,
    genReqId: newId,
    rewriteUrl: routableUrl,
    clientErrorHandler: refuseMalformed,
    routerOptions: {
      querystringParser: (text) => text as unknown as Record<string, unknown>,
      // The router would answer an id over its own limit in its own words, before any door has asked for a token.
      maxParamLength: HEADER_BYTES_MAX,
    },
    logger: false,
    // Without others in their place the framework loads its own: 116 modules, a fifth of the processor time of a start.
    schemaController: {
      compilersFactory: {
        // `readInputBySchema` has validated.
        buildValidator: () => (() => () => true) as never,
        buildSerializer:
          () =>
          ({ schema }) =>
            compileSerialiser(schema as never),
      },
    },
  }) as unknown as FastifyInstance
  app.server.maxConnections = http.connectionsMax
  limitPerAddress(app, http.connectionsPerAddressMax)

  const headers = answerHeaders({ isTls: http.tls !== null })
  app.decorateRequest('actor')
  app.decorateRequest('tokenId', '')
  app.decorateRequest('member')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    const refusal = refusalOf(request, http, isClosing())
    if (refusal?.code === 'unavailable') reply.header('connection', 'close')
    if (!refusal && !request.routeOptions.config.upload) limitBodyTime(request)
    done(refusal)
  })
  readInputBySchema(app)
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, log))
  app.setNotFoundHandler(notFound)
  return app
}

function refuseUnknown(): never {
  throw new ApiError('not_found', 'There is nothing at this path.')
}

/** The server's own time limit is one for all requests, so it is that of an upload. */
function limitBodyTime({ raw }: FastifyRequest): void {
  const { 'content-length': length, 'transfer-encoding': coding } = raw.headers
  if (coding === undefined && (length === undefined || length === '0')) return
  const timer = setTimeout(() => {
    if (!raw.complete) refuseMalformed(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.socket)
  }, BODY_MS_MAX)
  raw.once('close', () => clearTimeout(timer))
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const answer = answerOf(error)
  if (answer.status >= 500) log.error({ err: error, req: request, requestId: request.id }, answer.body.message)
  reply.code(answer.status).headers(answer.headers).type('application/json; charset=utf-8')
  reply.send(JSON.stringify(answer.body))
}

function refusalOf(request: FastifyRequest, http: Config['http'], isClosing: boolean): ApiError | undefined {
  if (isClosing) {
    return new ApiError('unavailable', 'The server is shutting down.', { headers: { 'retry-after': '1' } })
  }
  if (request.raw.headers.host === undefined) return new ApiError('bad_request', 'The Host header is missing.')
  if (request.raw.url!.length > REQUEST_LINE_BYTES_MAX) {
    return new ApiError('bad_request', `The URL must be at most ${REQUEST_LINE_BYTES_MAX} bytes.`, { status: 414 })
  }
  if (http.trustedProxies.length > 0 && !http.tls && request.protocol === 'http' && isForwarded(request)) {
    return new ApiError('bad_request', 'Plain HTTP is not served here. Use https.')
  }
  return undefined
}

/** The framework takes `X-Forwarded-Proto` from trusted proxies only; without one it names the proxy's own connection. */
function isForwarded({ headers }: FastifyRequest): boolean {
  return headers['x-forwarded-proto'] !== undefined
}

/** A path with a broken escape names nothing; the router would answer before any door has asked for a token. */
function routableUrl({ url = '/' }: IncomingMessage | { url?: string }): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return url.replaceAll('%', '-')
  }
}

/** Answers what never becomes a request, on the bare socket. */
function refuseMalformed(error: NodeJS.ErrnoException & { rawPacket?: unknown }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, message] = MALFORMED[error.code ?? ''] ?? MALFORMED.other!
  const body = JSON.stringify({ error: 'bad_request', message })
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${newId()}`,
    ...Object.entries(answerHeaders({ isTls: 'encrypted' in socket })).map(([name, value]) => `${name}: ${value}`),
  ]
  const isHead = error.rawPacket instanceof Buffer && error.rawPacket.toString('latin1', 0, 5) === 'HEAD '
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`)
}

const MALFORMED: Record<string, [status: number, reason: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    `The headers must be at most ${HEADER_BYTES_MAX} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [400, 'Bad Request', 'The request did not arrive in time.'],
  other: [STATUS.bad_request, 'Bad Request', 'This is not a well-formed HTTP request.'],
}

function limitPerAddress(app: FastifyInstance, max: number): void {
  const open = new Map<string, number>()
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    if (count > max) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = open.get(address)! - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
