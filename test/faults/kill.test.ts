import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kith, withKith } from '../support/kith.ts'
import type { Org } from '../support/org.ts'
import { seededRandom } from '../support/random.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const ROUNDS = Number(process.env.KITH_TEST_KILL_ROUNDS ?? 10)
const WRITERS = 16
const READY_MS_MAX = 2_000

/** What the writers know of their calls: what was answered, and what was sent but never answered. */
interface Ledger {
  acknowledged: Map<string, { id: string; phone: string | null }>
  unknown: Set<string>
}

withKith((kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test(`after ${ROUNDS} SIGKILLs under ${WRITERS} writers every acknowledged write is there exactly once, each event has its deliveries, and all arrive`, async () => {
    const org = await kith.org()
    const hook = receiver.hook({ delayMs: 5 })
    await org.subscribe(hook.url, ['contact.created', 'contact.updated'])
    const ledger: Ledger = { acknowledged: new Map(), unknown: new Set() }
    const random = seededRandom(ROUNDS)
    const startsMs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(org, ledger, `${round}-${writer}`))
      const size = ledger.acknowledged.size
      await until('writers are at work', () => ledger.acknowledged.size > size + WRITERS)
      await delay(random.whole(200))
      await kith.kill()
      await Promise.all(writers)
      startsMs.push(await kith.start())
    }
    // A machine that runs tests is busy: the start that it hindered least is asked.
    assert.ok(Math.min(...startsMs) <= READY_MS_MAX, `ready after ${startsMs.join(', ')} ms`)
    await assertContacts(kith, org, ledger)
    await assertDeliveries(org, hook.received)
    if (kith.engine === 'sqlite') assertSound(kith.folder)
  })
})

/** Adds contacts and changes each, until the server is gone. */
async function write(org: Org, { acknowledged, unknown }: Ledger, writer: string): Promise<void> {
  for (let at = 0; ; at++) {
    const full_name = `${writer}-${at}`
    unknown.add(full_name)
    const made = await org.api.post('/contacts', { full_name }).catch(() => undefined)
    if (made?.status !== 201) return
    acknowledged.set(full_name, { id: made.body.id, phone: null })
    const changed = await org.api.patch(`/contacts/${made.body.id}`, { phone: full_name }).catch(() => undefined)
    if (changed?.status !== 200) return
    acknowledged.set(full_name, { id: made.body.id, phone: full_name })
    unknown.delete(full_name)
  }
}

async function assertContacts(kith: Kith, org: Org, { acknowledged, unknown }: Ledger): Promise<void> {
  const rows = await kith.db.read
    .selectFrom('contact')
    .select(['id', 'full_name', 'phone'])
    .where('org_id', '=', org.id)
    .execute()
  const byName = Map.groupBy(rows, ({ full_name }) => full_name!)
  for (const [name, { id, phone }] of acknowledged) {
    const found = byName.get(name)
    assert.deepEqual([found?.length, found?.[0]?.id], [1, id], name)
    if (phone !== null) assert.equal(found![0]!.phone, phone)
  }
  for (const name of byName.keys()) assert.ok(acknowledged.has(name) || unknown.has(name), `${name} was never sent`)
  assert.equal((await org.api.get('/contacts')).body.meta.count, rows.length)
}

async function assertDeliveries(org: Org, received: Received[]): Promise<void> {
  const events = await org.events()
  const contacts = new Set(events.map(({ contact_id }) => contact_id))
  const created = events.filter(({ name }) => name === 'contact.created')
  assert.equal(created.length, contacts.size)
  const deliveries = await org.deliveries()
  assert.deepEqual(deliveries.map(({ event_id }) => event_id).sort(), events.map(({ id }) => id).sort())
  await until(
    'all deliveries have ended',
    async () => (await org.deliveries()).every(({ state }) => state === 'delivered'),
    60_000,
  )
  const byDelivery = Map.groupBy(received, ({ headers }) => String(headers['x-service-delivery']))
  assert.deepEqual([...byDelivery.keys()].sort(), deliveries.map(({ id }) => id).sort())
  for (const same of byDelivery.values()) {
    assert.equal(new Set(same.map(({ body }) => body.toString())).size, 1)
  }
  const firsts = [...byDelivery.values()].map(([first]) => first!)
  for (const about of Map.groupBy(firsts, ({ json }) => json.payload.contact.id).values()) {
    const times = about.map(({ json }) => json.ts)
    assert.deepEqual(times, times.toSorted())
  }
}

function assertSound(folder: string): void {
  const db = new DatabaseSync(join(folder, 'kith.db'), { readOnly: true })
  assert.deepEqual({ ...db.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  assert.deepEqual(db.prepare('pragma foreign_key_check').all(), [])
  db.close()
}
