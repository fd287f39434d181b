import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { placesOf } from '../support/database-bytes.ts'
import type { Answer } from '../support/http-client.ts'
import { withKith } from '../support/kith.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { OWN_PAGE, underUi } from '../support/ui.ts'
import { until } from '../support/until.ts'

withKith(
  (kith) => {
    let receiver: Receiver
    before(async () => {
      receiver = await startReceiver()
    })
    after(() => receiver.close())

    test('token, signing secret and key are in no log, metric, answer, listing or data file beyond the 12 listed characters', async () => {
      const org = await kith.org()
      const made = await kith.command('token', 'create', 'Sentinel', '--org', org.id)
      const { token, id } = made.value
      const [well, ill] = [receiver.hook(), receiver.hook({ status: 500 })]
      const { secret, id: subscription } = await org.subscribe(well.url)
      await org.subscribe(ill.url)
      const rotated = await kith.command('webhook', 'rotate', subscription, '--org', org.id)
      const key = (await readFile(join(kith.folder, 'kith.key'), 'utf8')).trim()
      const secrets = [
        ...[token, token.slice(12), secret, secret.slice('whsec_'.length), rotated.value.secret, key],
        Buffer.from(key, 'hex').toString('base64'),
      ]

      const authorization = `Bearer ${token}`
      const api = kith.client.with({ authorization })
      const answers: Answer[] = [
        await api.get('/api/v1/contacts'),
        await api.get(`/api/v1/contacts?q=${token}`),
        await api.get('/api/v1/nothing'),
        await api.post('/api/v1/contacts', { full_name: 'A' }),
        await api.post('/api/v1/contacts', '{'),
        await kith.client.get('/api/v1/contacts', { authorization: `Basic ${token}` }),
        await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${token}x` }),
        await kith.client.get(`/nothing?token=${token}`),
        await kith.client.get('/healthz', { authorization }),
        await kith.client.get('/readyz', { authorization }),
        await kith.client.get('/openapi.json', { authorization }),
      ]
      const raw = await sendRaw(kith.port, `GET / HTTP/1.1\r\nAuthorization: ${authorization}\r\n x\r\n\r\n`)
      await Promise.all([well.until(1), ill.until(1)])
      await until('the deliveries have ended', async () =>
        (await org.deliveries()).every(({ finished_at }) => finished_at),
      )
      await kith.command('token', 'revoke', id, '--org', org.id)
      answers.push(await api.get('/api/v1/contacts'), await kith.client.get('/metrics'))
      assert.equal(answers.at(-1)!.status, 200)
      const listings = [
        await kith.command('token', 'list', '--org', org.id),
        await kith.command('webhook', 'list', '--org', org.id),
        await kith.command('webhook', 'deliveries', '--org', org.id),
        await kith.command('config'),
        await kith.command('doctor'),
      ]
      assert.ok(listings[0]!.stdout.includes(token.slice(0, 12)))
      assert.ok(!listings[0]!.stdout.includes(token.slice(0, 13)))
      await kith.stop()
      if (kith.engine === 'sqlite') await kith.lookAway()

      const seen = {
        answers: JSON.stringify(answers) + JSON.stringify(raw),
        listings: JSON.stringify(listings),
        log: kith.log,
      }
      for (const [place, text] of Object.entries(seen)) {
        for (const one of secrets) assert.ok(!text.includes(one), `${one} in ${place}`)
      }
      assert.deepEqual(await placesOf(kith, secrets), [])
      assert.notDeepEqual(await placesOf(kith, [token.slice(0, 12)]), [], 'the search finds what is there')
      if (kith.engine === 'sqlite') await kith.look()
      await kith.start()
    })

    test('password, session, set-up code and one-time links are in no log, answer of another or data file', async () => {
      const org = await kith.org()
      const admin = await kith.ui(org, 'admin')
      const password = 'sentinel harbour lantern'
      const browser = underUi(kith.client.with({ ...OWN_PAGE, 'user-agent': 'Sentinel' }))
      const tokenOf = (answer: Answer) => answer.body.link.split('#')[1] as string
      const invite = (email: string) => admin.post('/invitations', { email, role: 'member' })
      const [invitation, unused] = [tokenOf(await invite('eve@example.com')), tokenOf(await invite('bo@example.com'))]
      const joined = await browser.post('/links/accept', { token: invitation, name: 'Eve', password })
      const id = joined.body.member_id
      const reset = tokenOf(await admin.post(`/members/${id}/reset`))
      const signedIn = await browser.post('/sign-in', { email: 'eve@example.com', password })
      const sessions = [joined, signedIn].map((answer) => /^kith=([^;]+)/.exec(answer.headers['set-cookie']![0]!)![1]!)
      const secrets = [password, invitation, unused, reset, ...sessions]
      const cookie = `kith=${sessions[1]}`
      const answers: Answer[] = [
        await browser.post('/sign-in', { email: 'eve@example.com', password: `${password}x` }),
        await browser.post('/sign-in', { email: password, password }),
        await browser.post('/sign-in', { email: 'eve@example.com', password, more: password }),
        await browser.post('/links/open', { token: invitation }),
        await browser.post('/links/open', { token: unused }),
        await browser.post('/links/accept', { token: reset, password: 'short' }),
        await browser.get(`/nothing?password=${password.replaceAll(' ', '+')}&token=${unused}`, { cookie }),
        await browser.get('/session', { cookie }),
        await browser.get('/sessions', { cookie }),
        await browser.get('/members', { cookie }),
        await browser.post('/me/password', { current_password: password, new_password: 'short' }, { cookie }),
        await browser.post('/sign-out', {}, { cookie }),
        await browser.get('/session', { cookie }),
        await kith.client.get('/api/v1/contacts', { cookie, authorization: `Bearer ${sessions[1]}` }),
        await kith.client.get('/metrics'),
      ]
      const listing = await kith.command('user', 'list', '--org', org.id)
      await kith.stop()
      if (kith.engine === 'sqlite') await kith.lookAway()
      const seen = { answers: JSON.stringify(answers), listing: listing.stdout, log: kith.log }
      for (const [place, text] of Object.entries(seen)) {
        for (const one of secrets) assert.ok(!text.includes(one), `${one} in ${place}`)
      }
      assert.deepEqual(await placesOf(kith, secrets), [])
      assert.notDeepEqual(await placesOf(kith, ['eve@example.com']), [], 'the search finds what is there')
      if (kith.engine === 'sqlite') await kith.look()
      await kith.start()
    })

    test('each line of the log is one JSON object, whatever a request holds', async () => {
      const before = kith.log.length
      const odd = encodeURIComponent('a\r\n{"level":"forged"}\u001b[2J"')
      await kith.client.get(`/api/v1/contacts/${odd}`, { 'user-agent': 'x"{}\\', authorization: 'Bearer "\\x"' })
      await sendRaw(kith.port, 'GET /\x1b[2J HTTP/1.1\r\nHost: "x\r\n\r\n')
      const lines = kith.log.slice(before).split('\n').slice(0, -1)
      for (const line of lines) assert.notEqual(JSON.parse(line).level, 'forged')
      assert.ok(!kith.log.includes('\u001b'))
    })
  },
  { KITH_LOG_LEVEL: 'trace' },
)
