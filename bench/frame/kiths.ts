/** What benches start: servers of Kith on data of their own, and what they are compared with. */
import { type Child, startKith, startProgram } from './child.ts'
import type { Filled, Kind } from './data.ts'
import type { Request } from './load.ts'
import { CONNECTIONS, type Compared, type Context, compare, contestant } from './outcome.ts'
import type { Program } from './program.ts'
import { serverOf } from './turns.ts'

/** A server on a database of its own. */
export interface Running {
  program: Program
  filled: Filled
  kith: Child
}

/** A database of that kind, until the bench ends. */
export async function filledFor({ data, defer }: Context, kind: Kind): Promise<Filled> {
  const { filled, remove } = await data.filled(kind)
  defer(remove)
  return filled
}

/** Starts Kith on such a database, until the bench ends. */
export async function kithOn({ defer }: Context, filled: Filled, settings?: Record<string, string>): Promise<Child> {
  const kith = await startKith(filled.program, filled.place, settings)
  defer(() => kith.end())
  return kith
}

/** Each program that is measured, on a copy of the same data. */
export async function kithsOn(context: Context, kind: Omit<Kind, 'program'>): Promise<Running[]> {
  const running: Running[] = []
  for (const program of context.programs) {
    const filled = await filledFor(context, { ...kind, program })
    running.push({ program, filled, kith: await kithOn(context, filled) })
  }
  return running
}

/** A program of this folder, until the bench ends. */
export async function programFor({ defer }: Context, name: string, settings: object): Promise<Child> {
  const child = await startProgram(name, { [SETTINGS_OF_PROGRAM]: JSON.stringify(settings) })
  defer(() => child.end())
  return child
}

const SETTINGS_OF_PROGRAM = 'BENCH'

/** The same requests to a bare server, which answers what Kith answers to the first, and to each Kith. */
export async function besideBare(
  context: Context,
  running: readonly Running[],
  requestsOf: (filled: Filled) => readonly Request[],
  { connections = CONNECTIONS, secondsMin = 1 }: { connections?: number; secondsMin?: number } = {},
): Promise<Compared> {
  const requests = running.map(({ filled }) => requestsOf(filled))
  const bare = await programFor(context, 'bare-server', await answerTo(running[0]!.kith.url, requests[0]![0]!))
  const kiths = running.map(({ program, kith }, i) =>
    contestant(program.name, serverOf(kith), requests[i]!, connections),
  )
  const first = contestant('bare server', serverOf(bare), requests[0]!, connections)
  return compare([first, ...kiths], context, secondsMin)
}

/** Headers that `node:http` adds by itself. */
const OWN_HEADERS = ['connection', 'date', 'keep-alive', 'transfer-encoding']

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** @throws Error unless it is a 2xx */
export async function answerTo(url: string, { method, path, headers, body }: Request): Promise<Answer> {
  const response = await fetch(url + path, { method, headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`)
  const kept = [...response.headers].filter(([name]) => !OWN_HEADERS.includes(name))
  return { status: response.status, headers: Object.fromEntries(kept), body: text }
}
