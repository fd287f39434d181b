import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { type Child, startKith } from '../frame/child.ts'
import { apiRequest, type Filled } from '../frame/data.ts'
import { fillDeliveries } from '../frame/fill.ts'
import { answerTo, filledFor, kithOn, programFor } from '../frame/kiths.ts'
import { type Bench, type Compared, type Context, costBars, costTable } from '../frame/outcome.ts'
import { inputAt } from '../frame/people.ts'
import { OWN } from '../frame/program.ts'
import { part } from '../frame/statistics.ts'
import type { Table } from '../frame/table.ts'
import { type Contestant, inTurn } from '../frame/turns.ts'
import { startReceivers, subscribe } from '../frame/webhooks.ts'
import type { BarePosted, BarePoster } from '../programs/bare-poster.ts'
import type { Arrived } from '../programs/receivers.ts'

const RECEIVERS = 20
const HANGING = RECEIVERS / 10
const CONTACTS = 1_000
/** As Kith's settings are unless said. */
const AT_ONCE = 256
const AT_ONCE_EACH = 16
/** Deliveries a second that a round has to last for. */
const RATE_MAX = 12_000
/** A round begins after so many: until then much of what a new process does is compiling. The bare loop goes on for all. */
const WARMING = 15_000
const LIVE_EVERY_MS = 40
const LIVE_EVENTS = 100
const POLL_MS = 20
const ROUNDS = 3

export const webhooks: Bench = {
  claim: 'One process delivers to many receivers at a good part of the rate of a loop that signs and posts alone.',
  async run(context) {
    const { child, urls } = await startReceivers(context, RECEIVERS)
    const hooks = urls.map((url) => `${url}/hook`)
    const contestants = [await barePoster(context, urls)]
    const subscribed: Subscribed[] = []
    for (const program of context.programs) {
      const filled = await filledFor(context, { program, contacts: CONTACTS })
      subscribed.push({ filled, subscriptionIds: await subscribe(filled, hooks), receivers: child })
      contestants.push(backlog(context, program.name, subscribed.at(-1)!, 0))
    }
    const own = subscribed[0]!
    contestants.push(backlog(context, `${OWN.name}, ${HANGING} of ${RECEIVERS} hang`, own, HANGING))
    const turns = { rounds: ROUNDS, seconds: context.isFull ? 10 : 3, warmSeconds: 1 }
    const compared: Compared = {
      names: contestants.map(({ name }) => name),
      costs: await inTurn(contestants, turns),
    }
    const [bare, kith] = compared.costs
    const hanging = compared.costs.at(-1)!
    return {
      setting: `SQLite, ${RECEIVERS} receivers, a backlog that is worked off; then ${1000 / LIVE_EVERY_MS} creates a second.`,
      tables: [costTable(compared), await live(context, own)],
      figures: {
        'webhooks.rate': kith!.perSecond,
        'webhooks.bare': kith!.perSecond / bare!.perSecond,
        'webhooks.hanging': hanging.perSecond / kith!.perSecond,
      },
      bars: costBars('Deliver an event', compared),
      notes: ['With some hanging, only deliveries to the others are counted, of which there are fewer to make.'],
    }
  },
}

async function barePoster(context: Context, urls: string[]): Promise<Contestant> {
  const settings: BarePoster = { urls, atOnce: AT_ONCE, atOnceEach: AT_ONCE_EACH }
  const child = await programFor(context, 'bare-poster', settings)
  return {
    name: 'bare undici loop',
    async run(wanted) {
      const before = await child.used()
      const { count, seconds } = await child.ask<BarePosted>(`run ${wanted}`)
      const serverUs = ((await child.used()).cpuUs - before.cpuUs) / count
      return { count, perSecond: count / seconds, serverUs, databaseUs: 0, p50: Number.NaN, p99: Number.NaN }
    },
  }
}

interface Subscribed {
  filled: Filled
  subscriptionIds: string[]
  receivers: Child
}

/** A server that finds so much due at its start that it is not through when the time is over. */
function backlog(
  context: Context,
  name: string,
  { filled: subscribed, subscriptionIds, receivers }: Subscribed,
  hanging: number,
): Contestant {
  const answering = RECEIVERS - hanging
  return {
    name,
    async run(seconds) {
      const { filled, remove } = await context.data.copyOf(subscribed)
      const events = Math.ceil((WARMING + (seconds + 1) * RATE_MAX) / RECEIVERS)
      letHang(filled, subscriptionIds.slice(0, hanging))
      await fillDeliveries(filled.place, { orgId: filled.orgId, subscriptionIds, events })
      const kith = await startKith(filled.program, filled.place)
      try {
        // Those that hang take what they may have under way at the very beginning.
        const first = await arrivedAfter(receivers, WARMING)
        const before = await kith.used()
        const startedMs = performance.now()
        const count = (await arrivedAfter(receivers, events * 0.9 * answering - WARMING, seconds)) - first
        const passedS = (performance.now() - startedMs) / 1000
        const serverUs = ((await kith.used()).cpuUs - before.cpuUs) / count
        return { count, perSecond: count / passedS, serverUs, databaseUs: 0, p50: Number.NaN, p99: Number.NaN }
      } finally {
        await kith.end('SIGKILL')
        await remove()
      }
    },
  }
}

function letHang({ place }: Filled, subscriptionIds: readonly string[]): void {
  const db = new DatabaseSync(join(place.folder, 'kith.db'))
  const change = db.prepare(`update subscription set url = replace(url, '/hook', '/hang') where id = ?`)
  for (const id of subscriptionIds) change.run(id)
  db.close()
}

/** Waits until so many more have arrived, or so many seconds. @returns how many have arrived in all */
async function arrivedAfter(receivers: Child, more: number, seconds = Number.POSITIVE_INFINITY): Promise<number> {
  const startedMs = performance.now()
  const { count: before } = await receivers.ask<Arrived>('arrived')
  for (;;) {
    const { count } = await receivers.ask<Arrived>('arrived')
    if (count - before >= more || performance.now() - startedMs > seconds * 1000) return count
    await delay(POLL_MS)
  }
}

/** How long an event takes to its receivers when nothing waits: a create now and then. */
async function live(context: Context, { filled, receivers }: Subscribed): Promise<Table> {
  const kith = await kithOn(context, filled)
  await create(kith, filled, 0)
  await arrivedAfter(receivers, RECEIVERS, 5)
  await receivers.ask<Arrived>('arrived')
  const delaysMs: number[] = []
  for (let i = 1; i <= LIVE_EVENTS; i++) {
    await Promise.all([create(kith, filled, i), delay(LIVE_EVERY_MS)])
  }
  while (delaysMs.length < LIVE_EVENTS * RECEIVERS) {
    delaysMs.push(...(await receivers.ask<Arrived>('arrived')).delaysMs)
    await delay(POLL_MS)
  }
  const row = ['Kith, event to arrival', delaysMs.length, part(delaysMs, 0.5), part(delaysMs, 0.99)]
  return { titles: ['', 'deliveries', 'p50 ms', 'p99 ms'], rows: [row] }
}

async function create(kith: Child, filled: Filled, at: number): Promise<void> {
  await answerTo(kith.url, apiRequest(filled, 'POST', '/contacts', inputAt(at)))
}
