/** A page that listens to `/ui/stream`. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { StreamMessage } from '../../server/src/live/schema.ts'
import type { Kith } from './kith.ts'
import { until } from './until.ts'

export interface Stream {
  answer: IncomingMessage
  /** What came with the `hello`: changes of the seconds before it. */
  missed: StreamMessage[]
  /** Since then. */
  messages: StreamMessage[]
  hasEnded(): boolean
  /** Waits for a message of this kind, and with this id where one is given. */
  hears(kind: StreamMessage['kind'], id?: string | null): Promise<StreamMessage>
  close(): void
}

/** Resolves when the stream has said `hello`: what is committed from then on is told. */
export async function openStream(kith: Pick<Kith, 'url'>, { cookie }: { cookie: string }): Promise<Stream> {
  const call = request(`${kith.url}/ui/stream`, { agent: false, headers: { cookie } })
  const [answer] = (await once(call.end(), 'response')) as [IncomingMessage]
  const heard: StreamMessage[] = []
  let text = ''
  let hasEnded = false
  answer.setEncoding('utf8').on('data', (chunk) => {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop()!
    for (const part of parts) if (part.startsWith('data: ')) heard.push(JSON.parse(part.slice(6)))
  })
  answer.on('error', () => {})
  answer.once('close', () => (hasEnded = true))
  const stream: Stream = {
    answer,
    missed: [],
    messages: heard,
    hasEnded: () => hasEnded,
    hears: (kind, id) =>
      until(`the stream tells of ${kind} ${id ?? ''}`, () =>
        heard.find((message) => message.kind === kind && (id === undefined || message.id === id)),
      ),
    close: () => call.destroy(),
  }
  if (answer.statusCode !== 200) return stream
  await stream.hears('hello', null)
  stream.missed = heard.splice(0).slice(1)
  return stream
}
