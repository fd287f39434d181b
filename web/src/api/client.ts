/** The browser's way to the server: JSON over `/ui`, and one kind of failure. */
import type { Detail } from '@server/http/errors.ts'

/** What the server refused, or that it could not be reached (`code` is `offline`, `status` 0). */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  readonly code: string
  readonly details: Detail[]
  /** Names this request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds until another try has a chance; from `Retry-After`. */
  readonly retryAfterS: number | undefined

  constructor(failure: {
    status: number
    code: string
    message: string
    details?: Detail[] | undefined
    requestId?: string | undefined
    retryAfterS?: number | undefined
    cause?: unknown
  }) {
    super(failure.message, { cause: failure.cause })
    this.status = failure.status
    this.code = failure.code
    this.details = failure.details ?? []
    this.requestId = failure.requestId
    this.retryAfterS = failure.retryAfterS
  }
}

export interface RequestOptions {
  signal?: AbortSignal | undefined
}

/** @param path without the `/ui` before it: `/contacts/…` */
export function get<T>(path: string, options?: RequestOptions): Promise<T> {
  return ask<T>('GET', path, undefined, options)
}

export function post<T>(path: string, body: unknown = {}, options?: RequestOptions): Promise<T> {
  return ask<T>('POST', path, body, options)
}

export function patch<T>(path: string, body: unknown, options?: RequestOptions): Promise<T> {
  return ask<T>('PATCH', path, body, options)
}

export function remove<T>(path: string, body: unknown = {}, options?: RequestOptions): Promise<T> {
  return ask<T>('DELETE', path, body, options)
}

/**
 * Sends bytes, such as a file, instead of JSON.
 *
 * @param contentType `application/octet-stream` or `text/csv`
 */
export async function upload<T>(
  path: string,
  bytes: Blob | ArrayBuffer | Uint8Array<ArrayBuffer>,
  { contentType = 'application/octet-stream', ...options }: RequestOptions & { contentType?: string } = {},
): Promise<T> {
  const answer = await send(path, {
    method: 'POST',
    body: bytes as BodyInit,
    headers: { 'content-type': contentType, accept: 'application/json' },
    signal: options.signal ?? null,
  })
  return (await answer.json()) as T
}

/** A POST whose answer is JSON lines, handed over one by one as they come. */
export async function* postForLines<T>(path: string, body: unknown, options?: RequestOptions): AsyncGenerator<T> {
  const answer = await send(path, jsonRequest('POST', body, options))
  let rest = ''
  const texts = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let piece = await texts.read(); !piece.done; piece = await texts.read()) {
      const lines = (rest + piece.value).split('\n')
      rest = lines.pop()!
      for (const line of lines) if (line) yield JSON.parse(line) as T
    }
    if (rest) yield JSON.parse(rest) as T
  } finally {
    await texts.cancel().catch(() => {})
  }
}

/** A POST whose answer is a file, with the name that the server gives it. */
export async function postForFile(
  path: string,
  body: unknown,
  options?: RequestOptions,
): Promise<{ file: Blob; name: string }> {
  const answer = await send(path, jsonRequest('POST', body, options))
  const [, name = 'download'] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
  return { file: await answer.blob(), name }
}

/** Writes a query: what is undefined or null is left out, what is not a text becomes JSON. */
export function query(parameters: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue
    search.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const text = search.toString()
  return text ? `?${text}` : ''
}

/** Calls `listener` whenever the server says that nobody is signed in. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener)
  return () => signedOutListeners.delete(listener)
}

const signedOutListeners = new Set<() => void>()

async function ask<T>(method: string, path: string, body: unknown, options?: RequestOptions): Promise<T> {
  const answer = await send(path, jsonRequest(method, body, options))
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T)
}

function jsonRequest(method: string, body: unknown, options: RequestOptions = {}): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (method !== 'GET') headers['content-type'] = 'application/json'
  return {
    method,
    headers,
    body: method === 'GET' ? null : JSON.stringify(body),
    signal: options.signal ?? null,
  }
}

async function send(path: string, request: RequestInit): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(`/ui${path}`, { ...request, credentials: 'same-origin' })
  } catch (cause) {
    if (request.signal?.aborted) throw cause
    throw new ApiFailure({ status: 0, code: 'offline', message: 'The server could not be reached.', cause })
  }
  if (answer.ok) return answer
  const failure = await failureOf(answer)
  if (failure.code === 'not_signed_in') for (const listener of signedOutListeners) listener()
  throw failure
}

async function failureOf(answer: Response): Promise<ApiFailure> {
  const { status, headers } = answer
  const requestId = headers.get('x-request-id') ?? undefined
  const retryAfterS = Number(headers.get('retry-after') ?? '') || undefined
  try {
    const { error, message, details } = (await answer.json()) as {
      error: string
      message: string
      details?: Detail[] | null
    }
    return new ApiFailure({ status, code: error, message, details: details ?? [], requestId, retryAfterS })
  } catch {
    const message = `The server answered ${status}.`
    return new ApiFailure({ status, code: 'internal', message, requestId, retryAfterS })
  }
}
