import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type Engine, engines } from '../../../test/support/databases.ts'
import type { SignedIn } from '../actor.ts'
import { setClock } from '../clock.ts'
import { createOrg } from '../orgs/actions.ts'
import { recogniseSession, startSession } from '../sessions/actions.ts'
import { createMember, resetPassword } from './actions.ts'
import { acceptLink, forgetEndedLinks, invite, makeResetLink, openLink } from './link-actions.ts'
import { hashPassword, isOutdated } from './password.ts'
import { signIn } from './sign-in-actions.ts'

const PASSWORD = 'quiet harbour lantern'
const FROM = { address: '192.0.2.1', userAgent: 'Test' }
const HOUR_MS = 3_600_000

for (const engine of engines) {
  const named = (rule: string) => `${engine.name}: ${rule}`

  test(named('an unknown address costs the work of a wrong password'), async (t) => {
    const { db, add } = await start(engine, t)
    const tries = 5
    const emails = await Promise.all(
      Array.from({ length: tries }, async (_, i) => (await add(`known${i}@example.com`)).email),
    )
    const [known, unknown]: [number[], number[]] = [[], []]
    for (const [i, email] of emails.entries()) {
      unknown.push(await workOf(() => signIn(db, { email: `unknown${i}@example.com`, password: 'wrong' }, FROM)))
      known.push(await workOf(() => signIn(db, { email, password: 'wrong' }, FROM)))
    }
    const ratio = median(unknown) / median(known)
    assert.ok(ratio > 0.4 && ratio < 2.5, `${ratio}`)
  })

  test(named('a sign-in with a hash of older costs stores one of today’s'), async (t) => {
    const { db, add } = await start(engine, t)
    const outdated = await oldHash()
    const { email } = await add('ada@example.com', outdated)
    assert.ok(isOutdated(outdated))
    const outcome = await signIn(db, { email, password: PASSWORD }, FROM)
    assert.ok('secret' in outcome)
    const rows = await db.read.withoutPlugins().selectFrom('member').selectAll().where('email', '=', email).execute()
    assert.equal(isOutdated(rows[0]!.password_hash), false)
    assert.ok('secret' in (await signIn(db, { email, password: PASSWORD }, FROM)))
  })

  test(named('a password that is replaced while it is being judged opens nothing'), async (t) => {
    const { db, add, orgId } = await start(engine, t)
    const { email, id } = await add('ada@example.com')
    const another = await hashPassword('another good password')
    const [outcome] = await Promise.all([
      signIn(db, { email, password: PASSWORD }, FROM),
      db.write((tx) => resetPassword(tx, { orgId, email }, another)),
    ])
    const sessions = db.read.withoutPlugins().selectFrom('session').selectAll().where('member_id', '=', id)
    if ('secret' in outcome) assert.equal(await recogniseSession(db.read, outcome.secret), undefined)
    assert.deepEqual(await sessions.execute(), [])
  })

  test(named('an invitation ends after 24 hours, a reset link after one'), async (t) => {
    const { db, add, clock, admin } = await start(engine, t)
    const { id } = await add('bo@example.com')
    const invitation = await db.write((tx) => invite(tx, admin, { email: 'New@example.com', role: 'member' }))
    const reset = await db.write((tx) => makeResetLink(tx, admin, id))
    assert.ok(Buffer.from(invitation.token, 'base64url').length * 8 >= 128)
    clock.at += HOUR_MS - 1
    assert.equal((await openLink(db.read, reset.token)).kind, 'reset')
    clock.at += 1
    await assert.rejects(openLink(db.read, reset.token), { code: 'not_found' })
    await assert.rejects(acceptLink(db, { token: reset.token, password: PASSWORD }, ''), { code: 'not_found' })
    clock.at += 23 * HOUR_MS - 1
    assert.equal((await openLink(db.read, invitation.token)).email, 'new@example.com')
    clock.at += 1
    await assert.rejects(openLink(db.read, invitation.token), { code: 'not_found' })
    await assert.rejects(acceptLink(db, { token: invitation.token, name: 'N', password: PASSWORD }, ''), {
      code: 'not_found',
    })
    clock.at += 1
    assert.equal(await forgetEndedLinks(db), 2)
    const rows = await db.read.withoutPlugins().selectFrom('one_time_link').selectAll().execute()
    assert.deepEqual(rows, [])
  })

  test(named('a link is stored as its hash alone'), async (t) => {
    const { db, admin } = await start(engine, t)
    const { token } = await db.write((tx) => invite(tx, admin, { email: 'new@example.com', role: 'member' }))
    const rows = JSON.stringify(await db.read.withoutPlugins().selectFrom('one_time_link').selectAll().execute())
    assert.ok(!rows.includes(token))
    for (const wrong of ['', 'a', token.slice(1), `${token}a`, 'a'.repeat(43)]) {
      await assert.rejects(openLink(db.read, wrong), { code: 'not_found' })
    }
  })

  test(named('an invitation to somebody who has joined another org meanwhile says so, and stays'), async (t) => {
    const { db, admin } = await start(engine, t)
    const { token } = await db.write((tx) => invite(tx, admin, { email: 'new@example.com', role: 'member' }))
    await db.write(async (tx) => {
      const { id } = await createOrg(tx, { name: 'Others' })
      await createMember(tx, id, { email: 'new@example.com', role: 'member' }, 'a hash')
    })
    await assert.rejects(acceptLink(db, { token, name: 'New', password: PASSWORD }, ''), {
      code: 'validation',
      message: /is a member already/,
    })
    assert.equal((await openLink(db.read, token)).kind, 'invitation')
  })
}

let hashOfPassword: Promise<string> | undefined

async function start(engine: Engine, t: TestContext) {
  const clock = { at: Date.parse('2026-05-01T12:00:00Z') }
  t.after(setClock(() => clock.at))
  const { db } = await engine.open(t)
  hashOfPassword ??= hashPassword(PASSWORD)
  const passwordHash = await hashOfPassword
  const { id: orgId } = await db.write((tx) => createOrg(tx, { name: 'Ours' }))
  const add = (email: string, hash = passwordHash) =>
    db.write((tx) => createMember(tx, orgId, { email, role: 'member' }, hash))
  const admin = async (): Promise<SignedIn> => {
    const member = await db.write((tx) =>
      createMember(tx, orgId, { email: 'admin@example.com', role: 'admin' }, 'none'),
    )
    const { id } = await db.write((tx) => startSession(tx, { orgId, memberId: member.id }, 'Test'))
    return { ...member, orgId, sessionId: id }
  }
  return { db, clock, orgId, add, admin: await admin() }
}

/** As `hashPassword` writes it, with fewer passes. */
async function oldHash(): Promise<string> {
  const salt = Buffer.alloc(16, 7)
  const memory = 19 * 1024
  const parameters = { message: PASSWORD, nonce: salt, parallelism: 1, tagLength: 32, memory, passes: 1 }
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${memory},t=1,p=1$${text(salt)}$${text(argon2Sync('argon2id', parameters))}`
}

/** Processor time: what other programs do meanwhile does not count. */
async function workOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
