import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { setClock } from '../clock.ts'
import { createContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { EVENT_NAMES } from '../events/names.ts'
import { ApiError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { createAddressGuard } from '../outgoing/address-guard.ts'
import {
  createSubscription,
  deleteSubscription,
  endOldSecret,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
  rotateSecret,
  secretContext,
} from './actions.ts'
import { listDeliveries } from './delivery-actions.ts'
import { openText } from './secret-box.ts'
import { makeOrg, TEST_GUARD, TEST_KEY } from './test-deliveries.ts'

const URL = 'https://example.com/hook'
const DAY_MS = 24 * 3_600_000

for (const engine of engines) {
  test(`${engine.name}: a subscription is shown with its secret once, and stored with it sealed`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, subscribe } = await makeOrg(db)
    const made = await subscribe('https://EXAMPLE.com', ['task.completed', 'contact.created'])
    assert.deepEqual(Object.keys(made), ['id', 'url', 'events', 'secret'])
    assert.equal(made.url, 'https://example.com/')
    assert.deepEqual(made.events, ['contact.created', 'task.completed'])
    const row = await rowOf(db, made.id)
    assert.ok(!Buffer.from(row.secret).includes(made.secret))
    assert.equal(openText(TEST_KEY, row.secret, secretContext(orgId, made.id)), made.secret)
    const [listed] = await listSubscriptions(db.read, orgId)
    assert.deepEqual(
      { ...listed, created_at: '' },
      { ...without(made), note: null, paused_at: null, old_secret_until: null, created_at: '' },
      'the list has everything but the secret',
    )
  })

  test(`${engine.name}: a URL that the guard refuses, and events that are no choice of the six, are 422 and make nothing`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor } = await makeOrg(db)
    const guard = createAddressGuard([])
    const faultsOf = async (input: { url: string; events: string[]; note?: string }) => {
      const attempt = db.write((tx) => createSubscription(tx, actor, input, { guard, key: TEST_KEY }))
      const error = await attempt.then(
        () => assert.fail('made'),
        (err) => err as ApiError,
      )
      assert.equal(error.code, 'validation')
      return error.details!.map(({ path, code }) => `${path} ${code}`)
    }
    const events = ['contact.created']
    assert.deepEqual(await faultsOf({ url: '', events }), ['url required'])
    assert.deepEqual(await faultsOf({ url: 'http://example.com/', events }), ['url not_allowed'])
    assert.deepEqual(await faultsOf({ url: 'https://10.0.0.1/', events }), ['url not_allowed'])
    assert.deepEqual(await faultsOf({ url: URL, events: [] }), ['events required'])
    assert.deepEqual(await faultsOf({ url: URL, events: ['contact.created', 'contact.made'] }), [
      'events/1 not_allowed',
    ])
    assert.deepEqual(await faultsOf({ url: URL, events: ['task.created', 'task.created'] }), ['events/1 not_allowed'])
    assert.deepEqual(await faultsOf({ url: URL, events, note: 'x'.repeat(201) }), ['note too_long'])
    assert.deepEqual(await faultsOf({ url: URL, events, note: 'a\0b' }), ['note bad_format'])
    assert.deepEqual(await listSubscriptions(db.read, orgId), [])
  })

  test(`${engine.name}: a note of 200 characters is kept`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor } = await makeOrg(db)
    const note = '😀'.repeat(200)
    const input = { url: URL, events: EVENT_NAMES, note: ` ${note} ` }
    await db.write((tx) => createSubscription(tx, actor, input, { guard: TEST_GUARD, key: TEST_KEY }))
    assert.equal((await listSubscriptions(db.read, orgId))[0]!.note, note)
  })

  test(`${engine.name}: an id that is not there, another org's or none at all is not found, and changes nothing`, async (t) => {
    const { db } = await engine.open(t)
    const ours = await makeOrg(db)
    const theirs = await makeOrg(db)
    const { id } = await theirs.subscribe(URL)
    const before = await rowOf(db, id)
    for (const wrong of [id, newId(), 'x']) {
      const attempts = [
        () => db.write((tx) => pauseSubscription(tx, ours.actor, wrong)),
        () => db.write((tx) => resumeSubscription(tx, ours.actor, wrong)),
        () => db.write((tx) => deleteSubscription(tx, ours.actor, wrong)),
        () => db.write((tx) => rotateSecret(tx, ours.actor, wrong, { key: TEST_KEY })),
        () => db.write((tx) => endOldSecret(tx, ours.actor, wrong)),
      ]
      for (const attempt of attempts) await assert.rejects(attempt, isNotFound)
    }
    assert.deepEqual(await rowOf(db, id), before)
  })

  test(`${engine.name}: while a subscription is paused no delivery is made for new events`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    const { id } = await subscribe(URL)
    const paused = await db.write((tx) => pauseSubscription(tx, actor, id))
    assert.ok(paused.paused_at)
    await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
    assert.deepEqual(await listDeliveries(db.read, orgId, { limit: 10 }), [])
    assert.equal((await db.write((tx) => resumeSubscription(tx, actor, id))).paused_at, null)
    await db.write((tx) => createContact(tx, actor, { full_name: 'Bob' }))
    assert.equal((await listDeliveries(db.read, orgId, { limit: 10 })).length, 1)
  })

  test(`${engine.name}: only the events of a subscription make deliveries of it`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    await subscribe(URL, ['contact.updated'])
    await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
    assert.deepEqual(await listDeliveries(db.read, orgId, { limit: 10 }), [])
  })

  test(`${engine.name}: a deleted subscription is gone with its log and its secret, and gets no new delivery`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    const { id } = await subscribe(URL)
    await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
    await db.write((tx) => deleteSubscription(tx, actor, id))
    await db.write((tx) => createContact(tx, actor, { full_name: 'Bob' }))
    assert.deepEqual(await listSubscriptions(db.read, orgId), [])
    assert.deepEqual(await listDeliveries(db.read, orgId, { limit: 10 }), [])
    assert.deepEqual(await listDeliveries(db.read, orgId, { subscriptionId: id, limit: 10 }), [])
    assert.equal((await rowOf(db, id)).secret.length, 0)
    assert.equal((await db.read.withoutPlugins().selectFrom('delivery').select('id').execute()).length, 1)
    await assert.rejects(
      db.write((tx) => deleteSubscription(tx, actor, id)),
      isNotFound,
    )
  })

  test(`${engine.name}: a replaced secret goes on for 24 hours, or until it is ended`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor, subscribe } = await makeOrg(db)
    const { id, secret: first } = await subscribe(URL)
    let at = Date.now()
    t.after(setClock(() => at))
    const rotated = await db.write((tx) => rotateSecret(tx, actor, id, { key: TEST_KEY }))
    assert.notEqual(rotated.secret, first)
    assert.equal(rotated.old_secret_until, new Date(at + DAY_MS).toISOString())
    const row = await rowOf(db, id)
    assert.equal(openText(TEST_KEY, row.secret, secretContext(orgId, id)), rotated.secret)
    assert.equal(openText(TEST_KEY, row.previous_secret!, secretContext(orgId, id)), first)
    const shownUntil = async () => (await listSubscriptions(db.read, orgId))[0]!.old_secret_until
    at += DAY_MS - 1
    assert.equal(await shownUntil(), rotated.old_secret_until)
    at += 1
    assert.equal(await shownUntil(), null)
    at -= 1
    assert.equal((await db.write((tx) => endOldSecret(tx, actor, id))).old_secret_until, null)
    assert.equal((await rowOf(db, id)).previous_secret, null)
  })
}

function rowOf(db: Database, id: string) {
  return db.read.withoutPlugins().selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}

function without<T extends { secret: string }>({ secret: _, ...rest }: T): Omit<T, 'secret'> {
  return rest
}
