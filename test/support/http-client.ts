/** A plain HTTP client that shows answers as they came, for the API and for everything beside it. */
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** As sent: names and values in turn. */
  rawHeaders: string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests compare answers whole or reach into them
  body: any
  text: string
}

export type Headers = Record<string, string | string[]>

/** What a call sends as its body: a value as JSON, or text and bytes as they are. */
export type Sent = object | string | Uint8Array | undefined

export interface Client {
  get(path: string, headers?: Headers): Promise<Answer>
  head(path: string, headers?: Headers): Promise<Answer>
  post(path: string, body?: Sent, headers?: Headers): Promise<Answer>
  patch(path: string, body?: Sent, headers?: Headers): Promise<Answer>
  delete(path: string, headers?: Headers): Promise<Answer>
  send(method: string, path: string, body?: Sent, headers?: Headers): Promise<Answer>
  /** As this one, with these headers in every call. */
  with(headers: Headers): Client
}

/** The connections of a client of one server; `destroy()` ends those that are kept open. */
export function createAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 64 })
}

/**
 * @param origin asked before each call: a server may come back on another port
 * @param always headers of every call
 */
export function createClient(agent: Agent, origin: () => string, always: Headers = {}): Client {
  const send = (method: string, path: string, body?: Sent, headers: Headers = {}) =>
    exchange(agent, method, `${origin()}${path}`, body, { ...always, ...headers })
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    head: (path, headers) => send('HEAD', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    with: (headers) => createClient(agent, origin, { ...always, ...headers }),
  }
}

function exchange(agent: Agent, method: string, url: string, body: Sent, headers: Headers): Promise<Answer> {
  const bytes = bytesOf(body)
  const { host, pathname: _, ...rest } = partsOf(url)
  const type = bytes && !('content-type' in headers) ? { 'content-type': 'application/json' } : {}
  const length = bytes ? { 'content-length': String(bytes.length) } : {}
  return new Promise((resolve, reject) => {
    const call = request({ agent, method, ...rest, headers: { host, ...type, ...length, ...withoutEmpty(headers) } })
    call.on('error', reject)
    call.on('response', (response: IncomingMessage) => {
      buffer(response).then((received) => resolve(answerOf(response, received.toString())), reject)
    })
    call.end(bytes)
  })
}

/** Not through `URL`, which would tidy a path that a test wants to send as it is. */
function partsOf(url: string) {
  const [, host, path] = /^http:\/\/([^/]+)(.*)$/.exec(url)!
  const [hostname, port] = host!.split(':')
  return { host: host!, hostname, port, path: path || '/', pathname: path }
}

/** An empty value leaves a header out that would otherwise be there. */
function withoutEmpty(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
}

function bytesOf(body: Sent): Buffer | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string') return Buffer.from(body)
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
}

function answerOf({ statusCode = 0, headers, rawHeaders }: IncomingMessage, text: string): Answer {
  const isJson = headers['content-type']?.startsWith('application/json') && text !== ''
  return { status: statusCode, headers, rawHeaders, text, body: isJson ? JSON.parse(text) : undefined }
}
