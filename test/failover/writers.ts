/** Programs that create, change and delete contacts through the API of all nodes, and keep a ledger of it. */
import { setTimeout as delay } from 'node:timers/promises'
import type { KithNode } from './kith-node.ts'
import type { Ledger, Written } from './ledger.ts'

const WRITERS_PER_NODE = 8
/** Longer than a node may take to say that it cannot: what has no answer by then is counted as unanswered. */
const ANSWER_MS_MAX = 60_000
const REST_MS = 100
/** One contact in so many is deleted again. */
const DELETE_EVERY = 10

export interface WriterOptions {
  nodes: readonly KithNode[]
  token: string
  ledger: Ledger
}

interface Call {
  node: KithNode
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  key?: string
}

export class Writers {
  readonly #options: WriterOptions
  #round = 0
  #isStopped = true
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: WriterOptions) {
    this.#options = options
  }

  start(): void {
    const round = this.#round++
    this.#isStopped = false
    const { nodes } = this.#options
    this.#running = Promise.all(
      nodes.flatMap((node) =>
        Array.from({ length: WRITERS_PER_NODE }, (_, at) => this.#run(node, `${round}-${node.name}-${at}`)),
      ),
    )
  }

  /** Resolves when each has ended what it was at. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Contacts one after another: created, every second one under a key; changed twice; some deleted. */
  async #run(node: KithNode, writer: string): Promise<void> {
    for (let at = 0; !this.#isStopped; at++) {
      const name = `${writer}-${at}`
      const written = this.#options.ledger.begin(name, at % 2 === 0)
      await (written.hasKey ? this.#createUnderKey(node, name, written) : this.#create(node, name, written))
      if (written.id === undefined) await delay(REST_MS)
      else await this.#goOn(node, written, at)
    }
  }

  /** Asked once: without an answer it stays unknown. */
  async #create(node: KithNode, name: string, written: Written): Promise<void> {
    const made = await this.#call({ node, method: 'POST', path: '/contacts', body: { full_name: name } })
    if (made) written.id = made.id
  }

  /** Asked until it is answered, by each node in turn. */
  async #createUnderKey(first: KithNode, name: string, written: Written): Promise<void> {
    const { nodes } = this.#options
    for (let attempt = 0; written.id === undefined; attempt++) {
      if (attempt > 0) await delay(REST_MS)
      const node = nodes[(nodes.indexOf(first) + attempt) % nodes.length]!
      const made = await this.#call({ node, method: 'POST', path: '/contacts', body: { full_name: name }, key: name })
      if (made) written.id = made.id
    }
  }

  async #goOn(node: KithNode, written: Written, at: number): Promise<void> {
    const path = `/contacts/${written.id}`
    for (let change = 1; change <= 2; change++) {
      written.changesAsked = change
      if (await this.#call({ node, method: 'PATCH', path, body: { phone: String(change) } })) {
        written.changeAcknowledged = change
        written.changesAcknowledged++
      } else await delay(REST_MS)
    }
    if (at % DELETE_EVERY !== 0) return
    written.deletion = 'asked'
    if (await this.#call({ node, method: 'DELETE', path })) written.deletion = 'acknowledged'
  }

  /** @returns the body of the answer, or nothing when it may or may not have been done */
  async #call(call: Call): Promise<{ id: string } | undefined> {
    const { ledger } = this.#options
    const begun = performance.now()
    const answer = await this.#send(call).catch(() => undefined)
    ledger.answerMsMax = Math.max(ledger.answerMsMax, performance.now() - begun)
    if (!answer) {
      ledger.unanswered++
      return undefined
    }
    if (answer.status === (call.method === 'POST' ? 201 : 200)) {
      ledger.acknowledge(call.node.name)
      if (answer.headers.get('idempotent-replayed')) ledger.replayed++
      return answer.body
    }
    ledger.refused++
    if (answer.status !== 503 || !answer.headers.get('retry-after')) {
      ledger.wrongAnswers.push(`${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    return undefined
  }

  async #send({ node, method, path, body, key }: Call) {
    const answer = await fetch(`${node.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#options.token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    })
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as { id: string } }
  }
}
