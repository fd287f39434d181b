import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { type Actor, LANE_IMPORT } from '../actor.ts'
import type { Database } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { changeOrg, createOrg } from '../orgs/actions.ts'
import { createContact, listContacts } from './actions.ts'
import { NewContacts } from './new-contact-actions.ts'
import type { ContactInput } from './schema.ts'

/** More than two of the largest statements, and some that are left. */
const INPUTS = Array.from({ length: 301 }, (_, at): ContactInput => {
  return {
    full_name: at % 5 === 0 ? null : `Ada ${at}`,
    company: 'Acme',
    email: `ada${at}@example.com`,
    deal_stage: ['lead', 'won', null][at % 3]!,
    deal_value: at / 4,
    label: at % 7 === 0 ? 'hot' : null,
    tags: at % 2 === 0 ? ['a', '"b"'] : [],
  }
})

for (const engine of engines) {
  test(`${engine.name}: contacts added together leave what they would one by one`, async (t) => {
    const { db } = await engine.open(t)
    const [one, together] = [await newActor(db), await newActor(db)]
    await db.write(async (tx) => {
      for (const input of INPUTS) await createContact(tx, one, input)
    })
    await db.write(async (tx) => {
      const batch = new NewContacts(tx, together)
      for (const input of INPUTS) await batch.add(input)
      await batch.save()
      await batch.save()
    })
    const expected = await everythingOf(db, one)
    assert.deepEqual(await everythingOf(db, together), expected)
    assert.deepEqual(
      [expected.contacts.length, expected.activities.length, expected.events.length, expected.deliveries.length],
      [301, 301, 301, 602],
    )
    const { rows, count } = await listContacts(db, together.orgId, { q: 'ADA 29', limit: 50, offset: 0 })
    assert.deepEqual([rows[0]?.full_name, count], ['Ada 299', 9])
  })

  test(`${engine.name}: a contact that the org's rules refuse is not among those that are saved`, async (t) => {
    const { db } = await engine.open(t)
    const actor = await newActor(db)
    await db.write((tx) => changeOrg(tx, actor.orgId, { stages: ['lead'], strict_stages: true }))
    await db.write(async (tx) => {
      const batch = new NewContacts(tx, actor)
      await batch.add({ full_name: 'Ada', deal_stage: 'lead' })
      for (const input of [{ full_name: 'Bob', deal_stage: 'won' }, { email: 'eve@example.com' }]) {
        await assert.rejects(batch.add(input), (error) => error instanceof ApiError && error.code === 'validation')
      }
      const { id } = await batch.add({ full_name: 'Grace', deal_stage: 'lead' })
      assert.equal(batch.isWaiting(id), true)
      await batch.save()
      assert.equal(batch.isWaiting(id), false)
    })
    const { contacts, counts } = await everythingOf(db, actor)
    assert.deepEqual(
      contacts.map(({ full_name }) => full_name),
      ['Ada', 'Grace'],
    )
    assert.deepEqual(counts, [{ stage: 'lead', label: '', n: 2 }])
  })
}

async function newActor(db: Database): Promise<Actor> {
  return db.write(async (tx) => {
    const { id: orgId } = await createOrg(tx, { name: 'Acme' })
    for (const at of [1, 2]) {
      const id = newId()
      const events = '["contact.created"]'
      const row = { org_id: orgId, id, url: `https://${at}.example.com/`, events, secret: Buffer.from('x') }
      await tx
        .insertInto('subscription')
        .values({ ...row, created_at: '2026-01-01T00:00:00.000Z' })
        .execute()
    }
    return { orgId, name: 'import:x', lane: LANE_IMPORT }
  })
}

/** All that adding contacts writes, in the order of writing. Without times; ids as the places of what they name. */
async function everythingOf(db: Database, { orgId }: Actor) {
  const contacts = await db.read.selectFrom('contact').selectAll().where('org_id', '=', orgId).orderBy('id').execute()
  const activities = await db.read
    .selectFrom('activity')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
  const events = await db.read.selectFrom('event').selectAll().where('org_id', '=', orgId).orderBy('seq').execute()
  const due = await db.read.selectFrom('delivery').selectAll().where('org_id', '=', orgId).orderBy('seq').execute()
  const hooks = await db.read
    .selectFrom('subscription')
    .select('id')
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute()
  const counts = await db.read
    .selectFrom('contact_count')
    .select(['stage', 'label', ({ fn }) => fn.sum('n').as('n')])
    .where('org_id', '=', orgId)
    .groupBy(['stage', 'label'])
    .orderBy('stage')
    .orderBy('label')
    .execute()
  const placeIn = (list: { id: string }[]) => {
    const places = new Map(list.map(({ id }, at) => [id, at]))
    return (id: string | null) => places.get(id!)
  }
  const [contact, event, hook] = [placeIn(contacts), placeIn(events), placeIn(hooks)]
  return {
    // Those of SQLite are in the order of the ids.
    contacts: contacts.map(({ id, org_id, row_id, last_event_at, created_at, updated_at, ...fields }, at) => ({
      ...fields,
      rowsBefore: row_id === undefined ? at : row_id - contacts[0]!.row_id,
      times: new Set([last_event_at, created_at, updated_at]).size,
    })),
    counts: counts.map(({ stage, label, n }) => ({ stage, label, n: Number(n) })),
    activities: activities.map(({ contact_id, kind, body, actor }) => ({ at: contact(contact_id), kind, body, actor })),
    events: events.map(({ name, contact_id, task_id, ts, body }) => {
      const { payload, ...rest } = JSON.parse(Buffer.from(body).toString())
      const { id, created_at, updated_at, ...fields } = payload.contact
      const isOwnTime = [created_at, updated_at, rest.ts].every((time) => time === ts)
      return { name, task_id, at: contact(contact_id), of: contact(id), event: rest.event, isOwnTime, fields }
    }),
    deliveries: due.map(({ subscription_id, event_id, contact_id, queue_key, event: name, lane, state }) => {
      const at = { hook: hook(subscription_id), event: event(event_id), contact: contact(contact_id) }
      return { ...at, queue: contact(queue_key), name, lane, state }
    }),
  }
}
