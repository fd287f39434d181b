import type { Bars } from './bars.ts'
import type { Data } from './data.ts'
import type { Request } from './load.ts'
import { OWN, type Program } from './program.ts'
import type { Table } from './table.ts'
import type { Figures } from './targets.ts'
import { asked, type Contestant, type Cost, inTurn, type Server } from './turns.ts'

/** One claim about speed, and how it is measured. */
export interface Bench {
  claim: string
  /** Left out of the short set. */
  isLong?: boolean
  run(context: Context): Promise<Outcome>
}

export interface Context {
  data: Data
  /** Sizes are those of the claims, and more rounds are run. */
  isFull: boolean
  /** What is measured: this checkout, and after it the commit that it is compared with. */
  programs: readonly Program[]
  /** Called when the bench has ended, however: the last one first. */
  defer(end: () => unknown): void
}

export interface Outcome {
  /** Sizes, connections, and what is smaller than the claim. */
  setting: string
  tables: readonly Table[]
  figures: Figures
  bars?: Bars
  notes?: readonly string[]
}

/** Two processors: as many at once as keep them busy, and a few more. */
export const CONNECTIONS = 16

/**
 * For requests of many milliseconds: those that are under way when a round ends have cost processor time and are not
 * counted, so there are few of them.
 */
export const FEW_CONNECTIONS = 4

/** Contestants by name, with what each costs. */
export interface Compared {
  names: string[]
  costs: Cost[]
}

export function contestant(
  name: string,
  server: Server,
  requests: readonly Request[],
  connections = CONNECTIONS,
): Contestant {
  return asked(name, server, { requests, connections })
}

/**
 * As long as in a short run, or in a full one.
 *
 * @param secondsMin of each round, where single requests take long
 */
export async function compare(
  contestants: readonly Contestant[],
  { isFull }: Context,
  secondsMin = 1,
): Promise<Compared> {
  const usual = isFull ? { rounds: 5, seconds: 4, warmSeconds: 3 } : { rounds: 3, seconds: 2, warmSeconds: 2 }
  const atLeast = (seconds: number) => Math.max(seconds, secondsMin)
  const turns = { ...usual, seconds: atLeast(usual.seconds), warmSeconds: atLeast(usual.warmSeconds) }
  return { names: contestants.map(({ name }) => name), costs: await inTurn(contestants, turns) }
}

/** Ratios are to the first. */
export function costTable({ names, costs }: Compared): Table {
  const hasDatabase = costs.some(({ databaseUs }) => databaseUs > 0)
  const first = costs[0]!
  const rows = costs.map((cost, i) => [
    names[i]!,
    Math.round(cost.perSecond),
    ratio(cost.perSecond, first.perSecond),
    cost.serverUs,
    ...(hasDatabase ? [cost.databaseUs] : []),
    ratio(totalUs(cost), totalUs(first)),
    cost.p50,
    cost.p99,
  ])
  const database = hasDatabase ? ['database’s µs'] : []
  return { titles: ['', '/s', 'of the first', 'µs of processor', ...database, '× the first', 'p50 ms', 'p99 ms'], rows }
}

/** Processor time, in the order of the table. */
export function costBars(title: string, { names, costs }: Compared): Bars {
  const bars = costs.map((cost, i) => ({
    name: names[i]!,
    value: totalUs(cost),
    remark: `× ${ratio(totalUs(cost), totalUs(costs[0]!))}`,
    isOurs: names[i]!.startsWith(OWN.name),
  }))
  return { title: `${title}: µs of processor each`, bars }
}

/** Always with two places: ratios are compared with each other. */
export function ratio(value: number, to: number): string {
  return (value / to).toFixed(2)
}

export function totalUs({ serverUs, databaseUs }: Cost): number {
  return serverUs + databaseUs
}
