import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { engines } from '../../../test/support/databases.ts'
import { type Actor, commandActor } from '../actor.ts'
import type { Database } from '../database/engine.ts'
import { createOrg } from '../orgs/actions.ts'
import { changeContact, createContact, deleteContact } from './actions.ts'

const WORKERS = 6
const ROUNDS = 5

for (const engine of engines) {
  test(`${engine.name}: contacts added, moved and deleted at once never wait for each other in a circle, and are counted right`, async (t) => {
    const { db } = await engine.open(t)
    const actor = await newActor(db)
    const before = await deadlocks(db)
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (let round = 0; round < ROUNDS; round++) await liveThrough(db, actor)
      }),
    )
    assert.deepEqual(await counts(db, actor), [['', '', WORKERS * ROUNDS]])
    assert.equal((await deadlocks(db)) - before, 0)
  })

  test(`${engine.name}: when the last contacts of a label are deleted at once nothing keeps the label`, async (t) => {
    const { db } = await engine.open(t)
    const actor = await newActor(db)
    for (let round = 0; round < ROUNDS; round++) {
      const fields = { full_name: 'Ada', label: `label ${round}`, deal_stage: null }
      const made = Array.from({ length: WORKERS }, () => db.write((tx) => createContact(tx, actor, fields)))
      const ids = (await Promise.all(made)).map(({ id }) => id)
      await Promise.all(ids.map((id) => db.write((tx) => deleteContact(tx, actor, id))))
      assert.deepEqual(await counts(db, actor), [])
    }
  })
}

test('postgres: whoever takes the last contact of a label waits for nobody who adds one', async (t) => {
  const { db } = await engines[1]!.open(t)
  const actor = await newActor(db)
  const fields = { full_name: 'Ada', label: 'hot' }
  const { id } = await db.write((tx) => createContact(tx, actor, fields))
  const added = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const adding = db.write(async (tx) => {
    await createContact(tx, actor, fields)
    added.resolve()
    await taken.promise
  })
  await added.promise
  await db.write((tx) => deleteContact(tx, actor, id)).finally(taken.resolve)
  await adding
  assert.deepEqual(await counts(db, actor), [['', 'hot', 1]])
})

/** One contact stays, without a stage; another one is added, moved and deleted. */
async function liveThrough(db: Database, actor: Actor): Promise<void> {
  await db.write((tx) => createContact(tx, actor, { full_name: 'Ada' }))
  const { id } = await db.write((tx) =>
    createContact(tx, actor, { full_name: 'Bob', deal_stage: 'lead', label: 'hot' }),
  )
  await db.write((tx) => changeContact(tx, actor, id, { deal_stage: 'won' }))
  await db.write((tx) => deleteContact(tx, actor, id))
}

async function newActor(db: Database): Promise<Actor> {
  const { id } = await db.write((tx) => createOrg(tx, { name: 'Test' }))
  return commandActor(id)
}

/** By stage and label; those of nobody are left out where they have no name. */
async function counts(db: Database, { orgId }: Actor): Promise<[stage: string, label: string, n: number][]> {
  const rows = await db.read
    .selectFrom('contact_count')
    .select(['stage', 'label', ({ fn }) => fn.sum('n').as('n')])
    .where('org_id', '=', orgId)
    .groupBy(['stage', 'label'])
    .orderBy('stage')
    .orderBy('label')
    .execute()
  return rows.map(({ stage, label, n }) => [stage, label, Number(n)])
}

/** How many PostgreSQL had to break up in this database; its count of them may be a moment late. */
async function deadlocks(db: Database): Promise<number> {
  if (db.engine === 'sqlite') return 0
  await sql`select pg_stat_clear_snapshot()`.execute(db.read.withoutPlugins())
  const { rows } = await sql<{ n: number }>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(
    db.read.withoutPlugins(),
  )
  return rows[0]!.n
}
