import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Engine, engines } from '../../../test/support/databases.ts'
import { setClock } from '../clock.ts'
import { createMember } from '../members/actions.ts'
import { createOrg } from '../orgs/actions.ts'
import { endSessionsOf, forgetEndedSessions, recogniseSession, startSession } from './actions.ts'
import { LastSessionUses } from './last-uses.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

for (const engine of engines) {
  const named = (rule: string) => `${engine.name}: ${rule}`

  test(named('a session ends after 12 hours without use'), async (t) => {
    const { db, clock, begin } = await start(engine, t)
    const { secret } = await begin()
    clock.at += 12 * HOUR_MS
    assert.ok(await recogniseSession(db.read, secret))
    clock.at += 1
    assert.equal(await recogniseSession(db.read, secret), undefined)
  })

  test(named('a session that is used ends after 30 days in all'), async (t) => {
    const { db, clock, begin, lastUses } = await start(engine, t)
    const { secret } = await begin()
    const begun = clock.at
    while (clock.at < begun + 30 * DAY_MS) {
      clock.at += 6 * HOUR_MS
      lastUses.note((await recogniseSession(db.read, secret))!)
      await lastUses.save(db)
    }
    assert.ok(await recogniseSession(db.read, secret))
    clock.at += 1
    assert.equal(await recogniseSession(db.read, secret), undefined)
  })

  test(named('the last use is noted once a minute, for the member too'), async (t) => {
    const { db, clock, begin, lastUses, memberId } = await start(engine, t)
    const { secret } = await begin()
    const use = async () => {
      lastUses.note((await recogniseSession(db.read, secret))!)
      return lastUses.save(db)
    }
    assert.equal(await use(), 0)
    clock.at += MINUTE_MS
    assert.equal(await use(), 1)
    assert.equal(await use(), 0)
    const members = await db.read.withoutPlugins().selectFrom('member').selectAll().where('id', '=', memberId).execute()
    assert.equal(members[0]!.last_seen_at, new Date(clock.at).toISOString())
  })

  test(named('what is left of ended sessions is erased, and no other'), async (t) => {
    const { db, clock, begin } = await start(engine, t)
    await begin()
    clock.at += 12 * HOUR_MS
    const { secret } = await begin()
    assert.equal(await forgetEndedSessions(db), 0)
    clock.at += 1
    assert.equal(await forgetEndedSessions(db), 1)
    assert.ok(await recogniseSession(db.read, secret))
  })

  test(named('a cookie holds 256 random bits, of which the database has the hash alone'), async (t) => {
    const { db, begin, orgId, memberId } = await start(engine, t)
    const made = await Promise.all(Array.from({ length: 20 }, begin))
    assert.equal(new Set(made.map(({ secret }) => secret)).size, 20)
    const rows = JSON.stringify(await db.read.withoutPlugins().selectFrom('session').selectAll().execute())
    for (const { secret } of made) {
      assert.equal(Buffer.from(secret, 'base64url').length, 32)
      assert.ok(!rows.includes(secret))
    }
    const kept = made[3]!
    assert.equal(await db.write((tx) => endSessionsOf(tx, { orgId, memberId }, kept.id)), 19)
    const left = await Promise.all(
      made.map(async ({ secret }) => (await recogniseSession(db.read, secret)) !== undefined),
    )
    assert.deepEqual(left.indexOf(true), 3)
    assert.equal(left.filter(Boolean).length, 1)
  })
}

async function start(engine: Engine, t: TestContext) {
  const clock = { at: Date.parse('2026-05-01T12:00:00Z') }
  t.after(setClock(() => clock.at))
  const { db } = await engine.open(t)
  const { orgId, memberId } = await db.write(async (tx) => {
    const { id: orgId } = await createOrg(tx, { name: 'Ours' })
    const member = await createMember(tx, orgId, { email: 'ada@example.com', role: 'member' }, 'a hash')
    return { orgId, memberId: member.id }
  })
  const begin = () => db.write((tx) => startSession(tx, { orgId, memberId }, 'Test'))
  return { db, clock, begin, orgId, memberId, lastUses: new LastSessionUses() }
}
