import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { commandActor } from '../actor.ts'
import { createContact, getContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { changeOrg, createOrg, listStages } from './actions.ts'
import { countByStage, renameStep, setStages } from './pipeline-actions.ts'
import { COLORS } from './schema.ts'

for (const engine of engines) {
  test(`${engine.name}: processes that move contacts at once move each of them once`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor } = await makeOrg(db)
    await addContacts(db, orgId, 'lead', 130)
    await db.write((tx) => setStages(tx, actor, { stages: [{ name: 'new', was: 'lead', color: COLORS.blue }] }))
    await Promise.all(Array.from({ length: 4 }, () => workOff(renameStep(db))))
    assert.deepEqual(await countByStage(db.read, orgId), [{ name: 'new', contacts: 130 }])
    const moves = await db.read
      .selectFrom('event')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('org_id', '=', orgId)
      .where('name', 'in', ['contact.updated', 'deal.stage_changed'])
      .executeTakeFirstOrThrow()
    assert.equal(Number(moves.n), 2 * 130)
    assert.equal(await renameStep(db)(), 0)
  })

  test(`${engine.name}: contacts on their way to a name that is renamed again go on to the newest`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor } = await makeOrg(db)
    const rename = (was: string, name: string) =>
      db.write((tx) => setStages(tx, actor, { stages: [{ name, was, color: COLORS.blue }] }))
    await addContacts(db, orgId, 'lead', 60)
    assert.equal((await rename('lead', 'b')).moving, 60)
    await renameStep(db)()
    assert.equal((await rename('b', 'c')).moving, 50)
    await workOff(renameStep(db))
    assert.deepEqual(await countByStage(db.read, orgId), [{ name: 'c', contacts: 60 }])
  })

  test(`${engine.name}: a name that contacts are leaving cannot be taken until they have left`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor } = await makeOrg(db)
    await addContacts(db, orgId, 'lead', 1)
    const stages = (...names: [name: string, was?: string][]) => ({
      stages: names.map(([name, was]) => ({ name, ...(was !== undefined && { was }), color: COLORS.blue })),
    })
    await db.write((tx) => setStages(tx, actor, stages(['new', 'lead'])))
    const again = () => db.write((tx) => setStages(tx, actor, stages(['new'], ['lead'])))
    await assert.rejects(again, { code: 'validation', message: /still being moved from lead/ })
    await workOff(renameStep(db))
    assert.equal((await again()).stages.length, 2)
  })

  test(`${engine.name}: when the new name has left a strict pipeline, the rest keeps the old one`, async (t) => {
    const { db } = await engine.open(t)
    const { orgId, actor } = await makeOrg(db)
    const [id] = await addContacts(db, orgId, 'lead', 1)
    await db.write((tx) => setStages(tx, actor, { stages: [{ name: 'new', was: 'lead', color: COLORS.blue }] }))
    await db.write((tx) => changeOrg(tx, orgId, { stages: ['won'], strict_stages: true }))
    await workOff(renameStep(db))
    assert.equal((await getContact(db.read, orgId, id!)).deal_stage, 'lead')
    assert.deepEqual(
      (await listStages(db.read, orgId)).map(({ name }) => name),
      ['won'],
    )
  })
}

async function makeOrg(db: Database) {
  const { id: orgId } = await db.write((tx) => createOrg(tx, { name: 'x' }))
  return { orgId, actor: commandActor(orgId) }
}

function addContacts(db: Database, orgId: string, deal_stage: string, count: number): Promise<string[]> {
  return db.write(async (tx) => {
    const ids: string[] = []
    for (let i = 0; i < count; i++) {
      ids.push((await createContact(tx, commandActor(orgId), { full_name: `${i}`, deal_stage })).id)
    }
    return ids
  })
}

async function workOff(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}
