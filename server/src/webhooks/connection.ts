import { Client, type Dispatcher } from 'undici'
import type { Connect, Target } from '../outgoing/connector.ts'
import { SendFailure } from '../outgoing/send-failure.ts'
import { type AnswerGate, gateAnswers } from './answer-gate.ts'
import type { Exchange } from './exchange.ts'

/** More than the gate lets through: it counts, and undici need not. */
const HEADERS_BYTES_MAX = 1024 * 1024

/**
 * An idle connection is kept for less than the shortest time after which common servers close theirs (2 s), and for
 * one second less than a server says it keeps it: a POST that meets the server's close on its way is a failure, since
 * nobody can know whether it was received. Receivers who are sent to more often than this keep their connections.
 */
const IDLE_MS_MAX = 1_500
const IDLE_MARGIN_MS = 1_000

/** A kept connection may turn out closed before the request was written: then one more is opened, and not for ever. */
const OPENINGS_MAX = 2

/**
 * One connection to one origin, for one sending at a time. Around undici's `Client`, which has one socket: so the
 * sending that a socket is opened for is known, and its deadline reaches the look-up and the handshakes too.
 */
export class Connection {
  readonly origin: string
  exchange: Exchange | null = null
  restsSinceMs = 0
  readonly #target: Target
  readonly #connect: Connect
  readonly #client: Client
  #gate: AnswerGate | null = null
  #openings = 0

  /** `onIdleClosed` is called when the connection ends while nothing is being sent. */
  constructor(origin: string, target: Target, connect: Connect, onIdleClosed: (connection: Connection) => void) {
    this.origin = origin
    this.#target = target
    this.#connect = connect
    this.#client = new Client(origin, {
      connect: (_options, callback) => {
        this.#open().then(
          (socket) => callback(null, socket),
          (error) => callback(error, null),
        )
      },
      pipelining: 1,
      allowH2: false,
      useMilo: false,
      maxHeaderSize: HEADERS_BYTES_MAX,
      // The exchange has the one deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS_MAX,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
    })
    this.#client.on('disconnect', () => {
      if (!this.exchange) onIdleClosed(this)
    })
  }

  /** Begins a sending; `exchange` is told all that follows. */
  start(exchange: Exchange, request: Dispatcher.DispatchOptions): void {
    this.exchange = exchange
    this.#openings = 0
    this.#client.dispatch(request, exchange)
  }

  /** To be called when the request is about to be written. */
  expectAnswer(onStatus: (status: number) => void): void {
    this.#gate?.expectAnswer(onStatus)
  }

  /** The sending is over, and another one may follow. */
  rest(): void {
    this.exchange = null
    this.restsSinceMs = performance.now()
  }

  /** Ends the connection, whatever it is doing; resolves when its socket is closed. */
  destroy(): Promise<void> {
    this.exchange?.opening?.destroy()
    this.exchange = null
    return this.#client.destroy()
  }

  async #open() {
    this.#openings++
    if (!this.exchange || this.#openings > OPENINGS_MAX) {
      throw new SendFailure('The connection was closed before the request could be sent.')
    }
    const socket = await this.#connect(this.#target, this.exchange)
    this.#gate = gateAnswers(socket)
    return socket
  }
}
