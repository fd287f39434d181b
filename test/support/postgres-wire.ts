/** The way to a PostgreSQL server: it can be cut, closed or fall silent, at any message that a client sends. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What is needed of node:test's context. */
interface Test {
  after(hook: () => void | Promise<void>): void
}

/**
 * What becomes of a statement: it goes on its way, or the connection is cut before it has reached the server, or after
 * the server has done it and before the client hears of that.
 */
export type Fate = 'pass' | 'cut before' | 'cut after'

const TYPE_QUERY = 'Q'
const TYPE_PARSE = 'P'
const TYPE_BIND = 'B'

export class PostgresWire {
  /** Asked about each statement, in the order in which they are sent; connections are told apart by a number. */
  fateOf: (sql: string, connection: number) => Fate = () => 'pass'
  readonly port: number
  readonly #target: URL
  readonly #server: Server
  readonly #pairs = new Set<[client: Socket, server: Socket]>()
  #isSilent = false
  #connections = 0

  /** @param url of the server that it leads to */
  static async open(t: Test, url: string): Promise<PostgresWire> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const wire = new PostgresWire(new URL(url), server)
    t.after(() => {
      server.close()
      wire.cut()
    })
    return wire
  }

  private constructor(target: URL, server: Server) {
    this.#target = target
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (client) => this.#connect(client))
  }

  /** The server's address, by this way. */
  get url(): string {
    const url = new URL(this.#target)
    url.host = `127.0.0.1:${this.port}`
    return url.href
  }

  get connections(): number {
    return this.#pairs.size
  }

  /** Cuts all connections. */
  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
  }

  /** Lets nothing through any more, either way; new connections are taken, and hear nothing. */
  silence(): void {
    this.#isSilent = true
    for (const pair of this.#pairs) for (const socket of pair) socket.pause()
  }

  /** Lets through what has been waiting, and all that follows. */
  speak(): void {
    this.#isSilent = false
    for (const pair of this.#pairs) for (const socket of pair) socket.resume()
  }

  /** Cuts all connections and refuses new ones. */
  async close(): Promise<void> {
    const closed = once(this.#server.close(), 'close')
    this.cut()
    await closed
  }

  async reopen(): Promise<void> {
    await once(this.#server.listen(this.port, '127.0.0.1'), 'listening')
  }

  #connect(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    const pair: [Socket, Socket] = [client, server]
    this.#pairs.add(pair)
    const end = () => {
      this.#pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of pair) {
      socket
        .setNoDelay(true)
        .on('error', () => {})
        .on('close', end)
      if (this.#isSilent) socket.pause()
    }
    const number = ++this.#connections
    let isCutAfter = false
    const messages = new Messages()
    client.on('data', (bytes: Buffer) => {
      for (const { sql, whole } of messages.take(bytes)) {
        const fate = sql === undefined ? 'pass' : this.fateOf(sql, number)
        if (fate === 'cut before') return end()
        isCutAfter ||= fate === 'cut after'
        server.write(whole)
      }
    })
    server.on('data', (bytes: Buffer) => {
      if (isCutAfter) end()
      else client.write(bytes)
    })
  }
}

interface Message {
  /** Of a statement. */
  sql?: string
  whole: Buffer
}

/** Takes what a client sends apart; the first message, which asks for a session, has no type. */
class Messages {
  /** The statements that are parsed, by name: one is run as often as it is bound. */
  readonly #parsed = new Map<string, string>()
  #waiting = Buffer.alloc(0)
  #hasBegun = false

  take(bytes: Buffer): Message[] {
    this.#waiting = Buffer.concat([this.#waiting, bytes])
    const messages: Message[] = []
    for (;;) {
      const typeBytes = this.#hasBegun ? 1 : 0
      if (this.#waiting.length < typeBytes + 4) return messages
      const length = typeBytes + this.#waiting.readInt32BE(typeBytes)
      if (this.#waiting.length < length) return messages
      const whole = this.#waiting.subarray(0, length)
      this.#waiting = this.#waiting.subarray(length)
      messages.push({ whole, sql: this.#hasBegun ? this.#sqlOf(whole) : undefined })
      this.#hasBegun = true
    }
  }

  /** Of a message that runs a statement. */
  #sqlOf(message: Buffer): string | undefined {
    const type = String.fromCharCode(message[0]!)
    const [first, second] = textsOf(message)
    if (type === TYPE_QUERY) return first
    if (type === TYPE_BIND) return this.#parsed.get(second!)
    if (type === TYPE_PARSE) this.#parsed.set(first!, second!)
    return undefined
  }
}

/** The two texts that a message begins with; of a query there is one. */
function textsOf(message: Buffer): string[] {
  const end = message.indexOf(0, 5)
  return [message.toString('utf8', 5, end), message.toString('utf8', end + 1, message.indexOf(0, end + 1))]
}
