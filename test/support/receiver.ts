/** Receivers of webhooks: a real HTTP server that keeps what arrives and answers as it is told. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from './until.ts'

export interface Received {
  method: string
  headers: IncomingHttpHeaders
  body: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests compare bodies whole or reach into them
  json: any
  /** When its last byte arrived, on the monotonic clock. */
  atMs: number
}

export interface Manner {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  delayMs?: number
  /** Never answers. */
  hangs?: boolean
}

/** One address at the receiver. */
export interface Hook {
  url: string
  received: Received[]
  /** How the next ones are answered. */
  manner: Manner | ((received: Received) => Manner)
  /** Waits for that many in all. */
  until(count: number): Promise<Received[]>
}

export interface Receiver {
  port: number
  hook(manner?: Hook['manner']): Hook
  /** Requests that have arrived whole and wait for an answer. */
  waiting(): number
  close(): Promise<void>
}

/** @param port else a free one */
export async function startReceiver(port = 0): Promise<Receiver> {
  const hooks = new Map<string, Hook>()
  let waiting = 0
  const server = createServer(async (request, response) => {
    const hook = hooks.get(request.url ?? '')
    const received = await receive(request)
    if (!hook || !received) return void response.destroy()
    hook.received.push(received)
    const manner = typeof hook.manner === 'function' ? hook.manner(received) : hook.manner
    waiting++
    response.once('close', () => waiting--)
    await answer(response, manner)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    port: (server.address() as AddressInfo).port,
    waiting: () => waiting,
    hook(manner = {}) {
      const path = `/hook-${hooks.size}`
      const received: Received[] = []
      const hook: Hook = {
        url: origin + path,
        received,
        manner,
        until: async (count) => {
          await until(`${count} deliveries at ${path}`, () => received.length >= count)
          return received
        },
      }
      hooks.set(path, hook)
      return hook
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** @returns nothing when the sender went away in the middle */
async function receive(request: IncomingMessage): Promise<Received | undefined> {
  const body = await buffer(request).catch(() => undefined)
  if (!body) return undefined
  const { method = '', headers } = request
  return { method, headers, body, json: JSON.parse(body.toString()), atMs: performance.now() }
}

async function answer(response: ServerResponse, { status = 200, headers, body, delayMs, hangs }: Manner) {
  if (hangs) return
  if (delayMs) await delay(delayMs)
  response.writeHead(status, headers)
  response.end(body)
}
