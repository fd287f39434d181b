/** The real program as child processes, with a client, and a look into their database from beside them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe } from 'node:test'
import { commandActor } from '../../server/src/actor.ts'
import type { Database } from '../../server/src/database/engine.ts'
import { openDatabase, type StoreOptions } from '../../server/src/database/open.ts'
import type { Role } from '../../server/src/members/schema.ts'
import { createOrg } from '../../server/src/orgs/actions.ts'
import type { NewOrg } from '../../server/src/orgs/schema.ts'
import { createAddressGuard } from '../../server/src/outgoing/address-guard.ts'
import { loadSigningKey } from '../../server/src/webhooks/key-file.ts'
import { type Engine, engines } from './databases.ts'
import { type Client, createAgent, createClient } from './http-client.ts'
import { Org } from './org.ts'
import { type Person, signedIn, type Ui } from './ui.ts'
import { until } from './until.ts'

const KITH = join(import.meta.dirname, '../../server/bin/kith.mjs')
const START_MS_MAX = 60_000
/** What Linux counts processor time in. */
const CLOCK_TICK_MS = 10

export type Settings = Record<string, string>

/** What a command of `kith` said, and its JSON. */
export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: tests compare results whole or reach into them
  value: any
}

/** Defines tests on each engine, with a server that they share; each makes an org of its own. */
export function withKith(define: (kith: Kith) => void, settings: Settings = {}): void {
  for (const engine of engines) share(engine.name, new Kith(engine, settings), define)
}

const CONTRACT_NODES = 3

/**
 * As `withKith`, and once more on three servers of one PostgreSQL database, where each request goes to the next. What is
 * about one server's connections (malformed requests, TLS, proxies) has nothing to find there.
 */
export function withKithAndNodes(define: (kith: Kith) => void, settings: Settings = {}): void {
  withKith(define, settings)
  withNodes(CONTRACT_NODES, define, settings)
}

/** Defines tests on that many servers of one PostgreSQL database. */
export function withNodes(count: number, define: (kith: Kith) => void, settings: NodeSettings = {}): void {
  const postgres = engines.find(({ name }) => name === 'postgres')!
  share(`postgres, ${count} nodes`, new Kith(postgres, settings, count), define)
}

function share(name: string, kith: Kith, define: (kith: Kith) => void): void {
  describe(name, () => {
    before(() => kith.open())
    after(() => kith.close())
    define(kith)
  })
}

/** Of all nodes, or of the node with that number. */
type NodeSettings = Settings | ((node: number) => Settings)

/** One `kith serve`. */
export class Node {
  url = ''
  setupCode: string | null = null
  /** Without a token. */
  readonly client: Client
  readonly #spawn: (settings: Settings) => ChildProcess
  #process: ChildProcess | undefined
  #log = ''

  constructor(agent: Agent, spawn: (settings: Settings) => ChildProcess) {
    this.client = createClient(agent, () => this.url)
    this.#spawn = spawn
  }

