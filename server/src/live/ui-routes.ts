import type { FastifyInstance } from 'fastify'
import type { Feed } from './feed.ts'
import { StreamMessage } from './schema.ts'

const PING_MS = 15_000
/** A page that reads so slowly is let go: it comes again and fetches what it shows. */
const UNREAD_BYTES_MAX = 64 * 1024

export function liveUiRoutes(feed: Feed) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/stream',
      {
        exposeHeadRoute: false,
        schema: {
          description: 'What changes in the org, as server-sent events; after `hello` what has changed just before it.',
          response: { 200: StreamMessage },
        },
        config: { access: 'member', isEndless: true },
      },
      async ({ member }, reply) => {
        const { raw } = reply
        const { missed, leave } = await feed.listen({
          orgId: member.orgId,
          memberId: member.id,
          sessionId: member.sessionId,
          isAdmin: member.role === 'admin',
          tell: (change) => write(messageOf(change)),
          end: () => raw.end(),
        })
        reply.hijack()
        // Gone while it was being let in: its end has been told already.
        if (raw.destroyed || raw.writableEnded) return leave()
        raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
        write([HELLO, ...missed].map(messageOf).join(''))
        const ping = setInterval(() => write(': still here\n\n'), PING_MS)
        raw.on('error', () => {})
        raw.once('close', () => {
          clearInterval(ping)
          leave()
        })

        function write(text: string): void {
          if (!reply.sent || raw.writableEnded || raw.destroyed) return
          if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy()
          else raw.write(text)
        }
      },
    )
  }
}

const HELLO: StreamMessage = { kind: 'hello', id: null }

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies of nginx's kind would gather what is to arrive now.
  'x-accel-buffering': 'no',
}

function messageOf(message: StreamMessage): string {
  return `data: ${JSON.stringify(message)}\n\n`
}
