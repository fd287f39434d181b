/** Random operations by two orgs, compared with a model in memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKith } from './support/kith.ts'
import type { Fields, Org } from './support/org.ts'
import { seededRandom } from './support/random.ts'

const OPERATIONS = Number(process.env.KITH_TEST_MODEL_OPERATIONS ?? 400)
const SEED = Number(process.env.KITH_TEST_MODEL_SEED ?? 20_260_514)
const LOOK_EVERY = 8

const NAMES = ['Ada', 'ADAM', 'Zoë', 'zoe', 'Émile', 'Al%', 'a_b', 'O\\o', 'Ng', '李', 'Ada Lovelace-King', null]
const STAGES = ['lead', 'won', 'lost', null]
const VALUES = [null, 0, -1, 5, 5, 1e15, 0.1]
const LABELS = ['hot', 'cold', null]
const STATUSES = ['open', 'done', 'completed', 'cancelled']
const DUE = [
  null,
  '2026-05-14T09:30:00.000Z',
  '2026-05-14T09:30:00.001Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
]
const SEARCHES = ['ada', 'E', 'zoë', 'ém', '%', '_', '\\', 'lovelace-k', '李', 'nobody']

type Row = Record<string, never> & { id: string }

withKith((kith) => {
  test(`${OPERATIONS} random operations by two orgs (seed ${SEED}): lists, counts, search and orders are the model's`, async () => {
    const random = seededRandom(SEED)
    const seats = [new Seat(await kith.org(), random), new Seat(await kith.org(), random)]
    for (let done = 0; done < OPERATIONS; done++) {
      await random.of(seats).operate()
      if (done % LOOK_EVERY === 0) await random.of(seats).look()
    }
    for (const seat of seats) await seat.look()
  })
})

class Seat {
  readonly #org: Org
  readonly #random: ReturnType<typeof seededRandom>
  readonly #contacts = new Map<string, Row>()
  readonly #tasks = new Map<string, Row>()

  constructor(org: Org, random: ReturnType<typeof seededRandom>) {
    this.#org = org
    this.#random = random
  }

  async operate(): Promise<void> {
    const { of, chance } = this.#random
    const contact = of([...this.#contacts.keys()])
    const task = of([...this.#tasks.keys()])
    if (!contact || chance(0.3)) return this.#keep(this.#contacts, await this.#org.addContact(this.#contact()))
    if (!task || chance(0.25)) return this.#keep(this.#tasks, await this.#org.addTask(this.#task(contact)))
    if (chance(0.45)) return this.#change(this.#contacts, `/contacts/${contact}`, this.#contact())
    if (chance(0.7))
      return this.#change(this.#tasks, `/tasks/${task}`, { ...this.#task(contact), status: of(STATUSES) })
    assert.equal((await this.#org.api.delete(`/contacts/${contact}`)).status, 200)
    this.#contacts.delete(contact)
    for (const row of this.#tasks.values()) if (row.contact_id === contact) Object.assign(row, { contact_id: null })
  }

  /** Compares a page of each list, chosen at random, and one whole record. */
  async look(): Promise<void> {
    const { of, whole } = this.#random
    const [stage, label, q] = [of([...STAGES, 'none']), of(LABELS), of([...SEARCHES, null])]
    const contacts = [...this.#contacts.values()].filter(
      (row) => (!stage || row.deal_stage === stage) && (!label || row.label === label) && (!q || isFound(row, q)),
    )
    const shown = ['id', 'full_name', 'company', 'deal_stage', 'deal_value', 'label']
    await this.#compare('/contacts', { stage, label, q }, contacts.sort(by('id')).reverse(), shown)
    const deals = [...this.#contacts.values()].filter((row) => row.deal_stage !== null)
    const value = (row: Row) => row.deal_value ?? Number.NEGATIVE_INFINITY
    deals.sort((a, b) => (value(a) === value(b) ? by('id')(a, b) : value(a) > value(b) ? -1 : 1))
    await this.#compare('/deals', {}, deals, shown.slice(0, 5))
    const status = of([...STATUSES, null])
    const tasks = [...this.#tasks.values()].filter((row) => !status || row.status === status)
    const due = (row: Row) => row.due_at ?? '~'
    tasks.sort((a, b) => (due(a) === due(b) ? by('id')(a, b) : due(a) < due(b) ? -1 : 1))
    await this.#compare('/tasks', { status }, tasks, undefined)
    const some = [...this.#contacts.values()][whole(this.#contacts.size)]
    if (some) assert.deepEqual((await this.#org.api.get(`/contacts/${some.id}`)).body, some)
  }

  async #compare(
    path: string,
    filter: Record<string, string | null | undefined>,
    rows: Row[],
    fields?: string[],
  ): Promise<void> {
    const { whole } = this.#random
    const page = { limit: 1 + whole(12), offset: whole(rows.length + 2) }
    const given = Object.entries({ ...filter, ...page }).filter(([, value]) => value !== null && value !== undefined)
    const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)]))
    const { status, body } = await this.#org.api.get(`${path}?${query}`)
    assert.equal(status, 200)
    const expected = rows.slice(page.offset, page.offset + page.limit)
    const picked = fields
      ? expected.map((row) => Object.fromEntries(fields.map((field) => [field, row[field]])))
      : expected
    // A task moves when its contact is deleted, at a time that the model does not know.
    const known = fields
      ? body.data
      : body.data.map((task: Row) => ({ ...task, updated_at: this.#tasks.get(task.id)?.updated_at }))
    assert.deepEqual(
      { data: known, meta: body.meta },
      { data: picked, meta: { count: rows.length, ...page } },
      `${path}?${query}`,
    )
  }

  #keep(rows: Map<string, Row>, made: Fields & { id: string }): void {
    rows.set(made.id, made as Row)
  }

  async #change(rows: Map<string, Row>, path: string, patch: Fields): Promise<void> {
    const { status, body } = await this.#org.api.patch(path, patch)
    assert.equal(status, 200, JSON.stringify(body))
    const before = rows.get(body.id)!
    const { updated_at, completed_at, ...rest } = body
    assert.deepEqual(rest, { ...without(before, ['updated_at', 'completed_at']), ...patch })
    assert.ok(updated_at > before.updated_at!)
    rows.set(body.id, body)
  }

  #contact(): Fields {
    const { of } = this.#random
    const full_name = of(NAMES)
    const company = full_name === null ? 'Company' : of(NAMES)
    return { full_name, company, deal_stage: of(STAGES), deal_value: of(VALUES), label: of(LABELS), tags: [] }
  }

  #task(contact: string): Fields {
    const { of } = this.#random
    return {
      title: of(['Call', 'Write']),
      due_at: of(DUE),
      contact_id: of([contact, null]),
      priority: of(['high', null]),
    }
  }
}

function isFound({ full_name, company }: Row, q: string): boolean {
  return [full_name, company].some((text: string | null | undefined) => text && folded(text).includes(folded(q)))
}

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function by(field: string) {
  return (a: Row, b: Row) => (a[field]! < b[field]! ? -1 : a[field]! > b[field]! ? 1 : 0)
}

function without(row: Fields, fields: string[]): Fields {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)))
}
