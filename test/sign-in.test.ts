/** How people come in: set-up, signing in, one-time links, and what ends a session. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountSubject } from '../server/src/members/tries.ts'
import { engines } from './support/databases.ts'
import type { Answer, Client } from './support/http-client.ts'
import { Kith, withKith } from './support/kith.ts'
import { OWN_PAGE, PASSWORD, underUi } from './support/ui.ts'
import { until } from './support/until.ts'

withKith((kith) => {
  const browser = () => underUi(kith.client.with(OWN_PAGE))
  const signIn = (email: string, password = PASSWORD) => browser().post('/sign-in', { email, password })
  const withCookie = (answer: Answer) => browser().with({ cookie: cookieOf(answer) })
  const isSignedIn = async (client: Client) => (await client.get('/session')).status === 200
  const forgetTries = () => kith.db.write(async (tx) => void (await tx.deleteFrom('sign_in_try').execute()))

  /** As if there had been three more failures: the delay is 8 minutes then, however slow the machine is. */
  const failMore = (email: string) =>
    kith.db.write(async (tx) => {
      const times = JSON.stringify(Array.from({ length: 8 }, () => Date.now()))
      await tx.updateTable('sign_in_try').set({ times }).where('subject', '=', accountSubject(email).name).execute()
    })

  /** Lines are written in the background. */
  const logged = (text: string) => until(`the log has ${text}`, () => kith.log.includes(text))

  test('whoever knows the password gets a session, whose cookie pages cannot read', async () => {
    const org = await kith.org({ name: 'Analytical Engines' })
    const { member } = await kith.ui(org, 'admin', { name: 'Ada Lovelace', email: 'ada@example.com' })
    const answer = await signIn('Ada@Example.com')
    assert.deepEqual([answer.status, answer.body], [200, { member_id: member.id }])
    assert.match(
      answer.headers['set-cookie']![0]!,
      /^kith=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    )
    const session = (await withCookie(answer).get('/session')).body
    assert.deepEqual(session.member, { id: member.id, name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin' })
    assert.deepEqual(
      [session.org.id, session.org.name, session.admins],
      [org.id, 'Analytical Engines', ['Ada Lovelace']],
    )
    assert.equal(session.api_url, `${kith.url}/api/v1`)
    assert.equal(session.stages.length, 6)
    await logged(`"orgId":"${org.id}","actor":"member:${member.id}","msg":"Signed in."`)
  })

  test('nobody who has not signed in is told anything', async () => {
    for (const cookie of ['', 'kith=', `kith=${'a'.repeat(43)}`, 'kith=%00', 'other=1; kith']) {
      const { status, body } = await browser().get('/session', { cookie })
      assert.deepEqual([status, body.error], [401, 'not_signed_in'], cookie)
    }
  })

  test('an unknown address and a wrong password get the same answer, byte for byte, and no cookie', async () => {
    const org = await kith.org()
    const { member } = await kith.ui(org)
    const answers = [await signIn(member.email, 'a wrong password'), await signIn('nobody@example.com')]
    for (const { status, body, headers } of answers) {
      assert.deepEqual([status, body.error, body.message], [422, 'validation', 'Email or password is wrong.'])
      assert.equal(headers['set-cookie'], undefined)
    }
    assert.equal(answers[0]!.text, answers[1]!.text)
    await logged(`"actor":"member:${member.id}","msg":"A try to sign in failed."`)
    assert.doesNotMatch(kith.log, /a wrong password|nobody@example\.com/)
  })

  test('after five failures there is a growing delay, which a restart does not forget', async () => {
    const { member, ...ui } = await kith.ui(await kith.org())
    for (let i = 0; i < 5; i++) assert.equal((await signIn(member.email, 'a wrong password')).status, 422)
    const refused = await signIn(member.email)
    assert.deepEqual([refused.status, refused.body.error], [429, 'too_many_tries'])
    assert.equal(refused.body.message, 'Too many tries. Try again in 1 minute.')
    assert.ok(Number(refused.headers['retry-after']) <= 60 && Number(refused.headers['retry-after']) > 0)
    await failMore(member.email)
    await kith.kill()
    await kith.start()
    assert.equal((await signIn(member.email)).status, 429)
    assert.ok(await isSignedIn(ui), 'whoever is signed in stays so')
    assert.equal((await ui.post('/me/password', { current_password: 'x', new_password: 'y' })).status, 422)
    await forgetTries()
    assert.equal((await signIn(member.email)).status, 200)
  })

  test('an address has 50 failures in 15 minutes, whoever they are for', async () => {
    const { member } = await kith.ui(await kith.org())
    for (let round = 0; round < 10; round++) {
      const tries = Array.from({ length: 5 }, (_, i) => signIn(`someone${round}.${i}@example.com`))
      for (const { status } of await Promise.all(tries)) assert.equal(status, 422)
    }
    const refused = await signIn(member.email)
    assert.equal(refused.status, 429, refused.text)
    assert.match(refused.body.message, /^Too many tries\. Try again in 1[45] minutes\.$/)
    await forgetTries()
  })

  test('many tries at once get no further than one after another', async () => {
    const { member } = await kith.ui(await kith.org())
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(member.email, 'a wrong password')))
    assert.equal(answers.filter(({ status }) => status === 422).length, 5)
    assert.equal(answers.filter(({ status }) => status === 429).length, 15)
    await forgetTries()
  })

  test('a session of before is never adopted, and signing out ends it on the server', async () => {
    const { member, cookie } = await kith.ui(await kith.org())
    const answer = await browser().post('/sign-in', { email: member.email, password: PASSWORD }, { cookie })
    assert.notEqual(cookieOf(answer), cookie)
    const client = withCookie(answer)
    const out = await client.post('/sign-out')
    assert.deepEqual(
      [out.status, out.headers['set-cookie']],
      [200, ['kith=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']],
    )
    assert.equal((await client.get('/session')).status, 401)
  })

  test('people list and end their own sessions, and nobody else’s', async () => {
    const org = await kith.org()
    const [ui, other] = [await kith.ui(org), await kith.ui(org)]
    const second = withCookie(await signIn(ui.member.email))
    const { data } = (await ui.get('/sessions')).body
    assert.deepEqual(data.map((session: { is_current: boolean }) => session.is_current).sort(), [false, true])
    assert.equal((await other.delete(`/sessions/${data[0].id}`)).status, 404)
    assert.deepEqual((await second.post('/sessions/end-others')).body, { ended: 1 })
    assert.equal((await ui.get('/session')).status, 401)
    const [left] = (await second.get('/sessions')).body.data
    assert.equal((await second.delete(`/sessions/${left.id}`)).status, 200)
    assert.equal((await second.get('/session')).status, 401)
    assert.ok(await isSignedIn(other))
  })

  test('another password ends all other sessions, and needs the one of now', async () => {
    const ui = await kith.ui(await kith.org())
    const second = withCookie(await signIn(ui.member.email))
    const change = (current_password: string, new_password: string) =>
      ui.post('/me/password', { current_password, new_password })
    assert.equal((await change('not it', 'another good password')).body.details[0].path, 'current_password')
    assert.deepEqual((await change(PASSWORD, 'short')).body.details[0].path, 'new_password')
    assert.ok(await isSignedIn(second))
    assert.equal((await change(PASSWORD, 'another good password')).status, 200)
    assert.deepEqual([await isSignedIn(ui), await isSignedIn(second)], [true, false])
    assert.equal((await signIn(ui.member.email)).status, 422)
    assert.equal((await signIn(ui.member.email, 'another good password')).status, 200)
  })

  test('another address needs the password, another name does not', async () => {
    const org = await kith.org()
    const [ui, other] = [await kith.ui(org), await kith.ui(org)]
    assert.equal((await ui.patch('/me', { name: 'Grace B. Hopper' })).body.name, 'Grace B. Hopper')
    const email = `new.${ui.member.email}`
    assert.equal((await ui.patch('/me', { email })).body.details[0].path, 'current_password')
    const taken = await ui.patch('/me', { email: other.member.email.toUpperCase(), current_password: PASSWORD })
    assert.deepEqual([taken.status, taken.body.details[0].path], [422, 'email'])
    assert.equal((await ui.patch('/me', { email, current_password: PASSWORD })).body.email, email)
    assert.equal((await signIn(email)).status, 200)
    assert.equal((await ui.patch('/me', {})).body.error, 'no_fields')
  })

  test('a change of role and a removal end the member’s sessions, also from the command line', async () => {
    const org = await kith.org()
    const admin = await kith.ui(org, 'admin')
    const [one, two, three] = [await kith.ui(org), await kith.ui(org), await kith.ui(org)]
    assert.equal((await admin.patch(`/members/${one.member.id}`, { role: 'admin' })).body.role, 'admin')
    assert.equal(await isSignedIn(one), false)
    assert.equal((await admin.delete(`/members/${two.member.id}`)).status, 200)
    assert.equal(await isSignedIn(two), false)
    assert.equal((await signIn(two.member.email)).status, 422)
    await kith.command('user', 'reset', three.member.email, '--org', org.id)
    assert.equal(await isSignedIn(three), false)
    const four = await kith.ui(org)
    await kith.command('user', 'remove', four.member.email, '--org', org.id, '--yes')
    assert.equal(await isSignedIn(four), false)
    assert.ok(await isSignedIn(admin))
    await logged(
      `"actor":"member:${admin.member.id}","member":"${one.member.id}","role":"admin","msg":"Changed a role."`,
    )
  })

  test('an organisation needs one admin: the last cannot leave or become a member', async () => {
    const org = await kith.org()
    const [admin, member] = [await kith.ui(org, 'admin'), await kith.ui(org)]
    for (const answer of [
      await admin.delete(`/members/${admin.member.id}`),
      await admin.patch(`/members/${admin.member.id}`, { role: 'member' }),
    ]) {
      assert.deepEqual([answer.status, answer.body.message], [422, 'An organisation needs one admin.'])
    }
    await admin.patch(`/members/${member.member.id}`, { role: 'admin' })
    assert.equal((await admin.patch(`/members/${admin.member.id}`, { role: 'member' })).status, 200)
    assert.ok(await isSignedIn(admin), 'one’s own session stays')
    assert.equal((await admin.post('/invitations', { email: 'x@example.com', role: 'member' })).status, 403)
  })

  test('whoever has an invitation becomes a member, once', async () => {
    const org = await kith.org({ name: 'Analytical Engines' })
    const admin = await kith.ui(org, 'admin')
    const email = `Invited.${org.id}@example.com`
    const made = await admin.post('/invitations', { email, role: 'member' })
    assert.equal(made.status, 201, made.text)
    const [page, token] = made.body.link.split('#')
    assert.equal(page, `${kith.url}/invitation`)
    assert.deepEqual(
      (await admin.get('/members')).body.invitations.map(({ id }: { id: string }) => id),
      [made.body.id],
    )
    assert.deepEqual((await browser().post('/links/open', { token })).body, {
      kind: 'invitation',
      org_name: 'Analytical Engines',
      email: email.toLowerCase(),
      name: '',
      role: 'member',
    })
    const accept = (body: object) => browser().post('/links/accept', { token, ...body })
    assert.equal((await accept({ password: PASSWORD })).body.details[0].path, 'name')
    assert.equal((await accept({ name: 'Bo', password: 'Analytical Engines' })).body.details[0].path, 'password')
    const answers = await Promise.all([1, 2, 3].map(() => accept({ name: 'Bo', password: PASSWORD })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404])
    const bo = withCookie(answers.find(({ status }) => status === 200)!)
    assert.deepEqual((await bo.get('/session')).body.member.name, 'Bo')
    assert.equal((await browser().post('/links/open', { token })).status, 404)
    assert.deepEqual((await admin.get('/members')).body.invitations, [])
    assert.ok(!kith.log.includes(token))
  })

  test('an invitation can be withdrawn, and another to the same address replaces it', async () => {
    const admin = await kith.ui(await kith.org(), 'admin')
    const invite = () => admin.post('/invitations', { email: 'bo@example.com', role: 'admin' })
    const [first, second] = [(await invite()).body, (await invite()).body]
    const open = (link: string) => browser().post('/links/open', { token: link.split('#')[1] })
    assert.deepEqual([(await open(first.link)).status, (await open(second.link)).status], [404, 200])
    assert.equal((await admin.delete(`/invitations/${second.id}`)).status, 200)
    assert.equal((await open(second.link)).status, 404)
    const own = await admin.post('/invitations', { email: admin.member.email, role: 'admin' })
    assert.equal(own.body.details[0].path, 'email')
  })

  test('a reset link gives another password, once, and ends what the old one opened', async () => {
    const org = await kith.org()
    const [admin, ui] = [await kith.ui(org, 'admin'), await kith.ui(org)]
    const { link } = (await admin.post(`/members/${ui.member.id}/reset`)).body
    const token = link.split('#')[1]
    assert.equal(link, `${kith.url}/reset#${token}`)
    assert.equal((await browser().post('/links/open', { token })).body.email, ui.member.email)
    const answer = await browser().post('/links/accept', { token, password: 'another good password' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([await isSignedIn(withCookie(answer)), await isSignedIn(ui)], [true, false])
    assert.equal((await browser().post('/links/accept', { token, password: PASSWORD })).status, 404)
    assert.equal((await signIn(ui.member.email, 'another good password')).status, 200)
  })
})

