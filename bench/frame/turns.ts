/** Measures what is compared in turn, A B A B, so that a change of the machine's mood falls on all alike. */
import type { Child } from './child.ts'
import { load, type Request } from './load.ts'
import { median } from './statistics.ts'

export interface Contestant {
  name: string
  /** Does its work for so long. */
  run(seconds: number): Promise<Cost>
}

/** What one request, or what is counted in its place, costs. */
export interface Cost {
  /** How many were answered. */
  count: number
  perSecond: number
  /** Microseconds of processor each, of the server and of its database where that is another process. */
  serverUs: number
  databaseUs: number
  /** Milliseconds; NaN where they are not measured. */
  p50: number
  p99: number
}

export interface Turns {
  rounds: number
  seconds: number
  warmSeconds: number
}

/** @returns medians over the rounds for each, in their order; their counts are sums, the warming among them */
export async function inTurn(
  contestants: readonly Contestant[],
  { rounds, seconds, warmSeconds }: Turns,
): Promise<Cost[]> {
  const costs: Cost[][] = contestants.map(() => [])
  for (let round = -1; round < rounds; round++) {
    for (const [i, { run }] of contestants.entries()) costs[i]!.push(await run(round < 0 ? warmSeconds : seconds))
  }
  return costs.map(summary)
}

export interface Server {
  url: string
  /** Microseconds of processor that it has used so far, all its threads and processes. */
  serverUs(): number | Promise<number>
  /** The same of its database. */
  databaseUs?(): number
}

/** Kith, or a program of this folder. */
export function serverOf(child: Child, databaseUs?: () => number): Server {
  return { url: child.url, serverUs: async () => (await child.used()).cpuUs, ...(databaseUs && { databaseUs }) }
}

/** Requests to a server, sent in turn over so many connections. */
export function asked(
  name: string,
  server: Server,
  { requests, connections }: { requests: readonly Request[]; connections: number },
): Contestant {
  const run = async (seconds: number): Promise<Cost> => {
    const before = await usedBy(server)
    const { answered, ...rates } = await load({ url: server.url, connections, seconds, requests })
    const after = await usedBy(server)
    if (answered === 0) {
      if (seconds > SECONDS_MAX) throw new Error(`Nothing was answered in ${seconds} s: ${requests[0]!.path}`)
      return run(seconds * 4)
    }
    return {
      count: answered,
      ...rates,
      serverUs: (after.server - before.server) / answered,
      databaseUs: (after.database - before.database) / answered,
    }
  }
  return { name, run }
}

/** On a machine that is busy otherwise a slow request may outlast its round. */
const SECONDS_MAX = 30

async function usedBy({ serverUs, databaseUs }: Server): Promise<{ server: number; database: number }> {
  return { server: await serverUs(), database: databaseUs?.() ?? 0 }
}

/** The first round warmed up. */
function summary(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost) => median(costs.slice(1).map((cost) => cost[key]))
  return {
    count: costs.reduce((sum, { count }) => sum + count, 0),
    perSecond: of('perSecond'),
    serverUs: of('serverUs'),
    databaseUs: of('databaseUs'),
    p50: of('p50'),
    p99: of('p99'),
  }
}
