/** Sends deliveries over HTTP. Knows nothing of the database. */

import { type AddressGuard, bareHost } from '../outgoing/address-guard.ts'
import { guardedConnector } from '../outgoing/connector.ts'
import { createResolver, type NameResolver } from '../outgoing/resolver.ts'
import { openConnections, type Receiver } from './connections.ts'
import { Exchange, type SendOutcome } from './exchange.ts'

export type { SendOutcome } from './exchange.ts'

const DEADLINE_MS = 10_000
/** URLs that were judged, which takes 5 µs and always comes out the same. */
const JUDGED_MAX = 1_000

interface SenderOptions {
  guard: AddressGuard
  /** PEM certificates that are trusted besides the system's. */
  ca?: string | undefined
  /** For tests: another look-up of names. */
  resolver?: NameResolver
  /** For tests: another deadline than 10 s over everything. */
  deadlineMs?: number
}

interface Sending {
  url: string
  headers: Record<string, string>
  /** The exact bytes that were signed. */
  body: string | Uint8Array
  signal?: AbortSignal | undefined
}

export interface Sender {
  /**
   * Sends one POST and says what came of it. Neither follows redirects nor tries again.
   *
   * @returns within the deadline; a failure that lies with the receiver is an outcome too
   * @throws the signal's reason when it aborts, SendImpossible when this process is out of descriptors or the like, and
   *   Error after `close`: nothing is known of the receiver then, and nothing is to be recorded
   * @see contract §8, security W1 to W6
   */
  send(sending: Sending): Promise<SendOutcome>

  /** Ends every connection; what is being sent rejects. Resolves when all sockets are closed. */
  close(): Promise<void>
}

/**
 * Makes the sender. Connections are kept per origin for a moment; how many are in use at once is for the caller to
 * bound: a limit per host here would let one org's hanging receiver hold another org's at the same host.
 */
export function createSender(options: SenderOptions): Sender {
  const { guard, ca, resolver = createResolver(guard.isNamed), deadlineMs = DEADLINE_MS } = options
  const connections = openConnections(guardedConnector({ guard, resolver, ca }))
  const judged = new Map<string, Judged>()
  const heeded = new WeakSet<AbortSignal>()
  let isClosed = false

  return {
    async send({ url, headers, body, signal }) {
      if (isClosed) throw new Error('The sender is closed.')
      if (signal) heed(signal)
      const { receiver, path, refused } = judgedUrl(url)
      if (!receiver) return refusedOutcome(refused)
      const connection = connections.take(receiver)
      const exchange = new Exchange(connection, { deadlineMs, signal, onEnd: connections.giveBack })
      connection.start(exchange, { method: 'POST', path, headers, body })
      return exchange.outcome
    },

    async close() {
      isClosed = true
      resolver.cancel()
      await connections.close()
    },
  }

  /** One listener for all sendings of a signal: it would look through those of all others for each that ends. */
  function heed(signal: AbortSignal): void {
    signal.throwIfAborted()
    if (heeded.has(signal)) return
    heeded.add(signal)
    signal.addEventListener('abort', () => connections.abandon(signal))
  }

  function judgedUrl(text: string): Judged {
    let verdict = judged.get(text)
    if (!verdict) {
      verdict = judge(text)
      if (judged.size >= JUDGED_MAX) judged.clear()
      judged.set(text, verdict)
    }
    return verdict
  }

  function judge(text: string): Judged {
    const { url, refused } = guard.judgeUrl(text)
    if (!url) return { refused }
    const port = url.port ? Number(url.port) : url.protocol === 'https:' ? 443 : 80
    const target = { protocol: url.protocol, hostname: bareHost(url), port }
    return { receiver: { origin: url.origin, target }, path: url.pathname + url.search }
  }
}

type Judged =
  | { receiver: Receiver; path: string; refused?: undefined }
  | { receiver?: undefined; path?: undefined; refused: string }

function refusedOutcome(error: string): SendOutcome {
  return {
    delivered: false,
    responseStatus: null,
    error,
    durationMs: 0,
    timings: { resolveMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    responseHeaders: null,
    responseBody: null,
    bodyCut: false,
  }
}
