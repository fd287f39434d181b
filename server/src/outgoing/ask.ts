/** One question to a server that the operator has named, over a connection that was judged like those of webhooks. */
import { Client } from 'undici'
import { type AddressGuard, bareHost } from './address-guard.ts'
import { guardedConnector, type Trip } from './connector.ts'
import { createResolver } from './resolver.ts'
import { failureOf, SendFailure } from './send-failure.ts'

export interface Question {
  url: string
  headers: Record<string, string>
  body: string
  deadlineMs: number
  bodyBytesMax: number
  signal?: AbortSignal | undefined
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/**
 * Sends a POST and reads all of its answer. Redirects are not followed, and nothing is tried again.
 *
 * @throws SendFailure when there is no whole answer within the deadline and the limit; SendImpossible when this process
 *   is out of descriptors or the like; the signal's reason when it aborts
 */
export async function ask(guard: AddressGuard, question: Question): Promise<Answer> {
  const { url, refused } = guard.judgeUrl(question.url)
  if (!url) throw new SendFailure(refused)
  const { headers, body, deadlineMs, bodyBytesMax, signal } = question
  signal?.throwIfAborted()
  const trip = newTrip(deadlineMs)
  const resolver = createResolver(guard.isNamed)
  const connect = guardedConnector({ guard, resolver })
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const target = { protocol: url.protocol, hostname: bareHost(url), port }
  const client = new Client(url.origin, {
    connect: (_options, callback) => {
      connect(target, trip).then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      )
    },
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  let ended: unknown
  const end = (reason: unknown) => {
    ended ??= reason
    trip.isOver = true
    trip.opening?.destroy()
    resolver.cancel()
    return client.destroy()
  }
  const overdue = new SendFailure(`No whole answer came within ${deadlineMs / 1000} s.`)
  const deadline = setTimeout(() => end(overdue), deadlineMs)
  const onAbort = () => end(signal!.reason)
  signal?.addEventListener('abort', onAbort)
  try {
    const answer = await client.request({ method: 'POST', path: url.pathname + url.search, headers, body })
    trip.phase = 'answer'
    return { status: answer.statusCode, headers: answer.headers, body: await wholeBody(answer.body, bodyBytesMax) }
  } catch (error) {
    throw ended ?? failureOf(error, trip.phase)
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', onAbort)
    await end(undefined)
  }
}

function newTrip(deadlineMs: number): Trip & { isOver: boolean } {
  const endsAtMs = performance.now() + deadlineMs
  return {
    phase: 'resolve',
    timings: { resolveMs: null, connectMs: null, tlsMs: null },
    opening: null,
    isOver: false,
    remainingMs: () => Math.max(0, endsAtMs - performance.now()),
  }
}

async function wholeBody(stream: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of stream) {
    bytes += piece.length
    if (bytes > bytesMax) throw new SendFailure(`The answer is larger than ${bytesMax / 2 ** 20} MiB.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces, bytes)
}
