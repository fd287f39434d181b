import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Child, startKith } from '../frame/child.ts'
import { apiRequest, askedIds, type Filled } from '../frame/data.ts'
import { filledFor } from '../frame/kiths.ts'
import { load, type Request } from '../frame/load.ts'
import { type Bench, CONNECTIONS, type Context, compare, costTable } from '../frame/outcome.ts'
import { FILTER, inputAt } from '../frame/people.ts'
import { type Contestant, inTurn } from '../frame/turns.ts'
import { startReceivers, subscribe } from '../frame/webhooks.ts'
import type { Arrived } from '../programs/receivers.ts'

const CONTACTS = 100_000
const PROCESSES = [1, 2, 4]
const BODIES = 1_000
const RECEIVERS = 20
/** Deliveries a second that a round has to last for. */
const RATE_MAX = 12_000
const POLL_MS = 20

const WORK: Record<string, (filled: Filled) => Request[]> = {
  get: (filled) => askedIds(filled).map((id) => apiRequest(filled, 'GET', `/contacts/${id}`)),
  list: (filled) => [apiRequest(filled, 'GET', `/contacts?limit=50&${new URLSearchParams(FILTER)}`)],
  create: (filled) => Array.from({ length: BODIES }, (_, i) => apiRequest(filled, 'POST', '/contacts', inputAt(i))),
}

export const nodes: Bench = {
  claim:
    'Processes on one PostgreSQL add up until the machine, or PostgreSQL, is busy: a request costs no more of either.',
  isLong: true,
  async run(context) {
    const filled = await filledFor(context, { program: context.programs[0]!, engine: 'postgres', contacts: CONTACTS })
    const tables = []
    const kiths: Child[] = []
    for (let i = 0; i < Math.max(...PROCESSES); i++) kiths.push(await startKith(filled.program, filled.place))
    try {
      for (const [name, requestsOf] of Object.entries(WORK)) {
        const requests = requestsOf(filled)
        const contestants = await Promise.all(
          PROCESSES.map((count) => together(context, `${count} × ${name}`, kiths.slice(0, count), requests)),
        )
        tables.push(costTable(await compare(contestants, context)))
      }
    } finally {
      await Promise.all(kiths.map((kith) => kith.end()))
    }
    const sending = []
    const receivers = await startReceivers(context, RECEIVERS)
    const subscriptionIds = await subscribe(
      filled,
      receivers.urls.map((url) => `${url}/hook`),
    )
    for (const count of PROCESSES) {
      sending.push(await deliveries(context, count, { filled, subscriptionIds, receivers: receivers.child }))
    }
    const turns = { rounds: 1, seconds: context.isFull ? 10 : 3, warmSeconds: 1 }
    tables.push(costTable({ names: sending.map(({ name }) => name), costs: await inTurn(sending, turns) }))
    return {
      setting: `PostgreSQL, 100,000 contacts, ${CONNECTIONS} connections in all; deliveries to ${RECEIVERS} receivers. Load, processes and PostgreSQL share the machine.`,
      tables,
      figures: {},
      notes: [
        'Requests a second stop growing where the machine has no processor left: the microseconds tell what more would carry.',
      ],
    }
  },
}

/** The same requests to all of these processes at once. */
async function together(
  { data }: Context,
  name: string,
  kiths: readonly Child[],
  requests: readonly Request[],
): Promise<Contestant> {
  const { processorUs } = await data.postgres()
  return {
    name,
    async run(seconds) {
      const before = { server: await usedBy(kiths), database: processorUs() }
      const connections = CONNECTIONS / kiths.length
      const loads = await Promise.all(kiths.map(({ url }) => load({ url, connections, seconds, requests })))
      const count = loads.reduce((sum, { answered }) => sum + answered, 0)
      return {
        count,
        perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
        serverUs: ((await usedBy(kiths)) - before.server) / count,
        databaseUs: (processorUs() - before.database) / count,
        p50: Math.max(...loads.map(({ p50 }) => p50)),
        p99: Math.max(...loads.map(({ p99 }) => p99)),
      }
    },
  }
}

interface Subscribed {
  filled: Filled
  subscriptionIds: string[]
  receivers: Child
}

/** So many processes that find more due at their start than they can send while it is measured. */
async function deliveries(
  context: Context,
  count: number,
  { filled: subscribed, subscriptionIds, receivers }: Subscribed,
): Promise<Contestant> {
  const { processorUs } = await context.data.postgres()
  return {
    name: `${count} × deliver`,
    async run(seconds) {
      const { filled, remove } = await context.data.copyOf(subscribed)
      await addDue(filled, subscriptionIds, Math.ceil(((seconds + 2) * RATE_MAX) / RECEIVERS))
      const kiths = await Promise.all(Array.from({ length: count }, () => startKith(filled.program, filled.place)))
      try {
        const { count: seen } = await receivers.ask<Arrived>('arrived')
        let first = seen
        while (first === seen) {
          await delay(POLL_MS)
          first = (await receivers.ask<Arrived>('arrived')).count
        }
        const before = { server: await usedBy(kiths), database: processorUs() }
        const startedMs = performance.now()
        await delay(seconds * 1_000)
        const sent = (await receivers.ask<Arrived>('arrived')).count - first
        const passedS = (performance.now() - startedMs) / 1_000
        return {
          count: sent,
          perSecond: sent / passedS,
          serverUs: ((await usedBy(kiths)) - before.server) / sent,
          databaseUs: (processorUs() - before.database) / sent,
          p50: Number.NaN,
          p99: Number.NaN,
        }
      } finally {
        await Promise.all(kiths.map((kith) => kith.end('SIGKILL')))
        await remove()
      }
    },
  }
}

/** One event for each of so many contacts, and a delivery of it for each subscription. */
async function addDue({ place, orgId }: Filled, subscriptionIds: readonly string[], events: number): Promise<void> {
  const client = new pg.Client({ connectionString: place.databaseUrl })
  await client.connect()
  try {
    await client.query(
      `with contact as (select id from contact where org_id = $1 limit $2), added as (
         insert into event (org_id, id, name, contact_id, ts, body)
         select $1, uuidv7(), 'contact.created', id, now(), convert_to(json_build_object('event', 'contact.created',
           'ts', to_json(now()), 'payload', json_build_object('contact', json_build_object('id', id)))::text, 'UTF8')
         from contact returning id, contact_id)
       insert into delivery (org_id, id, subscription_id, event_id, event, contact_id, queue_key, lane, state, created_at)
       select $1, uuidv7(), subscription_id, added.id, 'contact.created', contact_id, contact_id, 0, 'ready', now()
       from added cross join unnest($3::uuid[]) as subscription_id`,
      [orgId, events, subscriptionIds],
    )
    await client.query('analyze delivery')
  } finally {
    await client.end()
  }
}

async function usedBy(kiths: readonly Child[]): Promise<number> {
  const used = await Promise.all(kiths.map((kith) => kith.used()))
  return used.reduce((sum, { cpuUs }) => sum + cpuUs, 0)
}
