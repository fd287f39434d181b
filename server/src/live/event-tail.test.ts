import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openEngines } from '../../../test/support/databases.ts'
import { commandActor } from '../actor.ts'
import { createContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { createOrg } from '../orgs/actions.ts'
import { EventTail } from './event-tail.ts'

for (const { name, db } of await openEngines({ after })) {
  test(`${name}: each event from the start on is read once, in order`, async () => {
    const add = await adder(db)
    await add()
    const tail = await EventTail.start(db)
    assert.deepEqual(await contactsOf(tail), [])
    const made = [await add(), await add()]
    assert.deepEqual(await contactsOf(tail), made)
    assert.deepEqual(await contactsOf(tail), [])
  })

  if (name !== 'postgres') continue

  test(`${name}: an event whose transaction commits after a later one's is read too, once`, async () => {
    const add = await adder(db)
    const tail = await EventTail.start(db)
    const slow = holdUp()
    const early = add(slow.gate)
    await slow.isAtGate
    const later = await add()
    assert.deepEqual(await contactsOf(tail), [later])
    slow.open()
    const late = await early
    assert.deepEqual(await contactsOf(tail), [late])
    assert.deepEqual(await contactsOf(tail), [])
  })

  test(`${name}: an event that was under way at the start is read too`, async () => {
    const add = await adder(db)
    const slow = holdUp()
    await add()
    const early = add(slow.gate)
    await slow.isAtGate
    await add()
    const tail = await EventTail.start(db)
    slow.open()
    const late = await early
    assert.deepEqual(await contactsOf(tail), [late])
  })
}

/** @returns what adds a contact and waits, before the commit, for a gate */
async function adder(db: Database) {
  const { id: orgId } = await db.write((tx) => createOrg(tx, { name: 'Test' }))
  return (gate: () => Promise<void> = async () => {}) =>
    db.write(async (tx) => {
      const { id } = await createContact(tx, commandActor(orgId), { full_name: 'Ada' })
      await gate()
      return id
    })
}

function holdUp() {
  const opened = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const gate = () => {
    reached.resolve()
    return opened.promise
  }
  return { gate, isAtGate: reached.promise, open: opened.resolve }
}

async function contactsOf(tail: EventTail): Promise<(string | null)[]> {
  return (await tail.next()).map(({ contact_id }) => contact_id)
}
