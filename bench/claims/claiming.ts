import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { commandActor } from '../../server/src/actor.ts'
import type { Database } from '../../server/src/database/engine.ts'
import { openDatabase } from '../../server/src/database/open.ts'
import { newId } from '../../server/src/ids.ts'
import { createLog } from '../../server/src/log.ts'
import { createOrg } from '../../server/src/orgs/actions.ts'
import { createAddressGuard } from '../../server/src/outgoing/address-guard.ts'
import { createSubscription } from '../../server/src/webhooks/actions.ts'
import { startDispatcher } from '../../server/src/webhooks/dispatcher.ts'
import type { Sender } from '../../server/src/webhooks/sender.ts'
import { type Bench, type Context, ratio } from '../frame/outcome.ts'
import { shown } from '../frame/statistics.ts'

const FINISHED = 1_000_000
const FINISHED_SHORT = 100_000
const FINISHED_AT_ONCE = 10_000
/** As many as are found and recorded while it is measured. */
const WAITING = 10_000
const BATCH = 64
const POLL_MS = 5
const KEY = Buffer.alloc(32, 1)
const EVENTS = 100
const BODY_BYTES = 1_000

interface Subscription {
  org_id: string
  subscription_id: string
}

interface Claimed {
  name: string
  perSecond: number
  buffers: number
}

export const claiming: Bench = {
  claim: 'Deliveries that have ended do not slow down finding the next ones, nor does an old snapshot that keeps them.',
  isLong: true,
  async run(context) {
    const finished = context.isFull ? FINISHED : FINISHED_SHORT
    const rows = [
      await claimed(context, 'no delivery before', async () => {}),
      await claimed(context, `${shown(finished)} ended before`, async (client, subscription) => {
        await finishMany(client, subscription, finished)
        await client.query('vacuum analyze delivery')
      }),
      await claimed(context, 'the same, with a snapshot from before them open', async (client, subscription) => {
        const old = await connected(context, client.database!)
        context.defer(() => old.end())
        await old.query('begin isolation level repeatable read')
        await old.query('select count(*) from delivery')
        await finishMany(client, subscription, finished)
        await client.query('vacuum analyze delivery')
      }),
    ]
    const [first] = rows
    return {
      setting: `PostgreSQL, one subscription with ${shown(WAITING)} deliveries ready, whose receiver answers at once.`,
      tables: [
        {
          titles: ['', 'found and recorded /s', '× the first', 'buffers of a look from the beginning'],
          rows: rows.map(({ name, perSecond, buffers }) => [
            ...[name, perSecond, ratio(perSecond, first!.perSecond), buffers],
          ]),
        },
      ],
      figures: {},
    }
  },
}

/** How fast the real dispatcher finds and records deliveries, on a database of its own, after what has been before. */
async function claimed(
  context: Context,
  name: string,
  before: (client: pg.Client, subscription: Subscription) => Promise<void>,
): Promise<Claimed> {
  const postgres = await context.data.postgres()
  const url = postgres.urlOf(`claiming_${newId().replaceAll('-', '_')}`)
  await postgres.create(url)
  const db = await openDatabase({ engine: 'postgres', url, connectionsMax: 10 }, 'server')
  context.defer(() => db.close())
  const client = await connected(context, new URL(url).pathname.slice(1))
  context.defer(() => client.end())
  const subscription = await makeSubscription(db, client)
  await before(client, subscription)
  await addReady(client, subscription, WAITING)
  await client.query('analyze delivery')
  const buffers = await buffersToFind(client, subscription)
  const dispatcher = startDispatcher({
    db,
    sender: INSTANT,
    key: KEY,
    log: createLog('error'),
    version: '0',
    concurrency: 256,
    concurrencyPerSubscription: 16,
  })
  // What it does when it starts is no part of the claim.
  while (dispatcher.stats().delivered === 0) await delay(POLL_MS)
  const first = dispatcher.stats().delivered
  const startedMs = performance.now()
  while (dispatcher.stats().delivered < WAITING) await delay(POLL_MS)
  const perSecond = (WAITING - first) / ((performance.now() - startedMs) / 1_000)
  await dispatcher.stop(0)
  return { name, perSecond, buffers }
}

/** Answers at once, so that finding and recording are all that takes time. */
const INSTANT: Sender = {
  send: async () => ({
    delivered: true,
    responseStatus: 200,
    error: null,
    durationMs: 0,
    timings: { resolveMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    responseHeaders: [],
    responseBody: null,
    bodyCut: false,
  }),
  close: async () => {},
}

async function connected(context: Context, database: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: (await context.data.postgres()).urlOf(database) })
  await client.connect()
  return client
}

async function makeSubscription(db: Database, client: pg.Client): Promise<Subscription> {
  const { id: org_id } = await db.write((tx) => createOrg(tx, { name: 'Bench' }))
  const input = { url: 'http://127.0.0.1:9999/', events: ['contact.created'] }
  const parts = { guard: createAddressGuard(['127.0.0.1']), key: KEY }
  const { id } = await db.write((tx) => createSubscription(tx, commandActor(org_id), input, parts))
  await client.query(
    `insert into event (org_id, id, name, ts, body)
     select $1, uuidv7(), 'contact.created', now(), convert_to(repeat('x', $2), 'UTF8') from generate_series(1, $3)`,
    [org_id, BODY_BYTES, EVENTS],
  )
  return { org_id, subscription_id: id }
}

/** Each of a contact of its own. */
async function addReady(client: pg.Client, { org_id, subscription_id }: Subscription, count: number): Promise<void> {
  await client.query(
    `with events as (select id, row_number() over () as number from event where org_id = $1)
     insert into delivery (org_id, id, subscription_id, event_id, event, queue_key, lane, state, created_at)
     select $1, uuidv7(), $2, events.id, 'contact.created', gen_random_uuid(), 0, 'ready', now()
     from generate_series(1, $3) as n join events on events.number = n % $4 + 1`,
    [org_id, subscription_id, count, EVENTS],
  )
}

/** As recording would, so that the indexes have had all of them. */
async function finishMany(client: pg.Client, subscription: Subscription, count: number): Promise<void> {
  for (let done = 0; done < count; done += FINISHED_AT_ONCE) {
    await addReady(client, subscription, FINISHED_AT_ONCE)
    await client.query(
      `update delivery set state = 'delivered', attempts = 1, response_status = 200, duration_ms = 5, finished_at = now()
       where state = 'ready'`,
    )
  }
}

/** Pages of 8 KiB. */
async function buffersToFind(client: pg.Client, { org_id, subscription_id }: Subscription): Promise<number> {
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) select id, lane from delivery
     where org_id = '${org_id}' and subscription_id = '${subscription_id}' and state = 'ready'
     order by lane, seq limit ${BATCH}`,
  )
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}
