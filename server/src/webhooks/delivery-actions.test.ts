import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { changeContact, createContact, deleteContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { createTask } from '../tasks/actions.ts'
import { listDeliveries, redeliver } from './delivery-actions.ts'
import { makeOrg } from './test-deliveries.ts'

const URL = 'https://example.com/hook'

for (const engine of engines) {
  test(`${engine.name}: the log lists deliveries newest first, by contact, by subscription, up to the limit`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    const first = await subscribe(URL)
    const second = await subscribe(URL, ['contact.created'])
    const ada = await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
    const bob = await db.write((tx) => createContact(tx, actor, { full_name: 'Bob' }))
    await db.write((tx) => changeContact(tx, actor, ada.id, { company: 'x' }))
    const list = async (filter: object) =>
      (await listDeliveries(db.read, orgId, { limit: 100, ...filter })).map(
        (d) => `${d.event} ${d.contact_id === ada.id ? 'ada' : 'bob'} ${d.subscription_id === first.id ? 1 : 2}`,
      )
    const all = [
      'contact.updated ada 1',
      'contact.created bob 2',
      'contact.created bob 1',
      'contact.created ada 2',
      'contact.created ada 1',
    ]
    assert.deepEqual(await list({}), all)
    assert.deepEqual(await list({ limit: 2 }), all.slice(0, 2))
    assert.deepEqual(await list({ contactId: bob.id }), all.slice(1, 3))
    assert.deepEqual(await list({ subscriptionId: second.id }), [all[1], all[3]])
    assert.deepEqual(await list({ subscriptionId: second.id, contactId: ada.id }), [all[3]])
    assert.deepEqual(await list({ contactId: newId() }), [])
    assert.deepEqual(await list({ contactId: 'x' }), [])
    const [newest] = await listDeliveries(db.read, orgId, { limit: 1 })
    const { id, created_at, ...rest } = newest!
    assert.match(id + created_at, /^[0-9a-f-]{36}\d{4}-.*Z$/)
    assert.deepEqual(rest, {
      subscription_id: first.id,
      contact_id: ada.id,
      event: 'contact.updated',
      status: 'pending',
      response_status: null,
      error: null,
      attempts: 0,
      duration_ms: null,
      finished_at: null,
    })
  })

  test(`${engine.name}: a delivery of a deleted contact or of another org is never listed, nor sent again`, async (t) => {
    const { db } = await engine.open(t)
    const ours = await makeOrg(db)
    const theirs = await makeOrg(db)
    await ours.subscribe(URL)
    const ada = await db.write((tx) => createContact(tx, ours.actor, { full_name: 'Ada' }))
    const [made] = await listDeliveries(db.read, ours.orgId, { limit: 9 })
    assert.deepEqual(await listDeliveries(db.read, theirs.orgId, { limit: 9 }), [])
    await assert.rejects(
      db.write((tx) => redeliver(tx, theirs.actor, made!.id)),
      isNotFound,
    )
    await db.write((tx) => deleteContact(tx, ours.actor, ada.id))
    assert.deepEqual(await listDeliveries(db.read, ours.orgId, { limit: 9 }), [])
    assert.deepEqual(await listDeliveries(db.read, ours.orgId, { contactId: ada.id, limit: 9 }), [])
    await assert.rejects(
      db.write((tx) => redeliver(tx, ours.actor, made!.id)),
      isNotFound,
    )
    for (const id of [newId(), 'x'])
      await assert.rejects(
        db.write((tx) => redeliver(tx, ours.actor, id)),
        isNotFound,
      )
    assert.deepEqual(await statesOf(db), ['ready', 'queued'], 'both are still due')
  })

  test(`${engine.name}: a pending delivery is not sent again`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    await subscribe(URL)
    const ada = await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
    await db.write((tx) => changeContact(tx, actor, ada.id, { company: 'x' }))
    for (const { id } of await listDeliveries(db.read, orgId, { limit: 9 })) {
      await assert.rejects(
        db.write((tx) => redeliver(tx, actor, id)),
        (error: ApiError) => error.code === 'validation' && error.details![0]!.code === 'not_allowed',
      )
    }
    assert.deepEqual(await statesOf(db), ['ready', 'queued'])
  })

  test(`${engine.name}: a finished delivery is due again, behind what of its contact is due already`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    await subscribe(URL)
    const ada = await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
    await finishAll(db)
    const [made] = await listDeliveries(db.read, orgId, { limit: 9 })
    await db.write((tx) => redeliver(tx, actor, made!.id))
    assert.deepEqual(await statesOf(db), ['ready'])
    await finishAll(db)
    await db.write((tx) => changeContact(tx, actor, ada.id, { company: 'x' }))
    await db.write((tx) => redeliver(tx, actor, made!.id))
    assert.deepEqual(await statesOf(db), ['queued', 'ready'])
    const again = (await listDeliveries(db.read, orgId, { limit: 9 })).find(({ id }) => id === made!.id)!
    assert.deepEqual([again.status, again.finished_at, again.attempts], ['pending', null, 1])
  })

  test(`${engine.name}: a delivery about a task without a contact is sent again too`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    await subscribe(URL)
    await db.write((tx) => createTask(tx, actor, { title: 'Call' }))
    await finishAll(db)
    const [made] = await listDeliveries(db.read, orgId, { limit: 9 })
    await db.write((tx) => redeliver(tx, actor, made!.id))
    assert.deepEqual(await statesOf(db), ['ready'])
  })

  test(`${engine.name}: of ten at once who send two deliveries of one contact again, each is due once and one is ready`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    await subscribe(URL)
    const ada = await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
    await db.write((tx) => changeContact(tx, actor, ada.id, { company: 'x' }))
    await finishAll(db)
    const made = await listDeliveries(db.read, orgId, { limit: 9 })
    const attempts = Array.from({ length: 10 }, (_, i) => db.write((tx) => redeliver(tx, actor, made[i % 2]!.id)))
    const settled = await Promise.allSettled(attempts)
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 2)
    assert.deepEqual((await statesOf(db)).sort(), ['queued', 'ready'])
  })
}

async function finishAll(db: Database): Promise<void> {
  await db.write(async (tx) => {
    await tx
      .withoutPlugins()
      .updateTable('delivery')
      .set({ state: 'failed', attempts: 1, error: 'Answered 500.', finished_at: '2026-05-14T09:30:00.000Z' })
      .execute()
  })
}

async function statesOf(db: Database): Promise<string[]> {
  const rows = await db.read.withoutPlugins().selectFrom('delivery').select('state').orderBy('seq').execute()
  return rows.map(({ state }) => state)
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}
