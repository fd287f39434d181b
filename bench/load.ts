/** What the benches of the API share: an org with contacts, the server as a child process, load, and a table. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandActor } from '../server/src/actor.ts'
import { createContact } from '../server/src/contacts/actions.ts'
import type { ContactInput } from '../server/src/contacts/schema.ts'
import type { Database } from '../server/src/database/engine.ts'
import { openDatabase } from '../server/src/database/open.ts'
import { createOrg } from '../server/src/orgs/actions.ts'
import { createToken } from '../server/src/tokens/actions.ts'
import type { Held } from './probe.ts'

const HOURLY_LIMIT = 1_000_000_000
const BATCH = 500
const STAGES = ['lead', 'qualified', 'proposal', 'negotiation', null, null]
const FIRST_NAMES = ['Ada', 'Zoë', 'Chidi', 'Mei', 'Łukasz', 'Priya', 'Tomás', 'Aiko', 'Noor', 'Ingrid']
const LAST_NAMES = ['Lovelace', 'Ångström', 'Okafor', 'Chen', 'Nowak', 'Sharma', 'García', 'Tanaka', 'Haddad', 'Berg']

export interface OrgOfBench {
  id: string
  token: string
  contactIds: string[]
}

/**
 * Runs `work` with a new data folder, which is removed afterwards.
 *
 * @param parent where the folder is made; the system's temporary folder unless said, which may lie in memory
 */
export async function withFolder(work: (folder: string) => Promise<void>, parent = tmpdir()): Promise<void> {
  const folder = mkdtempSync(join(parent, 'kith-bench-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Opens the folder's database beside a server, for as long as `work` takes. */
export async function withDatabase<T>(folder: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ engine: 'sqlite', folder }, 'command')
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Makes an org that no rate limit stops, with a token and so many contacts, by the action that the API calls. */
export function makeOrg(folder: string, contacts: number): Promise<OrgOfBench> {
  return withDatabase(folder, async (db) => {
    const org = await db.write((tx) => createOrg(tx, { name: 'Bench', hourly_limit: HOURLY_LIMIT }))
    const actor = commandActor(org.id)
    const { token } = await db.write((tx) => createToken(tx, actor, { name: 'Bench', scopes: ['read', 'write'] }))
    const contactIds: string[] = []
    for (let made = 0; made < contacts; made += BATCH) {
      // The work of a write may be run twice, so it hands its ids back.
      const ids = await db.write(async (tx) => {
        const batch: string[] = []
        for (let i = made; i < Math.min(made + BATCH, contacts); i++) {
          batch.push((await createContact(tx, actor, contactNumber(i))).id)
        }
        return batch
      })
      contactIds.push(...ids)
    }
    return { id: org.id, token, contactIds }
  })
}

/** A made-up contact, the same for the same number. */
export function contactNumber(i: number): ContactInput {
  const full_name = `${FIRST_NAMES[i % 10]} ${LAST_NAMES[Math.floor(i / 10) % 10]}`
  return {
    full_name,
    company: `Company ${i}`,
    email: `contact-${i}@example.com`,
    location: 'London, United Kingdom',
    deal_stage: STAGES[i % STAGES.length],
    deal_value: (i * 7919) % 100_000,
    label: i % 7 === 0 ? 'hot' : null,
    tags: ['fintech', `batch-${i % 50}`],
  }
}

export interface Used {
  /** User and system time of all its threads, since it started. */
  cpuUs: number
  /** The most memory that it has had at once. */
  rssBytesMax: number
}

/** A child process that tells what it uses (`probe.ts`). */
export class Child {
  url = ''
  readonly #process: ChildProcess

  constructor(file: string, args: string[], settings: Record<string, string>) {
    const probe = join(import.meta.dirname, 'probe.ts')
    this.#process = spawn(process.execPath, ['--max-semi-space-size=8', '--import', probe, file, ...args], {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
  }

  /** Waits for its first line, JSON with the `url` that it serves. */
  async started(): Promise<this> {
    let said = ''
    for await (const chunk of this.#process.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      said += chunk
      if (said.includes('\n')) break
    }
    if (!said.includes('\n')) throw new Error('The server has ended before it listened.')
    this.url = JSON.parse(said).url
    return this
  }

  used(): Promise<Used> {
    return this.#ask<Used>('used')
  }

  /** How long its event loop was held at most since this was last asked. */
  held(): Promise<Held> {
    return this.#ask<Held>('held')
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill(signal)
    await ended
  }

  async #ask<T>(what: string): Promise<T> {
    const answer = once(this.#process, 'message')
    this.#process.send(what)
    return (await answer)[0]
  }
}

/** The real server on a data folder, as `npm start` runs it. */
export function startKith(folder: string): Promise<Child> {
  const kith = join(import.meta.dirname, '../server/bin/kith.mjs')
  const child = new Child(kith, ['serve', '--json'], { KITH_DATA: folder, KITH_PORT: '0', KITH_LOG_LEVEL: 'warn' })
  return child.started()
}

export interface Load {
  url: string
  connections: number
  seconds: number
  requests: { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }[]
}

export interface Loaded {
  /** Requests that were answered. */
  answered: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

interface Result {
  '2xx': number
  non2xx: number
  errors: number
  timeouts: number
  duration: number
  latency: { p50: number; p99: number }
}

/** The package has no types. */
const autocannon: (options: object) => Promise<Result> = createRequire(import.meta.url)('autocannon')

/** Sends requests over so many connections, each the next when the one before is answered. @throws Error unless all are 2xx */
export async function load({ url, connections, seconds, requests }: Load): Promise<Loaded> {
  const result = await autocannon({ url, connections, duration: seconds, requests })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} requests failed.`)
  const { p50, p99 } = result.latency
  return { answered: result['2xx'], perSecond: result['2xx'] / result.duration, p50, p99 }
}

export function bearer({ token }: OrgOfBench): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Prints rows under a line of titles, the first column to the left, the others to the right. */
export function printTable(titles: string[], rows: (string | number)[][]): void {
  const texts = [titles, ...rows.map((row) => row.map(String))]
  const widths = titles.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)))
  for (const row of texts) {
    const cells = row.map((text, column) => (column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!)))
    console.log(cells.join('   '))
  }
}
