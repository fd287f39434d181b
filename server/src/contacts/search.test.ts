import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { engines } from '../../../test/support/databases.ts'
import { type Actor, commandActor } from '../actor.ts'
import { type Database, isPostgres } from '../database/engine.ts'
import { createOrg } from '../orgs/actions.ts'
import { changeContact, createContact, deleteContact, listContacts } from './actions.ts'
import { NewContacts } from './new-contact-actions.ts'

const PAGE = { limit: 10, offset: 0 }

for (const engine of engines) {
  test(`${engine.name}: a contact is found by what it is called, from the moment on, and by nothing else`, async (t) => {
    const { db } = await engine.open(t)
    const actor = await newActor(db)
    const { id } = await db.write((tx) => createContact(tx, actor, { full_name: 'Ada Lovelace', company: 'Byron' }))
    await db.write((tx) => createContact(tx, actor, { full_name: 'Adalbert' }))
    assert.deepEqual(await found(db, actor, ['adal', 'lovelace', 'byron']), [
      ['Adalbert'],
      ['Ada Lovelace'],
      ['Ada Lovelace'],
    ])

    await db.write((tx) => changeContact(tx, actor, id, { email: 'ada@example.com', company: 'Babbage' }))
    assert.deepEqual(await found(db, actor, ['lovelace', 'byron', 'babbage']), [['Ada Lovelace'], [], ['Ada Lovelace']])

    await assert.rejects(
      db.write(async (tx) => {
        await changeContact(tx, actor, id, { full_name: 'Augusta' })
        throw new Error('refused')
      }),
    )
    assert.deepEqual(await found(db, actor, ['augusta', 'lovelace']), [[], ['Ada Lovelace']])

    await db.write((tx) => deleteContact(tx, actor, id))
    assert.deepEqual(await found(db, actor, ['lovelace', 'babbage', 'adal']), [[], [], ['Adalbert']])
    await checkIndex(db)
  })

  test(`${engine.name}: contacts that were added together are found, and those added beside them`, async (t) => {
    const { db } = await engine.open(t)
    const [actor, other] = [await newActor(db), await newActor(db)]
    await Promise.all([
      addContacts(db, actor, 300, (i) => `Contact ${i}`),
      db.write((tx) => createContact(tx, other, { full_name: 'Contact 299' })),
      db.write((tx) => createContact(tx, actor, { full_name: 'Contact 299 again' })),
    ])
    assert.deepEqual(await found(db, actor, ['contact 299', 'contact 17']), [
      ['Contact 299 again', 'Contact 299'],
      ['Contact 179', 'Contact 178', 'Contact 177', 'Contact 176', 'Contact 175', 'Contact 174', 'Contact 173'].concat([
        'Contact 172',
        'Contact 171',
        'Contact 170',
      ]),
    ])
    assert.deepEqual(await found(db, other, ['contact 299']), [['Contact 299']])
    await checkIndex(db)
  })
}

for (const engine of engines) {
  test(`${engine.name}: the count is that of all with the text, few or most of the org, on any page`, async (t) => {
    const { db } = await engine.open(t)
    const [actor, other] = [await newActor(db), await newActor(db)]
    const CONTACTS = 400
    await addContacts(db, actor, CONTACTS, (i) => `${i % 4 === 0 ? 'Anna' : 'Everybody'} ${i}`)
    await addContacts(db, other, 20, (i) => `Everybody ${i}`)
    const most = (CONTACTS * 3) / 4
    for (const [q, matching] of [
      ['everybody', most],
      ['everybody 3', 84],
      ['anna', CONTACTS / 4],
      ['ann', CONTACTS / 4],
      ['nobody', 0],
    ] as const) {
      for (const offset of [0, 3, matching - 10, matching - 3, matching, matching + 100]) {
        if (offset < 0) continue
        const { rows, count } = await listContacts(db, actor.orgId, { q, limit: 10, offset })
        const expected = Math.max(0, Math.min(10, matching - offset))
        assert.deepEqual([q, offset, rows.length, count], [q, offset, expected, matching])
      }
    }
  })
}

async function addContacts(db: Database, actor: Actor, count: number, nameAt: (i: number) => string): Promise<void> {
  await db.write(async (tx) => {
    const contacts = new NewContacts(tx, actor)
    for (let i = 0; i < count; i++) await contacts.add({ full_name: nameAt(i) })
    await contacts.save()
  })
}

async function newActor(db: Database): Promise<Actor> {
  const { id } = await db.write((tx) => createOrg(tx, { name: 'Test' }))
  return commandActor(id)
}

async function found(db: Database, { orgId }: Actor, texts: string[]): Promise<(string | null)[][]> {
  const pages = await Promise.all(texts.map((q) => listContacts(db, orgId, { ...PAGE, q })))
  return pages.map(({ rows }) => rows.map(({ full_name }) => full_name))
}

/** @throws Error where SQLite's table for searching holds anything but the texts of the contacts */
async function checkIndex(db: Database): Promise<void> {
  if (isPostgres(db.read)) return
  await db.write((tx) =>
    sql`insert into contact_search (contact_search, rank) values ('integrity-check', 1)`.execute(tx),
  )
}
