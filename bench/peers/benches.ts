/** Kith beside other programs, each with the same contacts, the same indexes, and the same five operations. */
import { type Bench, type Context, compare, contestant, type Outcome, ratio, totalUs } from '../frame/outcome.ts'
import type { Figures } from '../frame/targets.ts'
import type { Cost } from '../frame/turns.ts'
import { directus } from './directus.ts'
import { startKithAsPeer } from './kith.ts'
import { parse } from './parse.ts'
import { OPERATIONS, type Operation, type Peer } from './peer.ts'
import { pocketbase } from './pocketbase.ts'
import { postgrest } from './postgrest.ts'

const CONTACTS = 100_000
/** The slowest of them needs its time for the first answers. */
const SECONDS_MIN = 4

export const PEERS: Record<string, Bench> = {
  pocketbase: beside(pocketbase, ([peer, sqlite]) => ({
    'pocketbase.get': sqlite!.get.perSecond / peer!.get.perSecond,
    'pocketbase.list': sqlite!.list.perSecond / peer!.list.perSecond,
    'pocketbase.search': sqlite!.search.perSecond / peer!.search.perSecond,
    'pocketbase.create': sqlite!.create.perSecond / peer!.create.perSecond,
    'pocketbase.patch': sqlite!.patch.perSecond / peer!.patch.perSecond,
  })),
  postgrest: beside(postgrest, ([peer, , onPostgres]) => ({
    'postgrest.get-cpu': totalUs(onPostgres!.get) / totalUs(peer!.get),
    'postgrest.list-cpu': totalUs(onPostgres!.list) / totalUs(peer!.list),
    'postgrest.search-cpu': totalUs(onPostgres!.search) / totalUs(peer!.search),
    'postgrest.rate': slowest(onPostgres!, peer!),
  })),
  parse: beside(parse, ([peer, , onPostgres]) => ({ 'parse.rate': slowest(onPostgres!, peer!) })),
  directus: beside(directus, () => ({})),
}

type Costs = Record<Operation, Cost>

function beside(peer: Peer, figuresOf: (costs: Costs[]) => Figures): Bench {
  return { claim: `Kith beside ${peer.name}.`, run: (context) => measure(context, peer, figuresOf) }
}

async function measure(context: Context, peer: Peer, figuresOf: (costs: Costs[]) => Figures): Promise<Outcome> {
  const served = {
    [peer.name]: await peer.start(context, CONTACTS),
    'Kith, SQLite': await startKithAsPeer(context, 'sqlite', CONTACTS),
    'Kith, PostgreSQL': await startKithAsPeer(context, 'postgres', CONTACTS),
  }
  const names = Object.keys(served)
  const costs: Costs[] = names.map(() => ({}) as Costs)
  const rows: (string | number)[][] = []
  const bars = []
  for (const operation of OPERATIONS) {
    const contestants = names.map((name) => contestant(name, served[name]!.server, served[name]!.requests[operation]))
    const compared = await compare(contestants, context, SECONDS_MIN)
    for (const [i, cost] of compared.costs.entries()) {
      costs[i]![operation] = cost
      const first = compared.costs[0]!
      const rate = ratio(cost.perSecond, first.perSecond)
      const processor = ratio(totalUs(cost), totalUs(first))
      rows.push([
        `${operation}: ${names[i]}`,
        ...[Math.round(cost.perSecond), rate, totalUs(cost), processor, cost.p99],
      ])
      bars.push({
        name: i === 0 ? `${operation}: ${names[i]}` : names[i]!,
        value: totalUs(cost),
        remark: `× ${processor}`,
        isOurs: i > 0,
      })
    }
  }
  const titles = ['', '/s', '× the peer’s', 'µs of processor, database included', '× the peer’s', 'p99 ms']
  return {
    setting:
      '100,000 contacts, 16 connections; lists of 50 by stage and label, and a search that one in sixty matches.',
    tables: [{ titles, rows }],
    figures: figuresOf(costs),
    bars: { title: `Kith beside ${peer.name}: µs of processor a request`, bars },
    notes: [peer.differs],
  }
}

/** The least of the ratios of rates. */
function slowest(ours: Costs, theirs: Costs): number {
  return Math.min(...OPERATIONS.map((operation) => ours[operation].perSecond / theirs[operation].perSecond))
}
