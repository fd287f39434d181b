/** What tests of deliveries share: an org, receivers over real HTTP, a dispatcher. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { commandActor } from '../actor.ts'
import type { Database } from '../database/engine.ts'
import { EVENT_NAMES } from '../events/names.ts'
import type { Log } from '../log.ts'
import { createOrg } from '../orgs/actions.ts'
import { createAddressGuard } from '../outgoing/address-guard.ts'
import { createSubscription } from './actions.ts'
import { type Dispatcher, type DispatcherOptions, startDispatcher } from './dispatcher.ts'
import { createSender } from './sender.ts'

/** What is needed of node:test's context. */
interface Test {
  after(hook: () => void | Promise<void>): void
}

export const TEST_KEY = Buffer.alloc(32, 7)
export const TEST_GUARD = createAddressGuard(['127.0.0.0/8'])

export interface Arrival {
  /** Of the delivery. */
  id: string
  /** Of the contact or task that the event is about. */
  about: string
  event: string
  path: string
  headers: IncomingHttpHeaders
  text: string
}

export interface Receiver {
  url: string
  arrivals: Arrival[]
  /** Requests that have not been answered. */
  open: number
}

/**
 * A receiver of webhooks that keeps what arrives.
 *
 * @param answer ends the response, or leaves it hanging; else 200 at once
 */
export async function startReceiver(
  t: Test,
  answer: (response: ServerResponse, arrival: Arrival) => void = (response) => void response.end('ok'),
): Promise<Receiver> {
  const receiver: Receiver = { url: '', arrivals: [], open: 0 }
  const server = createServer(async (request, response) => {
    receiver.open++
    response.once('close', () => receiver.open--)
    const text = Buffer.concat(await Array.fromAsync(request)).toString()
    const { event, payload } = JSON.parse(text)
    const { headers, url: path = '' } = request
    const about = (payload.contact ?? payload.task).id
    const arrival = { id: String(headers['x-service-delivery']), about, event, path, headers, text }
    receiver.arrivals.push(arrival)
    answer(response, arrival)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

export async function makeOrg(db: Database) {
  const org = await db.write((tx) => createOrg(tx, { name: 'Test' }))
  const actor = commandActor(org.id)
  const subscribe = (url: string, events: readonly string[] = EVENT_NAMES) =>
    db.write((tx) => createSubscription(tx, actor, { url, events }, { guard: TEST_GUARD, key: TEST_KEY }))
  return { orgId: org.id, actor, subscribe }
}

/** A dispatcher that is stopped when the test has ended, before the database is closed. */
export function runDispatcher(t: Test, db: Database, options: Partial<DispatcherOptions> = {}): Dispatcher {
  const sender = createSender({ guard: TEST_GUARD })
  const dispatcher = startDispatcher({
    db,
    sender,
    key: TEST_KEY,
    log: quietLog(),
    version: '1.0.0',
    concurrency: 256,
    concurrencyPerSubscription: 16,
    ...options,
  })
  let ended: Promise<void> | undefined
  const stop = (graceMs: number) => {
    ended ??= dispatcher.stop(graceMs).then(() => sender.close())
    return ended
  }
  t.after(() => stop(0))
  return { ...dispatcher, stop }
}

/** Ends the test's work in the order in which a server would: what was added last first. */
export function inReverse(t: Test): Test {
  const hooks: (() => void | Promise<void>)[] = []
  t.after(async () => {
    for (const hook of hooks.reverse()) await hook()
  })
  return { after: (hook) => void hooks.push(hook) }
}

const WAIT_MS_MAX = 20_000

/** Waits until `condition` gives something true. @throws Error when it does not within 20 s */
export async function until<T>(condition: () => T | Promise<T>, what = String(condition)): Promise<T> {
  for (const start = performance.now(); ; await delay(5)) {
    const value = await condition()
    if (value) return value
    if (performance.now() - start > WAIT_MS_MAX) throw new Error(`This did not come to be: ${what}`)
  }
}

function quietLog(): Log {
  const nothing = () => {}
  return { error: nothing, warn: nothing, info: nothing } as unknown as Log
}
