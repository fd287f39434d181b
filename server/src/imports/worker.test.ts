import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { commandActor } from '../actor.ts'
import { setClock } from '../clock.ts'
import { deleteContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { createLog } from '../log.ts'
import { createOrg } from '../orgs/actions.ts'
import { importRetentionStep } from './retention.ts'
import { beginCheck, beginImport, getImport, removeUpload } from './ui-actions.ts'
import { uploadImport } from './upload.ts'
import { Worker } from './worker.ts'

const HOUR_MS = 3_600_000
const ROWS = 1_000
const FILE = `Name,Email\n${Array.from({ length: ROWS }, (_, at) => `Person ${at},p${at}@example.com`).join('\n')}\nEve,eve@\n`
const TABLES = ['import_file', 'import_fix', 'import_reject', 'import_change'] as const

const log = createLog('silent')
const signal = new AbortController().signal

for (const engine of engines) {
  test(`${engine.name}: what an import no longer needs is erased: the file at its end, the rest after 30 days`, async (t) => {
    const { db } = await engine.open(t)
    const { actor, id, step } = await checkedImport(db)
    await db.write((tx) => beginImport(tx, actor, id, { skip_problems: true }))
    await workOff(step)
    const erase = importRetentionStep(db)
    assert.deepEqual(await rowCounts(db), { import_file: 1, import_fix: 0, import_reject: 1, import_change: ROWS })
    await workOff(erase)
    assert.deepEqual(await rowCounts(db), { import_file: 0, import_fix: 0, import_reject: 1, import_change: ROWS })
    const ended = Date.now()
    let at = ended + (30 * 24 - 1) * HOUR_MS
    t.after(setClock(() => at))
    await workOff(erase)
    assert.equal((await getImport(db, { orgId: actor.orgId, id })).can_undo, true)
    assert.equal((await rowCounts(db)).import_change, ROWS)
    at = ended + (30 * 24 + 1) * HOUR_MS
    await workOff(erase)
    assert.deepEqual(await rowCounts(db), { import_file: 0, import_fix: 0, import_reject: 0, import_change: 0 })
    assert.equal((await getImport(db, { orgId: actor.orgId, id })).can_undo, false)
  })

  test(`${engine.name}: a file that nobody went on with is erased after a day, a removed one at once`, async (t) => {
    const { db } = await engine.open(t)
    const { actor, id } = await checkedImport(db)
    const erase = importRetentionStep(db)
    const begun = Date.now()
    let at = begun + 23 * HOUR_MS
    t.after(setClock(() => at))
    const { id: removed } = await upload(db, actor)
    await db.write((tx) => removeUpload(tx, actor, removed))
    await workOff(erase)
    assert.deepEqual(await rowCounts(db), { import_file: 1, import_fix: 0, import_reject: 1, import_change: 0 })
    assert.equal((await getImport(db, { orgId: actor.orgId, id })).state, 'checked')
    at = begun + 25 * HOUR_MS
    await workOff(erase)
    assert.deepEqual(await rowCounts(db), { import_file: 0, import_fix: 0, import_reject: 0, import_change: 0 })
    await assert.rejects(getImport(db, { orgId: actor.orgId, id }), { code: 'not_found' })
  })

  test(`${engine.name}: what an import notes of a contact goes with the contact`, async (t) => {
    const { db } = await engine.open(t)
    const { actor, id, step } = await checkedImport(db)
    await db.write((tx) => beginImport(tx, actor, id, { skip_problems: true }))
    await workOff(step)
    const { contact_id } = await db.read
      .selectFrom('import_change')
      .select('contact_id')
      .where('org_id', '=', actor.orgId)
      .limit(1)
      .executeTakeFirstOrThrow()
    await db.write((tx) => deleteContact(tx, actor, contact_id))
    assert.equal((await rowCounts(db)).import_change, ROWS - 1)
  })
}

for (const engine of engines) {
  if (engine.name !== 'postgres') continue

  test('postgres: of several processes one works an import, until its beats stand still; what it then still does is lost', async (t) => {
    const { db } = await engine.open(t)
    const { actor, id, step } = await checkedImport(db)
    await db.write((tx) => beginImport(tx, actor, id, { skip_problems: true }))
    const [one, other] = [new Worker(db, log, {}, { deadMs: 200 }), new Worker(db, log, {}, { deadMs: 200 })]
    await one.step(signal)
    const half = (await getImport(db, { orgId: actor.orgId, id })).counts.rows_added
    assert.ok(half > 0 && half < ROWS)
    // As long as it gives beats, the other keeps off.
    for (let i = 0; i < 5; i++) {
      await one.beat()
      other.lookSoon()
      assert.equal(await other.step(signal), 0)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    while ((await other.step(signal)) === 0) other.lookSoon()
    await one.step(signal)
    const done = async () => (await getImport(db, { orgId: actor.orgId, id })).state === 'done'
    while (!(await done())) await other.step(signal)
    assert.equal((await getImport(db, { orgId: actor.orgId, id })).counts.rows_added, ROWS)
    const { n } = await db.read
      .selectFrom('contact')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('org_id', '=', actor.orgId)
      .executeTakeFirstOrThrow()
    assert.equal(n, ROWS)
    await step()
  })
}

async function checkedImport(db: Database) {
  const org = await db.write((tx) => createOrg(tx, { name: 'Acme' }))
  const actor = commandActor(org.id)
  const { id } = await upload(db, actor)
  const worker = new Worker(db, log)
  const step = () => {
    worker.lookSoon()
    return worker.step(signal)
  }
  await db.write((tx) => beginCheck(tx, actor, id))
  await workOff(step)
  const { state, checked } = await getImport(db, { orgId: org.id, id })
  assert.deepEqual([state, checked?.rows_added, checked?.rows_rejected], ['checked', ROWS, 1])
  return { actor, id, step }
}

async function upload(db: Database, actor: ReturnType<typeof commandActor>): Promise<{ id: string }> {
  async function* bytes() {
    yield Buffer.from(FILE)
  }
  return { id: await uploadImport(db, actor, { name: 'a.csv', bytes: bytes(), bytesMax: 2 ** 20 }) }
}

async function workOff(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0);
}

async function rowCounts(db: Database) {
  const counts = TABLES.map(async (table) => {
    const { n } = await db.read
      .withoutPlugins()
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return [table, n] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}
