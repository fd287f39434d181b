/** POST and PATCH, each with its event and two deliveries, beside the bare statements in commits of the same size. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Child } from '../frame/child.ts'
import { apiRequest, askedIds, type Filled } from '../frame/data.ts'
import { filledFor, kithOn, programFor } from '../frame/kiths.ts'
import type { Request } from '../frame/load.ts'
import { syncMs } from '../frame/machine.ts'
import {
  type Bench,
  CONNECTIONS,
  type Context,
  compare,
  contestant,
  costBars,
  costTable,
  type Outcome,
} from '../frame/outcome.ts'
import { inputAt } from '../frame/people.ts'
import { OWN } from '../frame/program.ts'
import { type Contestant, serverOf } from '../frame/turns.ts'
import { startReceivers, subscribe } from '../frame/webhooks.ts'
import type { BareWrites, BareWritten } from '../programs/bare-writes.ts'

const CONTACTS = 100_000
const SUBSCRIPTIONS = 2
const BODIES = 1_000

type Kind = BareWrites['kind']

const REQUESTS: Record<Kind, (filled: Filled) => Request[]> = {
  post: (filled) => Array.from({ length: BODIES }, (_, i) => apiRequest(filled, 'POST', '/contacts', inputAt(i))),
  patch: (filled) =>
    askedIds(filled).map((id, i) => apiRequest(filled, 'PATCH', `/contacts/${id}`, { deal_value: i * 10 })),
}

export const post: Bench = {
  claim:
    'Creates that arrive together share a commit; each is durable when answered, with its event and two deliveries.',
  async run(context) {
    const { outcome, writers, counts } = await measure(context, 'post')
    const kept = await Promise.all(writers.map((writer, i) => killAndCount(writer, counts[i]!)))
    return { ...outcome, notes: [...outcome.notes!, ...kept] }
  },
}

export const patch: Bench = {
  claim: 'Changes of contacts that arrive together share a commit, as creates do.',
  run: async (context) => (await measure(context, 'patch')).outcome,
}

interface Writer {
  filled: Filled
  kith: Child
}

/** Deliveries that wait for a receiver cost the writing alone; those that are made take the same process's time. */
async function measure(
  context: Context,
  kind: Kind,
): Promise<{ outcome: Outcome; writers: Writer[]; counts: number[] }> {
  const { urls } = await startReceivers(context, SUBSCRIPTIONS)
  const hanging = urls.map((url) => `${url}/hang`)
  const writers: Writer[] = []
  const contestants: Contestant[] = [await bareWrites(context, kind, hanging)]
  const add = async (name: string, program = OWN, targets = hanging) => {
    const filled = await filledFor(context, { program, contacts: CONTACTS })
    await subscribe(filled, targets)
    const kith = await kithOn(context, filled)
    writers.push({ filled, kith })
    contestants.push(contestant(name, serverOf(kith), REQUESTS[kind](filled)))
  }
  for (const program of context.programs) await add(program.name, program)
  const answering = urls.map((url) => `${url}/hook`)
  await add(`${OWN.name}, delivering meanwhile`, OWN, answering)
  const compared = await compare(contestants, context)
  const [bare, kith] = compared.costs
  const sync = `one write and sync takes ${syncMs().toFixed(2)} ms`
  return {
    writers,
    counts: compared.costs.slice(1).map(({ count }) => count),
    outcome: {
      setting: `100,000 contacts on SQLite, ${CONNECTIONS} connections, two subscriptions; ${sync}.`,
      tables: [costTable(compared)],
      figures: { [`${kind}.bare`]: kith!.perSecond / bare!.perSecond },
      bars: costBars(kind === 'post' ? 'Create a contact' : 'Change a contact', compared),
      notes: ['The receivers never answer, but where it says so: the deliveries are written and wait.'],
    },
  }
}

async function bareWrites(context: Context, kind: Kind, urls: readonly string[]): Promise<Contestant> {
  const filled = await filledFor(context, { program: OWN, contacts: CONTACTS })
  const settings: BareWrites = {
    folder: filled.place.folder,
    orgId: filled.orgId,
    contactIds: askedIds(filled),
    subscriptionIds: await subscribe(filled, urls),
    group: CONNECTIONS,
    kind,
  }
  const child = await programFor(context, 'bare-writes', settings)
  return {
    name: 'bare statements',
    async run(wanted) {
      const before = await child.used()
      const { count, seconds } = await child.ask<BareWritten>(`run ${wanted}`)
      const serverUs = ((await child.used()).cpuUs - before.cpuUs) / count
      return { count, perSecond: count / seconds, serverUs, databaseUs: 0, p50: Number.NaN, p99: Number.NaN }
    },
  }
}

/** @throws Error when an answered create is gone after a SIGKILL */
async function killAndCount({ filled, kith }: Writer, answered: number): Promise<string> {
  await kith.end('SIGKILL')
  const db = new DatabaseSync(join(filled.place.folder, 'kith.db'))
  const { there } = db.prepare('select count(*) as there from contact where org_id = ?').get(filled.orgId) as {
    there: number
  }
  db.close()
  const lost = answered - (there - filled.contacts)
  if (lost > 0) throw new Error(`${lost} of ${answered} answered creates are gone.`)
  return `After SIGKILL all ${answered.toLocaleString('en-US')} answered creates are there.`
}
