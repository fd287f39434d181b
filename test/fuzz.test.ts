/** Generated requests: the contract's shape always, and the same answers from both engines. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { STATUS } from '../server/src/http/errors.ts'
import { engines } from './support/databases.ts'
import { type GeneratedRequest, generateRequests } from './support/generated-requests.ts'
import type { Answer, Sent } from './support/http-client.ts'
import { Kith } from './support/kith.ts'
import type { Org } from './support/org.ts'

const COUNT = Number(process.env.KITH_TEST_FUZZ_REQUESTS ?? 3_000)
const SEED = Number(process.env.KITH_TEST_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Each lane is an org of its own, so that its requests have one order while lanes go side by side. */
const LANES = 6

const kiths = engines.map((engine) => new Kith(engine))
before(() => Promise.all(kiths.map((kith) => kith.open())))
after(() => Promise.all(kiths.map((kith) => kith.close())))

test(`${COUNT} generated requests: no answer is 500 or above, or of another shape than the contract; both engines answer alike`, async () => {
  console.log(`KITH_TEST_FUZZ_SEED=${SEED} makes these requests again.`)
  const requests = generateRequests(COUNT, SEED)
  const lanes = Array.from({ length: LANES }, (_, lane) => requests.filter((_, at) => at % LANES === lane))
  await Promise.all(
    lanes.map(async (lane) => {
      const seats = await Promise.all(kiths.map(async (kith) => new Seat(await kith.org())))
      for (const request of lane) {
        const [one, other] = await Promise.all(seats.map((seat) => seat.send(request)))
        assert.deepEqual(one, other, `the engines differ on ${describe(request)}`)
      }
    }),
  )
  for (const kith of kiths) {
    assert.ok(kith.isAlive)
    assert.ok(!/"level":"(error|fatal)"/.test(kith.log), kith.log)
  }
})

/** One org on one engine: remembers what was made, and checks each answer. */
class Seat {
  readonly #org: Org
  readonly #made: Record<string, string[]> = { contact: [], task: [] }
  readonly #names = new Map<string, string>()

  constructor(org: Org) {
    this.#org = org
  }

  /** @returns the answer with ids and times replaced by what is the same on every engine */
  async send(request: GeneratedRequest): Promise<unknown> {
    const path = this.#filled(request.path)
    const body = typeof request.body === 'string' ? this.#filled(request.body) : request.body
    const answer = await this.#org.api.send(request.method, path, body, request.headers)
    assertShape(answer, request)
    if (answer.status === 201 && !answer.headers['idempotent-replayed']) this.#keep(path, answer.body.id)
    if (answer.status < 300) assertTextsUnchanged(body, answer, request)
    const {
      date,
      'x-request-id': id,
      'ratelimit-remaining': left,
      'ratelimit-reset': reset,
      ...headers
    } = answer.headers
    return { status: answer.status, headers: this.#neutral(JSON.stringify(headers)), text: this.#neutral(answer.text) }
  }

  #filled(text: string): string {
    return text.replaceAll(/\{(contact|task)\}/g, (whole, kind) => this.#made[kind]!.at(-1) ?? whole)
  }

  #keep(path: string, id: string): void {
    this.#made[path.startsWith('/tasks') ? 'task' : 'contact']!.push(id)
  }

  #neutral(text: string): string {
    return text
      .replaceAll(/"(created_at|updated_at|completed_at)":"[^"]+"/g, '"$1":"(time)"')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
        if (!this.#names.has(id)) this.#names.set(id, `(id ${this.#names.size})`)
        return this.#names.get(id)!
      })
  }
}

const CODES_BY_STATUS = Map.groupBy(Object.entries(STATUS), ([, status]) => status)

function assertShape({ status, headers, body, text }: Answer, request: GeneratedRequest): void {
  const about = `${describe(request)} was answered ${status} ${text}`
  assert.ok(status < 500, about)
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, about)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8', about)
  if (request.method === 'HEAD') {
    assert.equal(text, '')
    return
  }
  if (status === 200 || status === 201) {
    assert.equal(typeof body, 'object', about)
    return
  }
  const codes = CODES_BY_STATUS.get(status as 400)?.map(([code]) => code) ?? []
  if (status === 414 || status === 431) codes.push('bad_request')
  assert.ok(codes.includes(body.error), about)
  assert.deepEqual(Object.keys(body), ['error', 'message', ...(status === 422 ? ['details'] : [])], about)
  assert.equal(typeof body.message, 'string')
  for (const detail of body.details ?? []) {
    assert.deepEqual(Object.keys(detail), ['path', 'code', 'message'], about)
    for (const value of Object.values(detail)) assert.ok(typeof value === 'string' && value.isWellFormed(), about)
  }
  if (status === 422) assert.ok(body.details.length > 0 && body.details.length <= 100, about)
}

/** What was taken comes back as it was sent, beyond trimming. */
function assertTextsUnchanged(body: Sent, answer: Answer, request: GeneratedRequest): void {
  if (typeof body !== 'string' || body === '' || request.method === 'GET' || request.method === 'DELETE') return
  if (request.method === 'HEAD') return
  for (const [field, value] of Object.entries(JSON.parse(body))) {
    if (field === 'due_at') continue
    const shown = answer.body[field]
    if (typeof value === 'string') assert.equal(shown, value.trim() || null, describe(request))
    if (typeof value === 'number') assert.equal(shown, value === 0 ? 0 : value, describe(request))
    if (Array.isArray(value)) {
      const texts = value.map((text) => text.trim()).filter((text) => text !== '')
      assert.deepEqual(shown, [...new Set(texts)], describe(request))
    }
  }
}

function describe({ method, path, body, headers }: GeneratedRequest): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${typeof body === 'string' ? JSON.stringify(body.slice(0, 500)) : body}`
}
