import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { setClock } from '../clock.ts'
import { createContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { deleteSubscription, listSubscriptions, pauseSubscription } from './actions.ts'
import { listDeliveries } from './delivery-actions.ts'
import { retentionStep } from './retention.ts'
import { inReverse, makeOrg, runDispatcher, startReceiver, until } from './test-deliveries.ts'

const DAY_MS = 24 * 3_600_000

for (const engine of engines) {
  test(`${engine.name}: finished deliveries are kept for their days, and then erased with attempts and events`, async (t) => {
    const live = inReverse(t)
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    const receiver = await startReceiver(live)
    await subscribe(receiver.url)
    const { id: pausedId } = await subscribe('https://example.com/', ['contact.created'])
    await db.write((tx) => createContact(tx, actor, { full_name: 'kept by a due delivery' }))
    await db.write((tx) => pauseSubscription(tx, actor, pausedId))
    for (const name of ['b', 'c']) await db.write((tx) => createContact(tx, actor, { full_name: name }))
    const dispatcher = runDispatcher(live, db)
    await until(() => dispatcher.stats().delivered === 3)
    await dispatcher.stop(1_000)
    const made = Date.now()
    let at = made + 30 * DAY_MS - 60_000
    t.after(setClock(() => at))
    const step = retentionStep(db, { deliveryDays: 30 })
    await workOff(step)
    assert.deepEqual(await counts(db), { deliveries: 4, attempts: 3, events: 3 })
    at = made + 30 * DAY_MS + 60_000
    await workOff(step)
    assert.deepEqual(await counts(db), { deliveries: 1, attempts: 0, events: 1 })
    const [left] = await listDeliveries(db.read, orgId, { limit: 9 })
    assert.deepEqual([left!.status, left!.subscription_id], ['pending', pausedId])
    assert.ok((await hours(db, orgId)).length > 0)
    at = made + 30 * DAY_MS + 2 * 3_600_000
    await workOff(step)
    assert.deepEqual(await hours(db, orgId), [])
  })

  test(`${engine.name}: an old event that never had a delivery is erased, among many that have`, async (t) => {
    const { db } = await engine.open(t)
    const { actor, subscribe } = await makeOrg(db)
    await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
    await subscribe('https://example.com/')
    await db.write(async (tx) => {
      for (let i = 0; i < 450; i++) await createContact(tx, actor, { full_name: `${i}` })
    })
    await db.write((tx) => tx.withoutPlugins().deleteFrom('delivery').where('seq', '>', 440).execute())
    assert.deepEqual(await counts(db), { deliveries: 440, attempts: 0, events: 451 })
    const at = Date.now() + 31 * DAY_MS
    t.after(setClock(() => at))
    await workOff(retentionStep(db, { deliveryDays: 30 }))
    assert.deepEqual(await counts(db), { deliveries: 440, attempts: 0, events: 440 })
  })

  test(`${engine.name}: a deleted subscription's rows are erased, and nobody else's`, async (t) => {
    const live = inReverse(t)
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    const receiver = await startReceiver(live)
    const { id } = await subscribe(receiver.url)
    const dispatcher = runDispatcher(live, db)
    await db.write(async (tx) => {
      for (let i = 0; i < 250; i++) await createContact(tx, actor, { full_name: `${i}` })
    })
    await until(() => dispatcher.stats().delivered === 250)
    const { id: otherId } = await subscribe('https://example.com/')
    await db.write((tx) => pauseSubscription(tx, actor, otherId))
    await db.write((tx) => deleteSubscription(tx, actor, id))
    await workOff(retentionStep(db, { deliveryDays: 30 }))
    assert.deepEqual(await counts(db), { deliveries: 0, attempts: 0, events: 0 })
    assert.deepEqual(
      (await db.read.withoutPlugins().selectFrom('subscription').select('id').execute()).map((row) => row.id),
      [otherId],
    )
    assert.equal((await listSubscriptions(db.read, orgId)).length, 1)
  })
}

async function workOff(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0) {}
}

async function counts(db: Database) {
  const [deliveries, attempts, events] = await Promise.all([
    db.read.withoutPlugins().selectFrom('delivery').select('id').execute(),
    db.read.withoutPlugins().selectFrom('delivery_attempt').select('delivery_id').execute(),
    db.read.withoutPlugins().selectFrom('event').select('id').execute(),
  ])
  return { deliveries: deliveries.length, attempts: attempts.length, events: events.length }
}

function hours(db: Database, orgId: string) {
  return db.read.selectFrom('delivery_hour').select('hour').where('org_id', '=', orgId).execute()
}
