/**
 * Connections to the one server of several that fits: the primary, wherever it is now. Each of node-postgres' own pools
 * has one server, and does not notice one that falls silent.
 */
import { Kysely, type KyselyPlugin } from 'kysely'
import type { Log } from '../log.ts'
import type { ServerAddress, SessionAttrs } from '../text/postgres-url.ts'
import type { ConnectionCounts } from './engine.ts'
import type { HotQuery } from './postgres-batch.ts'
import { type Links, postgresDialect } from './postgres-dialect.ts'
import { ConnectionFault, PostgresLink, type Server } from './postgres-link.ts'
import type { Tables } from './schema.ts'

/** For finding a server, all of them taken together; also how long anybody waits for a connection. */
const CONNECT_MS_MAX = 5_000
/** What the server itself gives a statement, and some time for the way. */
const ANSWER_MS_MAX = 35_000
/** A server that has not answered a statement for so long is asked whether it is there. */
const SILENT_MS = 2_000
const PROBE_MS_MAX = 3_000
const IDLE_MS_MAX = 30_000
const WATCH_EVERY_MS = 250
/** Nothing more is asked on a connection that has been without an answer for so long. */
const SHARED_MS_MAX = 10
/** What is still in use when the pool is ended is cut then. */
const END_MS_MAX = 5_000

export interface PoolOptions {
  servers: readonly ServerAddress[]
  /** Which of them is meant. */
  attrs: SessionAttrs
  connectionsMax: number
  log?: Log
}

interface Waiter {
  resolve(link: PostgresLink): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
}

/** A connection that several ask on, while any of them does. */
interface Shared {
  link: Promise<PostgresLink>
  opened?: PostgresLink
  askers: number
}

export class PostgresPool implements Links {
  readonly #servers: Server[]
  readonly #attrs: SessionAttrs
  readonly #connectionsMax: number
  readonly #log: Log | undefined
  /** Those of the pool, in use or not. */
  readonly #links = new Set<PostgresLink>()
  readonly #idle: { link: PostgresLink; sinceMs: number }[] = []
  /** Those that `dedicated` has handed out. */
  readonly #aside = new Set<PostgresLink>()
  readonly #waiting: Waiter[] = []
  #shared: Shared | undefined
  readonly #watching: NodeJS.Timeout
  readonly #askAfterMs = new Map<Server, number>()
  #connecting = 0
  /** The server that the last connection was made to. */
  #current: Server | undefined
  /** Which is tried first. */
  #first = 0
  #isEnding = false

  constructor({ servers, attrs, connectionsMax, log }: PoolOptions) {
    this.#servers = servers.map((server) => ({ ...server, isPooled: false, answeredMs: 0 }))
    this.#attrs = attrs
    this.#connectionsMax = connectionsMax
    this.#log = log
    this.#watching = setInterval(() => this.#watch(), WATCH_EVERY_MS).unref()
  }

