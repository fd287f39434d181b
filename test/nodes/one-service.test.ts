import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { SCHEMA_VERSION } from '../../server/src/database/migrate.ts'
import { CLOCK_AHEAD } from '../support/clock-ahead.ts'
import type { Answer, Client } from '../support/http-client.ts'
import { type Node, withNodes } from '../support/kith.ts'
import { underApi } from '../support/org.ts'
import { seededRandom } from '../support/random.ts'
import { openStream } from '../support/stream.ts'
import { OWN_PAGE, PASSWORD, underUi } from '../support/ui.ts'
import { until } from '../support/until.ts'

const REQUESTS = 1_000

withNodes(
  3,
  (kith) => {
    test(`a token revoked on one node is refused on all at once: ${REQUESTS} requests to the others`, async () => {
      const org = await kith.org()
      const { id, token } = await org.token()
      const admin = await kith.ui(org, 'admin')
      const [first, ...others] = kith.nodes as [Node, Node, Node]
      const clients = others.map((node) => apiOf(node, token))
      for (const client of clients) assert.equal((await client.get('/contacts')).status, 200)
      let isRevoked = false
      let answered = 0
      const late: Answer[] = []
      const ask = async (client: Client) => {
        while (answered < REQUESTS) {
          const mustBeRefused = isRevoked
          const answer = await client.get('/contacts')
          answered++
          if (mustBeRefused) late.push(answer)
        }
      }
      const asking = [...clients, ...clients, ...clients, ...clients].map(ask)
      await until('they are at work', () => answered > 50)
      assert.equal((await uiOf(first, admin.cookie).post(`/tokens/${id}/revoke`)).status, 200)
      isRevoked = true
      await Promise.all(asking)
      assert.ok(late.length > REQUESTS / 4, `only ${late.length} came after the answer`)
      assert.deepEqual([...new Set(late.map(({ body }) => body.error))], ['revoked_api_key'])
    })

    test('of requests with one Idempotency-Key that reach all nodes at once one makes the record', async () => {
      const org = await kith.org()
      for (let round = 0; round < 20; round++) {
        const body = { full_name: `Ada ${round}` }
        const key = { 'idempotency-key': `key ${round}` }
        const calls = [...kith.nodes, ...kith.nodes].map((node) =>
          apiOf(node, org.ownToken.token).post('/contacts', body, key),
        )
        const answers = await Promise.all(calls)
        assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1, answers[0]!.text)
        assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
      }
      assert.equal((await org.events()).length, 20)
      assert.equal((await org.api.get('/contacts')).body.meta.count, 20)
    })

    test('a session that is ended on one node is ended on all', async () => {
      const ui = await kith.ui(await kith.org())
      for (const node of kith.nodes) assert.equal((await uiOf(node, ui.cookie).get('/session')).status, 200)
      assert.equal((await uiOf(kith.nodes[0]!, ui.cookie).post('/sign-out')).status, 200)
      for (const node of kith.nodes) assert.equal((await uiOf(node, ui.cookie).get('/session')).status, 401)
    })

    test('failed tries to sign in are one count over all nodes, one after another and at once', async () => {
      const wrong = { password: 'a wrong password' }
      const org = await kith.org()
      const signIn = (node: Node, fields: object) => node.client.post('/ui/sign-in', fields, OWN_PAGE)
      const inTurn = (await kith.ui(org)).member
      for (let i = 0; i < 5; i++) {
        const answer = await signIn(kith.nodes[i % 3]!, { email: inTurn.email, ...wrong })
        assert.equal(answer.status, 422, answer.text)
      }
      for (const node of kith.nodes) {
        assert.equal((await signIn(node, { email: inTurn.email, password: PASSWORD })).body.error, 'too_many_tries')
      }
      const atOnce = (await kith.ui(org)).member
      const tries = Array.from({ length: 12 }, (_, i) => signIn(kith.nodes[i % 3]!, { email: atOnce.email, ...wrong }))
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      assert.deepEqual(statuses.sort(), [...Array(5).fill(422), ...Array(7).fill(429)])
    })

    test('a change through one node is told to the pages that listen to the others', async () => {
      const org = await kith.org()
      const ui = await kith.ui(org)
      const pages = await Promise.all(kith.nodes.map((node) => openStream(node, ui)))
      for (const node of kith.nodes) {
        const { body } = await apiOf(node, org.ownToken.token).post('/contacts', { full_name: 'Ada' })
        await Promise.all(pages.map((page) => page.hears('contact', body.id)))
      }
      for (const page of pages) page.close()
    })

    test('a limit that an operator sets is in effect on every node within 1 s', async () => {
      const org = await kith.org({ hourly_limit: 1_000 })
      const limitOf = async (node: Node) =>
        (await apiOf(node, org.ownToken.token).get('/contacts')).headers['ratelimit-limit']
      for (const limit of ['2000', '500']) {
        assert.equal((await kith.command('org', 'set', org.id, '--hourly-limit', limit)).code, 0)
        await delay(1_000)
        for (const node of kith.nodes) assert.equal(await limitOf(node), limit)
      }
    })

    test('events of one contact have growing times, whatever the clocks of the nodes that make them say', async () => {
      const org = await kith.org()
      const { id } = await org.addContact()
      const random = seededRandom(5)
      for (let i = 0; i < 30; i++) {
        const { status } = await apiOf(random.of(kith.nodes), org.ownToken.token).patch(`/contacts/${id}`, {
          phone: `${i}`,
        })
        assert.equal(status, 200)
      }
      const times = (await org.events()).map(({ body }) => body.ts)
      assert.deepEqual(times, [...new Set(times)].sort())
      assert.equal(times.length, 31)
    })
  },
  (node) => (node === 1 ? CLOCK_AHEAD : {}),
)

withNodes(8, (kith) => {
  test('eight nodes that start at once on an empty database bring it to its schema once, and all serve it', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    for (const node of kith.nodes) {
      assert.equal((await apiOf(node, org.ownToken.token).get(`/contacts/${id}`)).body.full_name, 'Ada')
    }
    const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(kith.db.read)
    assert.deepEqual(rows, [{ version: SCHEMA_VERSION }])
  })
})

function apiOf(node: Node, token: string): Client {
  return underApi(node.client.with({ authorization: `Bearer ${token}` }))
}

function uiOf(node: Node, cookie: string): Client {
  return underUi(node.client.with({ ...OWN_PAGE, cookie }))
}