  /** @returns milliseconds from the start of the process to its first answer that it is ready */
  async start(settings: Settings = {}): Promise<number> {
    const begun = performance.now()
    const server = this.#spawn({ KITH_PORT: '0', ...settings })
    this.#process = server
    let said = ''
    server.stdout!.setEncoding('utf8').on('data', (chunk) => (said += chunk))
    server.stderr!.setEncoding('utf8').on('data', (chunk) => (this.#log += chunk))
    await until('the server has started', () => said.includes('\n') || server.exitCode !== null, START_MS_MAX)
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}: ${this.#log}`)
    const { url, setup_code } = JSON.parse(said)
    this.url = url
    this.setupCode = setup_code
    await until('the server is ready', async () => (await this.client.get('/readyz')).status === 200, START_MS_MAX)
    return performance.now() - begun
  }

  /** @returns milliseconds of processor that the server has used; undefined where the system does not tell */
  processorMs(): number | undefined {
    if (process.platform !== 'linux') return undefined
    const fields = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS
  }

  /** @returns exit code, and how long it took */
  async stop(): Promise<{ code: number | null; ms: number }> {
    const begun = performance.now()
    return { code: await this.#end('SIGTERM'), ms: performance.now() - begun }
  }

  /** As a power switch would, but that what was written is in the system's hands. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** For tests that signal the server themselves. */
  get process(): ChildProcess {
    return this.#process!
  }

  get isAlive(): boolean {
    return this.#process !== undefined && this.process.exitCode === null && this.process.signalCode === null
  }

  /** What it has written to stderr so far. */
  get log(): string {
    return this.#log
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const ended = once(this.process, 'exit')
    this.process.kill(signal)
    return (await ended)[0]
  }
}

export class Kith {
  readonly engine: Engine['name']
  /** The data folder; with PostgreSQL, of the key alone. */
  folder = ''
  /** Without a token. Of several nodes each request goes to the next. */
  readonly client: Client
  readonly nodes: readonly Node[]
  readonly #engine: Engine
  readonly #settings: Settings
  readonly #agent = createAgent()
  readonly #hooks: (() => void | Promise<void>)[] = []
  #store: StoreOptions | undefined
  #db: Database | undefined
  #turn = 0

  constructor(engine: Engine, settings: NodeSettings = {}, nodeCount = 1) {
    this.#engine = engine
    const settingsOf = typeof settings === 'function' ? settings : () => settings
    this.#settings = typeof settings === 'function' ? {} : settings
    this.engine = engine.name
    this.nodes = Array.from({ length: nodeCount }, (_, i) => this.#node(settingsOf(i)))
    this.client = createClient(this.#agent, () => this.nodes[this.#turn++ % nodeCount]!.url)
  }

  /** Makes a place for the data, starts the server, and opens its database from beside it. */
  async open(): Promise<void> {
    const place = { after: (hook: () => void | Promise<void>) => void this.#hooks.push(hook) }
    this.#store = await this.#engine.place(place)
    this.folder = this.#store.engine === 'sqlite' ? this.#store.folder : await mkdtemp(join(tmpdir(), 'kith-test-'))
    if (this.#store.engine === 'postgres') place.after(() => rm(this.folder, { recursive: true, force: true }))
    await this.start()
    await this.look()
  }

  /** Ends the server if it runs, and removes all that is there. */
  async close(): Promise<void> {
    for (const node of this.nodes) if (node.isAlive) await node.kill()
    this.#agent.destroy()
    await this.lookAway()
    for (const hook of this.#hooks) await hook()
  }

  /** @returns milliseconds from the start of the process to its first answer that it is ready; of the slowest node */
  async start(settings: Settings = {}): Promise<number> {
    return Math.max(...(await Promise.all(this.nodes.map((node) => node.start(settings)))))
  }

  /** @returns milliseconds of processor that the server has used; undefined where the system does not tell */
  processorMs(): number | undefined {
    return this.#first.processorMs()
  }

  /** @returns exit code, and how long it took; of several nodes, of the first that does not end as it should */
  async stop(): Promise<{ code: number | null; ms: number }> {
    const ends = await Promise.all(this.nodes.map((node) => node.stop()))
    return ends.find(({ code }) => code !== 0) ?? ends[0]!
  }

  async kill(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()))
  }

  get url(): string {
    return this.#first.url
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  get setupCode(): string | null {
    return this.#first.setupCode
  }

  /** For tests that signal the server themselves. */
  get process(): ChildProcess {
    return this.#first.process
  }

  get isAlive(): boolean {
    return this.nodes.every((node) => node.isAlive)
  }

  /** What servers have written to stderr so far. */
  get log(): string {
    return this.nodes.map(({ log }) => log).join('')
  }

  /** The database beside the server, as a command would open it. */
  get db(): Database {
    return this.#db!
  }

  /** Opens the database from beside the server. */
  async look(): Promise<void> {
    this.#db = await openDatabase(this.#store!, 'command')
  }

  async lookAway(): Promise<void> {
    await this.#db?.close()
    this.#db = undefined
  }

  /** An org with a token of both scopes and a limit that no test reaches, unless said otherwise. */
  async org(input: Partial<NewOrg> = {}): Promise<Org> {
    const made = await this.db.write((tx) => createOrg(tx, { name: 'Test', hourly_limit: 1_000_000, ...input }))
    const org = new Org(this, made.id, commandActor(made.id))
    return org.withOwnToken()
  }

  /** Someone of an org who has signed in to the web app, with a client of `/ui`. */
  ui(org: { id: string }, role: Role = 'member', person: Omit<Person, 'role'> = {}): Promise<Ui> {
    return signedIn(this, org, { ...person, role })
  }

  /** Key and guard for making a subscription, with loopback allowed. */
  async webhookParts() {
    const key = await loadSigningKey(this.db, join(this.folder, 'kith.key'))
    return { key, guard: createAddressGuard(['127.0.0.1']) }
  }

  /** Runs `kith …` with `--json` on the same data. */
  async command(...args: string[]): Promise<Outcome> {
    const child = this.#spawn([...args, '--json'])
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close') as Promise<[number | null]>,
    ])
    return { code, stdout, stderr, value: code === 0 && stdout ? JSON.parse(stdout) : undefined }
  }

  #spawn(args: string[], settings: Settings = {}): ChildProcess {
    const store = this.#store!
    return spawn(process.execPath, [KITH, ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH,
        KITH_DATA: this.folder,
        ...(store.engine === 'postgres' && { KITH_DATABASE_URL: store.url }),
        KITH_WEBHOOK_ALLOW: '127.0.0.1',
        ...this.#settings,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }

  get #first(): Node {
    return this.nodes[0]!
  }

  #node(own: Settings): Node {
    return new Node(this.#agent, (settings) => this.#spawn(['serve', '--json'], { ...own, ...settings }))
  }
}