  get counts(): ConnectionCounts {
    const idle = this.#idle.length
    return { inUse: this.#links.size - idle, idle, waiting: this.#waiting.length, max: this.#connectionsMax }
  }

  /** @param isQuick its compiled queries go together with others, and hold those up as long as they take */
  kysely(plugins: KyselyPlugin[], isQuick = false): Kysely<Tables> {
    return new Kysely<Tables>({ dialect: postgresDialect(this, { isQuick }), plugins })
  }

  /** @throws ConnectionFault or what refused the connection, after `CONNECT_MS_MAX` at the latest */
  connect(): Promise<PostgresLink> {
    if (this.#isEnding) return Promise.reject(new ConnectionFault('The database is being closed.'))
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      // One that has just broken is about to be forgotten.
      if (idle.link.isUsable) return Promise.resolve(idle.link)
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(new ConnectionFault(`No connection was free within ${CONNECT_MS_MAX} ms.`))
      }, CONNECT_MS_MAX)
      const waiter = { resolve, reject, timer }
      this.#waiting.push(waiter)
      this.#grow()
    })
  }

  /**
   * Asks something short that changes nothing. All who do so share a connection: what is asked while it has an answer to
   * wait for goes to the server together, which halves what each costs on both sides.
   */
  async ask<Row>(query: HotQuery): Promise<Row[]> {
    const shared = this.#sharedLink()
    shared.askers++
    try {
      return (await (shared.opened ?? (await shared.link)).executeQuery<Row>(query)).rows
    } finally {
      if (--shared.askers === 0) {
        if (this.#shared === shared) this.#shared = undefined
        shared.opened?.release()
      }
    }
  }

  #sharedLink(): Shared {
    const { opened } = this.#shared ?? {}
    const isStuck = opened?.askedMs !== undefined && performance.now() - opened.askedMs > SHARED_MS_MAX
    if (this.#shared && !isStuck && opened?.isUsable !== false) return this.#shared
    const shared: Shared = { askers: 0, link: this.connect() }
    shared.link.then(
      (link) => {
        shared.opened = link
      },
      () => {},
    )
    this.#shared = shared
    return shared
  }

  /** Opens a connection beside the pool's. Whoever it is for closes it; the pool does when the server is left. */
  async dedicated(application: string): Promise<PostgresLink> {
    const link = await this.#open(application)
    this.#aside.add(link)
    void link.ended.then(() => this.#aside.delete(link))
    if (this.#isEnding) link.close()
    return link
  }

  /** Gives those that wait a refusal, and resolves when all connections are closed. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const waiter of this.#waiting.splice(0)) {
      clearTimeout(waiter.timer)
      waiter.reject(new ConnectionFault('The database is being closed.'))
    }
    for (const { link } of this.#idle.splice(0)) link.close()
    for (const link of this.#aside) link.close()
    const cut = setTimeout(() => {
      for (const link of this.#links) link.destroy()
    }, END_MS_MAX)
    await Promise.all([...this.#links, ...this.#aside].map(({ ended }) => ended))
    clearTimeout(cut)
    clearInterval(this.#watching)
  }

  #grow(): void {
    while (this.#connecting < this.#waiting.length && this.#links.size + this.#connecting < this.#connectionsMax) {
      this.#connecting++
      void this.#add()
    }
  }

  /** A failure is told to who has waited longest. */
  async #add(): Promise<void> {
    try {
      const link = await this.#open('kith')
      link.release = (isBroken) => this.#takeBack(link, isBroken)
      this.#links.add(link)
      this.#connecting--
      void link.ended.then(() => this.#forget(link))
      this.#takeBack(link)
    } catch (error) {
      this.#connecting--
      const waiter = this.#waiting.shift()
      clearTimeout(waiter?.timer)
      waiter?.reject(error)
      this.#grow()
    }
  }

  #takeBack(link: PostgresLink, isBroken = false): void {
    if (isBroken || this.#isEnding || !link.isUsable) {
      this.#links.delete(link)
      link.close()
      this.#grow()
      return
    }
    const waiter = this.#waiting.shift()
    clearTimeout(waiter?.timer)
    if (waiter) waiter.resolve(link)
    else this.#idle.push({ link, sinceMs: performance.now() })
  }

  #forget(link: PostgresLink): void {
    this.#links.delete(link)
    const at = this.#idle.findIndex((idle) => idle.link === link)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#grow()
  }

  /** Tries the servers in turn; what is preferred first, and then whatever is there. */
  async #open(application: string): Promise<PostgresLink> {
    const faults: string[] = []
    let refusal: unknown
    const rounds: SessionAttrs[] = this.#attrs === 'prefer-standby' ? ['standby', 'any'] : [this.#attrs]
    const msMax = CONNECT_MS_MAX / (rounds.length * this.#servers.length)
    for (const attrs of rounds) {
      for (const server of this.#inTurn()) {
        try {
          const link = await PostgresLink.open(server, { application, msMax })
          if (link.fits(attrs)) return this.#arrive(link)
          link.close()
          refusal ??= new ConnectionFault(`${server.name} is not ${WANTED[attrs]}.`, { code: '25006' })
          faults.push(`${server.name} is not ${WANTED[attrs]}`)
        } catch (error) {
          refusal = error
          faults.push(`${server.name}: ${(error as Error).message || (error as { code?: string }).code}`)
        }
        if (this.#servers[this.#first] === server) this.#first = (this.#first + 1) % this.#servers.length
      }
    }
    if (faults.length === 1) throw refusal
    const code = refusal instanceof ConnectionFault && refusal.code === '25006' ? '25006' : '08001'
    throw new ConnectionFault(`none of its servers can be used (${faults.join('; ')})`, { code, cause: refusal })
  }

  #inTurn(): Server[] {
    return [...this.#servers.slice(this.#first), ...this.#servers.slice(0, this.#first)]
  }

  #arrive(link: PostgresLink): PostgresLink {
    const { server } = link
    this.#first = this.#servers.indexOf(server)
    link.onReadOnly = () => this.#leave(server)
    const before = this.#current
    this.#current = server
    if (before !== undefined && before !== server) {
      this.#log?.warn({ server: server.name, before: before.name }, 'The database is on another server now.')
      for (const other of this.#servers) if (other !== server) this.#leave(other)
    }
    return link
  }

  /** Its connections are not used again. */
  #leave(server: Server): void {
    for (const link of [...this.#links, ...this.#aside]) if (link.server === server) link.isSpent = true
    this.#closeIdle((link) => link.isSpent)
    for (const link of this.#aside) if (link.server === server) link.close()
  }

  #closeIdle(which: (link: PostgresLink, sinceMs: number) => boolean): void {
    const closed = this.#idle.filter(({ link, sinceMs }) => which(link, sinceMs))
    for (const idle of closed) {
      this.#idle.splice(this.#idle.indexOf(idle), 1)
      this.#links.delete(idle.link)
      idle.link.close()
    }
  }

  /** A network that is parted, or a server that is stopped, closes no connection: only silence tells. */
  #watch(): void {
    const nowMs = performance.now()
    const silent = new Set<Server>()
    for (const link of this.#links) {
      const waitedMs = nowMs - (link.askedMs ?? nowMs)
      if (waitedMs > SILENT_MS) silent.add(link.server)
      if (waitedMs > ANSWER_MS_MAX && !link.isUnlimited) {
        link.destroy(new ConnectionFault(`${link.server.name} did not answer within ${ANSWER_MS_MAX} ms`))
      }
    }
    for (const server of silent) if (nowMs >= (this.#askAfterMs.get(server) ?? 0)) void this.#probe(server)
    this.#closeIdle((_, sinceMs) => nowMs - sinceMs > IDLE_MS_MAX)
  }

  async #probe(server: Server): Promise<void> {
    this.#askAfterMs.set(server, Number.POSITIVE_INFINITY)
    const askedMs = performance.now()
    const answers = await PostgresLink.answers(server, { application: 'kith probe', msMax: PROBE_MS_MAX })
    this.#askAfterMs.set(server, performance.now() + SILENT_MS)
    // A busy machine may have been slow to take another connection.
    if (answers || server.answeredMs > askedMs) return
    this.#log?.warn({ server: server.name }, 'The database server does not answer; its connections are given up.')
    const fault = new ConnectionFault(`${server.name} does not answer`)
    for (const link of [...this.#links, ...this.#aside]) if (link.server === server) link.destroy(fault)
  }
}

const WANTED: Record<SessionAttrs, string> = {
  any: 'there',
  primary: 'a primary',
  standby: 'a standby',
  'prefer-standby': 'there',
  'read-only': 'read only',
  'read-write': 'open for writing',
}
