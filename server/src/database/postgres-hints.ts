/**
 * Hints from process to process over LISTEN and NOTIFY, on a connection of its own. They are sent after the commit
 * and gathered for a moment: NOTIFY inside a transaction makes PostgreSQL's commits wait for each other.
 */
import type { PostgresLink } from './postgres-link.ts'
import type { PostgresPool } from './postgres-pool.ts'

const CHANNEL = 'kith_hint'
const GATHER_MS = 20
const RECONNECT_MS = 1_000
/** A notification takes less than 8,000 bytes, and a topic at most some 90. */
const TOPICS_MAX = 80

export class PostgresHints {
  readonly #pool: PostgresPool
  #listener: ((topics: string[]) => void) | undefined
  #link: PostgresLink | undefined
  #pending = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #reconnect: NodeJS.Timeout | undefined
  #connecting: Promise<void> | undefined
  #isClosed = false

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  /** Connects, and connects again whenever the connection breaks. @returns what ends the listening */
  listen(listener: (topics: string[]) => void): () => void {
    this.#listener = listener
    this.#connecting = this.#connect()
    return () => {
      this.#listener = undefined
    }
  }

  tell(topics: Iterable<string>): void {
    for (const topic of topics) this.#pending.add(topic)
    if (this.#pending.size > 0) this.#timer ??= setTimeout(() => this.#send(), GATHER_MS)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#reconnect)
    await this.#connecting
    this.#link?.close()
  }

  #send(): void {
    this.#timer = undefined
    const topics = [...this.#pending]
    this.#pending = new Set()
    for (let at = 0; at < topics.length; at += TOPICS_MAX) {
      const payload = JSON.stringify(topics.slice(at, at + TOPICS_MAX))
      this.#link?.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(() => {})
    }
  }

  async #connect(): Promise<void> {
    try {
      const link = await this.#pool.dedicated('kith hints')
      // Behind a pooler nobody would be told: what is new is then found by looking for it.
      if (link.server.isPooled || this.#isClosed) return link.close()
      void link.ended.then(() => {
        this.#link = undefined
        this.#connectSoon()
      })
      link.onNotification((payload) => this.#listener?.(JSON.parse(payload || '[]')))
      await link.query(`listen ${CHANNEL}`).catch(() => link.close())
      this.#link = link
    } catch {
      this.#connectSoon()
    }
  }

  #connectSoon(): void {
    if (this.#isClosed) return
    this.#reconnect = setTimeout(() => {
      this.#connecting = this.#connect()
    }, RECONNECT_MS)
  }
}
