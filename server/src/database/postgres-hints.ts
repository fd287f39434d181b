/**
 * Hints from process to process over LISTEN and NOTIFY, on a connection of its own. They are sent after the commit
 * and gathered for a moment: NOTIFY inside a transaction makes PostgreSQL's commits wait for each other.
 */
import pg from 'pg'

const CHANNEL = 'kith_hint'
const GATHER_MS = 20
const RECONNECT_MS = 1_000
/** A notification takes less than 8,000 bytes, and a topic at most some 90. */
const TOPICS_MAX = 80

export class PostgresHints {
  readonly #url: string
  #listener: ((topics: string[]) => void) | undefined
  #client: pg.Client | undefined
  #pending = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #reconnect: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(url: string) {
    this.#url = url
  }

  /** Connects, and connects again whenever the connection breaks. @returns what ends the listening */
  listen(listener: (topics: string[]) => void): () => void {
    this.#listener = listener
    void this.#connect()
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
    await this.#client?.end().catch(() => {})
  }

  #send(): void {
    this.#timer = undefined
    const topics = [...this.#pending]
    this.#pending = new Set()
    for (let at = 0; at < topics.length; at += TOPICS_MAX) {
      const payload = JSON.stringify(topics.slice(at, at + TOPICS_MAX))
      this.#client?.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(() => {})
    }
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true, application_name: 'kith hints' })
    const again = () => {
      if (this.#client !== client && this.#client !== undefined) return
      this.#client = undefined
      // A connection that fails tells so twice, as an error and as its end.
      clearTimeout(this.#reconnect)
      if (!this.#isClosed) this.#reconnect = setTimeout(() => void this.#connect(), RECONNECT_MS)
    }
    client.on('error', () => {})
    client.on('end', again)
    client.on('notification', ({ processId, payload }) => {
      if (processId !== (client as { processID?: number }).processID) this.#listener?.(JSON.parse(payload ?? '[]'))
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (this.#isClosed) await client.end()
      else this.#client = client
    } catch {
      await client.end().catch(() => {})
      again()
    }
  }
}
