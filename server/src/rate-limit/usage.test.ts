import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { commandActor } from '../actor.ts'
import { setClock } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { createOrg } from '../orgs/actions.ts'
import { createToken } from '../tokens/actions.ts'
import { Usage } from './usage.ts'
import { usageReport } from './usage-actions.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOON = Date.parse('2026-05-14T12:00:00.000Z')

for (const engine of engines) {
  test(`${engine.name}: each point counts the hour before it, of all processes together`, async (t) => {
    const { db } = await engine.open(t)
    const asker = await makeAsker(db)
    let at = NOON
    t.after(setClock(() => at))
    const [one, other] = [new Usage(), new Usage()]
    for (let i = 0; i < 10; i++) one.note(asker, true)
    for (let i = 0; i < 5; i++) other.note(asker, i < 3)
    assert.deepEqual([await one.save(db), await other.save(db)], [1, 1])
    at = NOON + 30 * MINUTE_MS
    one.note(asker, true)
    const half = await usageReport(db, one, asker.orgId)
    assert.equal(half.used_last_hour, 14)
    assert.deepEqual(half.tokens, [{ id: asker.tokenId, name: 'x', prefix: asker.prefix, allowed: 14, refused: 2 }])
    at = NOON + HOUR_MS + 10 * MINUTE_MS
    const later = await usageReport(db, one, asker.orgId)
    assert.equal(later.used_last_hour, 1)
    assert.equal(later.points.length, 289)
    const used = later.points.map((point) => point.used)
    assert.equal(Math.max(...used), 14)
    assert.equal(
      later.points.reduce((sum, { refused }) => sum + refused, 0),
      2,
    )
    at = NOON + 25 * HOUR_MS
    assert.deepEqual((await usageReport(db, one, asker.orgId)).tokens, [])
  })

  test(`${engine.name}: what cannot be written is kept and written later, and nothing is kept for more than two days`, async (t) => {
    const { db } = await engine.open(t)
    const asker = await makeAsker(db)
    let at = NOON
    t.after(setClock(() => at))
    const usage = new Usage()
    usage.note(asker, true)
    const away = { write: () => Promise.reject(new Error('away')) } as unknown as Database
    await assert.rejects(usage.save(away))
    usage.note(asker, true)
    await usage.save(db)
    assert.deepEqual(await rows(db, asker.orgId), [{ allowed: 2, refused: 0 }])
    at = NOON + 47 * HOUR_MS
    await usage.save(db)
    assert.equal((await rows(db, asker.orgId)).length, 1)
    at = NOON + 49 * HOUR_MS
    await usage.save(db)
    assert.deepEqual(await rows(db, asker.orgId), [])
  })
}

async function makeAsker(db: Database) {
  return db.write(async (tx) => {
    const org = await createOrg(tx, { name: 'x' })
    const { id, prefix } = await createToken(tx, commandActor(org.id), { name: 'x', scopes: ['read'] })
    return { orgId: org.id, tokenId: id, prefix }
  })
}

function rows(db: Database, orgId: string) {
  return db.read.selectFrom('usage_minute').select(['allowed', 'refused']).where('org_id', '=', orgId).execute()
}
