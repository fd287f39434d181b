/** One sending: the request, its answer, its deadline, and the outcome made of them. */

import type { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher } from 'undici'
import type { Trip } from '../outgoing/connector.ts'
import { failureOf, overdueSentence, type Phase, SendImpossible } from '../outgoing/send-failure.ts'
import type { Connection } from './connection.ts'

const BODY_BYTES_MAX = 16 * 1024

export interface SendOutcome {
  /** A 2xx status line and all headers came in time. */
  delivered: boolean
  /** Null when no status line came. */
  responseStatus: number | null
  /** One sentence for a person; null when delivered. */
  error: string | null
  durationMs: number
  /** How long each phase took, in ms; null where it was not needed (a kept connection) or did not end. */
  timings: {
    resolveMs: number | null
    connectMs: number | null
    tlsMs: number | null
    /** From the writing of the request to the answer's status line. */
    firstByteMs: number | null
  }
  /** In the order they came, names as sent; null when they did not all come. */
  responseHeaders: [name: string, value: string][] | null
  /** The first 16 KiB as text, invalid UTF-8 and NUL replaced by U+FFFD, never decompressed; null without headers. */
  responseBody: string | null
  /** The body was longer, slower than the deadline, or broke off. */
  bodyCut: boolean
}

interface ExchangeOptions {
  deadlineMs: number
  /** What the sending is abandoned by, by whoever listens to it. */
  signal: AbortSignal | undefined
  /** Called once, before `outcome` settles; `isReusable` when the connection may carry another request. */
  onEnd: (connection: Connection, isReusable: boolean) => void
}

/** What undici tells of one request, and the connector of its connection. */
export class Exchange implements Dispatcher.DispatchHandler, Trip {
  readonly outcome: Promise<SendOutcome>
  readonly timings: SendOutcome['timings'] = { resolveMs: null, connectMs: null, tlsMs: null, firstByteMs: null }
  phase: Phase = 'connect'
  opening: Socket | null = null
  isOver = false

  readonly #connection: Connection
  readonly #options: ExchangeOptions
  readonly #startedMs = performance.now()
  readonly #deadline: NodeJS.Timeout
  readonly #resolve: (outcome: SendOutcome) => void
  readonly #reject: (reason: unknown) => void
  #writtenMs = 0
  #status: number | null = null
  #headers: SendOutcome['responseHeaders'] = null
  #body: Buffer | null = null
  #bodyBytes = 0

  constructor(connection: Connection, options: ExchangeOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<SendOutcome>()
    this.outcome = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#connection = connection
    this.#options = options
    this.#deadline = setTimeout(() => this.#onDeadline(), options.deadlineMs)
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal
  }

  remainingMs(): number {
    return Math.max(0, this.#startedMs + this.#options.deadlineMs - performance.now())
  }

  /** Ends the sending without an outcome: `outcome` rejects with the reason. */
  abandon(reason: unknown): void {
    if (this.#end(false)) this.#reject(reason)
  }

  onRequestStart(): void {
    this.phase = 'answer'
    this.#writtenMs = performance.now()
    this.#connection.expectAnswer(this.#onStatus)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status
    this.#headers = headerTexts(controller.rawHeaders as Buffer[])
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return
    const room = BODY_BYTES_MAX - this.#bodyBytes
    this.#keep(chunk.length > room ? chunk.subarray(0, room) : chunk)
    if (chunk.length > room) this.#answered(true)
  }

  onResponseEnd(): void {
    this.#answered(false)
  }

  onResponseError(_controller: unknown, error: Error): void {
    const failure = failureOf(error, this.phase)
    if (failure instanceof SendImpossible) this.abandon(failure)
    else this.#failed(failure.message)
  }

  readonly #onStatus = (status: number): void => {
    this.#status = status
    this.timings.firstByteMs ??= performance.now() - this.#writtenMs
  }

  #onDeadline(): void {
    const { deadlineMs } = this.#options
    this.#failed(
      this.#status === null
        ? overdueSentence(this.phase, deadlineMs)
        : `The answer's headers did not end within ${deadlineMs / 1000} s.`,
    )
  }

  /** The status line decides: a failure after the headers only cuts the body. */
  #failed(sentence: string): void {
    if (this.#headers) this.#answered(true)
    else if (this.#end(false)) this.#resolve(this.#summary(statusFault(this.#status) ?? sentence, null, false))
  }

  #answered(bodyCut: boolean): void {
    if (!this.#end(!bodyCut)) return
    this.#resolve(this.#summary(statusFault(this.#status), this.#bodyText(bodyCut), bodyCut))
  }

  #summary(error: string | null, responseBody: string | null, bodyCut: boolean): SendOutcome {
    return {
      delivered: error === null,
      responseStatus: this.#status,
      error,
      durationMs: Math.round(performance.now() - this.#startedMs),
      timings: this.timings,
      responseHeaders: this.#headers,
      responseBody,
      bodyCut,
    }
  }

  #end(isReusable: boolean): boolean {
    if (this.isOver) return false
    this.isOver = true
    clearTimeout(this.#deadline)
    this.#options.onEnd(this.#connection, isReusable)
    return true
  }

  #keep(part: Buffer): void {
    const bytes = this.#bodyBytes + part.length
    if (this.#body === null) {
      this.#body = part
    } else {
      // Copied from the second part on: a body that drips in would else hold a buffer of the socket for each byte.
      if (this.#body.length < bytes) {
        const larger = Buffer.allocUnsafeSlow(Math.min(BODY_BYTES_MAX, 2 * bytes))
        this.#body.copy(larger)
        this.#body = larger
      }
      part.copy(this.#body, this.#bodyBytes)
    }
    this.#bodyBytes = bytes
  }

  #bodyText(isCut: boolean): string {
    if (this.#body === null) return ''
    const bytes = this.#body.subarray(0, this.#bodyBytes)
    // The decoder keeps back a character whose end was cut off.
    return withoutNul(isCut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8'))
  }
}

/** Why a status is no success, as a sentence; null for 2xx, and for no status. */
function statusFault(status: number | null): string | null {
  if (status === null || (status >= 200 && status <= 299)) return null
  if (status >= 300 && status <= 399) {
    return `Answered ${status}: redirects are not followed and count as failed.`
  }
  return `Answered ${status}.`
}

function headerTexts(raw: Buffer[]): [string, string][] {
  const headers: [string, string][] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    headers.push([withoutNul(raw[i]!.toString('utf8')), withoutNul(raw[i + 1]!.toString('utf8'))])
  }
  return headers
}

/** PostgreSQL cannot store a NUL in a text. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