const proxied = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }

withKith(
  (kith) => {
    test('over https the cookie is sent over https alone, to this host alone', async () => {
      const { member } = await kith.ui(await kith.org())
      const browser = underUi(kith.client.with({ ...OWN_PAGE, ...proxied, host: 'crm.example' }))
      const answer = await browser.post('/sign-in', { email: member.email, password: PASSWORD })
      assert.match(
        answer.headers['set-cookie']![0]!,
        /^__Host-kith=[\w-]{43}; Secure; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
      )
      const cookie = cookieOf(answer)
      const session = await browser.get('/session', { cookie })
      assert.equal(session.body.api_url, 'https://crm.example/api/v1')
      const withoutPrefix = cookie.replace('__Host-', '')
      assert.equal((await browser.get('/session', { cookie: withoutPrefix })).status, 401)
      const fromOwnOrigin = { 'sec-fetch-site': '', cookie }
      for (const [origin, status] of [
        ['http://crm.example', 403],
        ['https://crm.example', 200],
      ] as const) {
        assert.equal((await browser.post('/sign-out', {}, { ...fromOwnOrigin, origin })).status, status, origin)
      }
    })

    test('an address is where the proxy says that a try comes from', async () => {
      const { member } = await kith.ui(await kith.org())
      const from = (address: string) =>
        underUi(kith.client.with({ ...OWN_PAGE, ...proxied, 'x-forwarded-for': address, host: 'crm.example' }))
      for (let i = 0; i < 50; i++) {
        await from('203.0.113.1').post('/sign-in', { email: `someone${i}@example.com`, password: 'wrong' })
      }
      const given = { email: member.email, password: PASSWORD }
      assert.equal((await from('203.0.113.1').post('/sign-in', given)).status, 429)
      assert.equal((await from('203.0.113.2').post('/sign-in', given)).status, 200)
    })
  },
  { KITH_TRUST_PROXY: '127.0.0.1' },
)

