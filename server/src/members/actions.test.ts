import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Engine, engines } from '../../../test/support/databases.ts'
import { createOrg } from '../orgs/actions.ts'
import { createMember, getMember, hashNewPassword, listMembers, removeMember, resetPassword } from './actions.ts'
import type { Role } from './schema.ts'

for (const engine of engines) {
  const named = (rule: string) => `${engine.name}: ${rule}`

  test(named('an e-mail address is kept in lower case and belongs to one member of one org'), async (t) => {
    const { db, add, ours, others } = await start(engine, t)
    const member = await add(ours, 'Ada@Example.com', 'admin')
    assert.equal(member.email, 'ada@example.com')
    for (const org of [ours, others]) {
      await assert.rejects(add(org, 'aDa@example.com', 'member'), {
        code: 'validation',
        details: [
          {
            path: 'email',
            code: 'not_allowed',
            message: 'ada@example.com is a member already; a person is a member of one org.',
          },
        ],
      })
    }
    assert.deepEqual(plain(await listMembers(db.read, ours)), [member])
    assert.deepEqual(await listMembers(db.read, others), [])
    assert.deepEqual(plain(await getMember(db.read, { orgId: ours, email: 'ADA@example.com' })), member)
  })

  test(named('a member of another org is not found, and not changed'), async (t) => {
    const { db, add, ours, others } = await start(engine, t)
    await add(ours, 'ada@example.com', 'admin')
    await add(ours, 'bo@example.com', 'admin')
    const key = { orgId: others, email: 'ada@example.com' }
    const before = await db.read.withoutPlugins().selectFrom('member').selectAll().orderBy('id').execute()
    await assert.rejects(getMember(db.read, key), { code: 'not_found' })
    await assert.rejects(
      db.write((tx) => resetPassword(tx, key, 'other')),
      { code: 'not_found' },
    )
    await assert.rejects(
      db.write((tx) => removeMember(tx, key)),
      { code: 'not_found' },
    )
    assert.deepEqual(await db.read.withoutPlugins().selectFrom('member').selectAll().orderBy('id').execute(), before)
  })

  test(named('an organisation needs one admin: the last one cannot be removed'), async (t) => {
    const { db, add, ours } = await start(engine, t)
    await add(ours, 'ada@example.com', 'admin')
    await add(ours, 'bo@example.com', 'member')
    await assert.rejects(
      db.write((tx) => removeMember(tx, { orgId: ours, email: 'ada@example.com' })),
      { code: 'validation', message: 'An organisation needs one admin.' },
    )
    await db.write((tx) => removeMember(tx, { orgId: ours, email: 'Bo@example.com' }))
    assert.deepEqual(
      (await listMembers(db.read, ours)).map(({ email }) => email),
      ['ada@example.com'],
    )
  })

  test(named('of two admins who are removed at once, one stays'), async (t) => {
    const { db, add, ours } = await start(engine, t)
    for (let round = 0; round < 5; round++) {
      const emails = [`a${round}@example.com`, `b${round}@example.com`]
      for (const email of emails) await add(ours, email, 'admin')
      const removals = await Promise.allSettled(
        (await listMembers(db.read, ours)).map(({ email }) =>
          db.write((tx) => removeMember(tx, { orgId: ours, email })),
        ),
      )
      assert.equal(removals.filter(({ status }) => status === 'rejected').length, 1)
      assert.equal((await listMembers(db.read, ours)).length, 1)
    }
  })

  test(named('a password is judged with the e-mail address and the name of the org'), async (t) => {
    const { db, ours } = await start(engine, t)
    const key = { orgId: ours, email: 'ada.lovelace@example.com' }
    for (const password of ['Our Own Company', 'ADA.LOVELACE@example.com', 'passwordpassword', 'short']) {
      await assert.rejects(hashNewPassword(db.read, key, password), { code: 'validation' }, password)
    }
    assert.match(await hashNewPassword(db.read, key, 'something else entirely'), /^\$argon2id\$/)
  })
}

async function start(engine: Engine, t: TestContext) {
  const { db } = await engine.open(t)
  const [ours, others] = await db.write(async (tx) => [
    (await createOrg(tx, { name: 'Our Own Company' })).id,
    (await createOrg(tx, { name: 'Others' })).id,
  ])
  const add = (orgId: string, email: string, role: Role) =>
    db.write((tx) => createMember(tx, orgId, { email, role }, 'a hash'))
  return { db, add, ours: ours!, others: others! }
}

/** SQLite's rows have no prototype. */
function plain<T>(rows: T): T {
  return JSON.parse(JSON.stringify(rows))
}
