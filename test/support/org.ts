/** One org of a test: its client, and what the database holds of it. */
import assert from 'node:assert/strict'
import type { Actor } from '../../server/src/actor.ts'
import { EVENT_NAMES, type EventName } from '../../server/src/events/names.ts'
import { createToken } from '../../server/src/tokens/actions.ts'
import { SCOPES, type Scope } from '../../server/src/tokens/schema.ts'
import { createSubscription, type NewSubscription } from '../../server/src/webhooks/actions.ts'
import type { Answer, Client } from './http-client.ts'
import type { Kith } from './kith.ts'
import { until } from './until.ts'

export interface Token {
  id: string
  token: string
  prefix: string
  /** A client that sends it; paths are those under `/api/v1`. */
  api: Client
}

/** A contact or a task, as a test names its fields. */
export type Fields = Record<string, unknown>

const KEPT = ['contact', 'task', 'activity', 'event', 'delivery', 'delivery_attempt', 'idempotency', 'stage'] as const

export class Org {
  readonly id: string
  readonly actor: Actor
  readonly #kith: Kith
  #own: Token | undefined

  constructor(kith: Kith, id: string, actor: Actor) {
    this.#kith = kith
    this.id = id
    this.actor = actor
  }

  async withOwnToken(): Promise<this> {
    this.#own = await this.token()
    return this
  }

  /** With both scopes. */
  get api(): Client {
    return this.#own!.api
  }

  get ownToken(): Token {
    return this.#own!
  }

  async token(scopes: readonly Scope[] = SCOPES): Promise<Token> {
    const made = await this.#kith.db.write((tx) => createToken(tx, this.actor, { name: 'Test', scopes: [...scopes] }))
    return { ...made, api: underApi(this.#kith.client.with({ authorization: `Bearer ${made.token}` })) }
  }

  async subscribe(url: string, events: readonly EventName[] = EVENT_NAMES): Promise<NewSubscription> {
    const parts = await this.#kith.webhookParts()
    return this.#kith.db.write((tx) => createSubscription(tx, this.actor, { url, events }, parts))
  }

  /** Adds a contact through the API. @returns it whole */
  async addContact(fields: Fields = {}): Promise<Fields & { id: string }> {
    return created(await this.api.post('/contacts', { full_name: 'Ada', ...fields }))
  }

  /** Adds a task through the API. @returns it whole */
  async addTask(fields: Fields = {}): Promise<Fields & { id: string }> {
    return created(await this.api.post('/tasks', { title: 'Call Ada', ...fields }))
  }

  /** The events that were emitted, in their order; their bodies are `{event, ts, payload}`. */
  async events() {
    const rows = await this.#kith.db.read
      .selectFrom('event')
      .selectAll()
      .where('org_id', '=', this.id)
      .orderBy('seq')
      .execute()
    return rows.map((row) => ({ ...row, body: JSON.parse(Buffer.from(row.body).toString()) }))
  }

  async eventNames(): Promise<string[]> {
    return (await this.events()).map(({ name }) => name)
  }

  deliveries() {
    return this.#kith.db.read.selectFrom('delivery').selectAll().where('org_id', '=', this.id).orderBy('seq').execute()
  }

  /** Every row of the org that a request could change. */
  async rows(): Promise<Record<string, unknown[]>> {
    const { read } = this.#kith.db
    const rows = KEPT.map(async (table) => {
      const found = await read.selectFrom(table).selectAll().where('org_id', '=', this.id).execute()
      return [table, found.map((row) => JSON.stringify(row)).sort()] as const
    })
    return Object.fromEntries(await Promise.all(rows))
  }

  /** Waits until nothing is due any more, so that no row changes by itself. */
  async settled(): Promise<void> {
    const { read } = this.#kith.db
    await until('all deliveries have ended', async () => {
      const states = await read.selectFrom('delivery').select('state').where('org_id', '=', this.id).execute()
      return states.every(({ state }) => state === 'delivered' || state === 'failed')
    })
  }

  /**
   * Checks that a call is refused with this status and code, and that nothing of the org has changed.
   *
   * @returns the answer
   */
  async refuses([status, code]: [status: number, code: string], call: () => Promise<Answer>): Promise<Answer> {
    const before = await this.rows()
    const answer = await call()
    assert.deepEqual([answer.status, answer.body?.error], [status, code], answer.text)
    assert.deepEqual(await this.rows(), before)
    return answer
  }

  /** As `refuses`, for 422: checks paths and codes of all faults too. */
  async finds(faults: [path: string, code: string][], call: () => Promise<Answer>): Promise<void> {
    const { body } = await this.refuses([422, 'validation'], call)
    assert.deepEqual(
      body.details.map(({ path, code }: { path: string; code: string }) => [path, code]),
      faults,
    )
  }
}

function created(answer: Answer) {
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** A client; paths are those under `/api/v1`. */
export function underApi(client: Client): Client {
  const at = (path: string) => `/api/v1${path}`
  return {
    send: (method, path, body, headers) => client.send(method, at(path), body, headers),
    get: (path, headers) => client.get(at(path), headers),
    head: (path, headers) => client.head(at(path), headers),
    post: (path, body, headers) => client.post(at(path), body, headers),
    patch: (path, body, headers) => client.patch(at(path), body, headers),
    delete: (path, headers) => client.delete(at(path), headers),
    with: (headers) => underApi(client.with(headers)),
  }
}