withKith((kith) => {
  test('over plain http nobody signs in but on loopback, and no password is looked at', async () => {
    const { member } = await kith.ui(await kith.org())
    const given = { email: member.email, password: PASSWORD }
    for (const host of ['crm.example', '192.0.2.7:8080', '127.0.0.1.evil.example']) {
      const browser = underUi(kith.client.with({ ...OWN_PAGE, host }))
      for (const call of [
        () => browser.post('/sign-in', given),
        () => browser.post('/links/accept', { token: 'a', password: PASSWORD }),
        () => browser.post('/setup', { code: 'a', org: { name: 'A' }, member: { name: 'A', ...given } }),
      ]) {
        const { status, body, headers } = await call()
        assert.deepEqual([status, body.error, headers['set-cookie']], [400, 'bad_request', undefined], host)
      }
    }
    for (const host of [`localhost:${kith.port}`, `[::1]:${kith.port}`]) {
      const answer = await underUi(kith.client.with({ ...OWN_PAGE, host })).post('/sign-in', given)
      assert.equal(answer.status, 200, host)
    }
    assert.deepEqual(await kith.db.read.selectFrom('sign_in_try').selectAll().execute(), [])
  })
})

for (const engine of engines) {
  test(`${engine.name}: a fresh server is set up once, by whoever can read its output`, async (t) => {
    const kith = new Kith(engine)
    t.after(() => kith.close())
    await kith.open()
    const browser = underUi(kith.client.with(OWN_PAGE))
    const person = { name: 'Ada', email: 'ada@example.com', password: PASSWORD }
    const setUp = (code: string, more: object = {}) =>
      browser.post('/setup', {
        code,
        org: { name: 'Analytical Engines', time_zone: 'Europe/London', currency: 'GBP' },
        member: person,
        ...more,
      })
    const code = kith.setupCode!
    assert.deepEqual((await browser.get('/setup')).body, { needed: true })
    const wrong = await setUp('ABCD-EFGH-JKLM-NPQR')
    assert.deepEqual([wrong.status, wrong.body.details[0].path], [422, 'code'])
    const weak = await setUp(code, { member: { ...person, password: 'analytical engines' } })
    assert.equal(weak.body.details[0].path, 'member/password')
    const odd = await setUp(code, { org: { name: 'Ours', currency: 'XX' } })
    assert.equal(odd.body.details[0].path, 'org/currency')
    assert.deepEqual((await browser.get('/setup')).body, { needed: true })

    const answers = await Promise.all([1, 2].map(() => setUp(code.toLowerCase().replaceAll('-', ' '))))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403])
    const cookie = cookieOf(answers.find(({ status }) => status === 200)!)
    const session = (await browser.get('/session', { cookie })).body
    assert.deepEqual([session.member.name, session.member.role], ['Ada', 'admin'])
    assert.deepEqual([session.org.time_zone, session.org.currency], ['Europe/London', 'GBP'])
    assert.ok((await browser.get('/members', { cookie })).body.members[0].last_seen_at)
    assert.deepEqual((await browser.get('/setup')).body, { needed: false })
    assert.equal((await setUp(code)).status, 403)
  })

  test(`${engine.name}: ten wrong codes end the code, until the server starts again`, async (t) => {
    const kith = new Kith(engine)
    t.after(() => kith.close())
    await kith.open()
    const browser = underUi(kith.client.with(OWN_PAGE))
    const setUp = (code: string) =>
      browser.post('/setup', {
        code,
        org: { name: 'Ours' },
        member: { name: 'Ada', email: 'a@b.example', password: PASSWORD },
      })
    for (let i = 0; i < 10; i++) assert.equal((await setUp('wrong')).status, 422)
    assert.equal((await setUp(kith.setupCode!)).status, 429)
    await kith.kill()
    await kith.start()
    assert.equal((await setUp(kith.setupCode!)).status, 200)
  })
}

function cookieOf({ headers }: Answer): string {
  return headers['set-cookie']![0]!.split(';', 1)[0]!
}
