import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../support/databases.ts'
import { Kith, type Node } from '../support/kith.ts'
import type { Org } from '../support/org.ts'
import { until } from '../support/until.ts'
import { Haproxy, type ProxyAnswer } from './haproxy.ts'
import { unlessInstalled } from './installed.ts'

const BAD_TOKENS_MAX = 5
const SETTINGS = {
  KITH_TRUST_PROXY: '127.0.0.1',
  KITH_KEEP_ALIVE_S: '75',
  KITH_CONNECTIONS_PER_ADDRESS_MAX: '10000',
  KITH_BAD_TOKENS_PER_MINUTE: String(BAD_TOKENS_MAX),
}

describe('deploy/haproxy.cfg before two servers', { skip: unlessInstalled('haproxy') }, () => {
  const kith = new Kith(engines.find(({ name }) => name === 'postgres')!, SETTINGS, 2)
  let proxy: Haproxy
  let org: Org
  let authorization: string

  before(async () => {
    await kith.open()
    org = await kith.org()
    authorization = `Bearer ${org.ownToken.token}`
    proxy = await Haproxy.start(kith.nodes.map(portOf))
    for (const name of ['kith1', 'kith2']) await proxy.untilServer(name, 'UP')
  })
  after(async () => {
    await proxy?.close()
    await kith.close()
  })

  const list = () => proxy.get('/api/v1/contacts', { headers: { authorization } })
  const add = () =>
    proxy.send('/api/v1/contacts', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ full_name: 'Ada' }),
    })

  test('requests are spread over both', async () => {
    const statuses = new Set((await Promise.all(Array.from({ length: 40 }, list))).map(({ status }) => status))
    assert.deepEqual([...statuses], [200])
    await until('both have answered some', () =>
      ['kith1', 'kith2'].every((name) => proxy.log.includes(`kith/${name} `)),
    )
  })

  test('the address that counts is the one that a request comes from, whatever it says of itself', async () => {
    const send = (at: number, from?: string) => {
      const said = `203.0.113.${at}`
      const faked = { 'x-forwarded-for': said, 'x-real-ip': said, forwarded: `for=${said}` }
      return proxy.get('/api/v1/contacts', { headers: { authorization: 'Bearer none', ...faked }, from })
    }
    const answers = await Promise.all(Array.from({ length: 2 * BAD_TOKENS_MAX + 1 }, (_, at) => send(at)))
    // Each node counts for itself, so that one of them at least has had more than it takes.
    assert.ok(answers.some(({ status }) => status === 429))
    assert.equal((await send(1, '127.0.0.2')).status, 401)
  })

  test('over plain HTTP a page is sent to https, and a call of the API is refused, whatever it says of itself', async () => {
    const page = await proxy.sendPlain('/contacts?q=a', { host: 'crm.example.com' })
    assert.deepEqual([page.status, page.headers.location], [308, 'https://crm.example.com/contacts?q=a'])
    const call = await proxy.sendPlain('/api/v1/contacts', { authorization, 'x-forwarded-proto': 'https' })
    assert.deepEqual([call.status, JSON.parse(call.text).error], [400, 'bad_request'])
  })

  test('metrics are not to be had through it', async () => {
    for (const path of ['/metrics', '/metrics?a', '//metrics', '/%6detrics']) {
      const { status, text } = await proxy.get(path)
      assert.equal(status, 404, path)
      assert.doesNotMatch(text, /kith_/)
    }
  })

  test('a page hears of a change made through the other server, and a file larger than a request is taken', async () => {
    const person = await kith.ui(org)
    const cookie = `__Host-${person.cookie}`
    const stream = await proxy.listen('/ui/stream', { cookie })
    await until('the stream says hello', () => stream.heard().includes('hello'))
    const { text } = await add()
    await until('the stream tells of the contact', () => stream.heard().includes(JSON.parse(text).id))
    stream.close()

    const body = `name\n${'Ada Lovelace\n'.repeat(100_000)}`
    const headers = { cookie, 'content-type': 'text/csv', 'sec-fetch-site': 'same-origin' }
    const sent = await proxy.send('/ui/imports/upload?name=a.csv', { method: 'POST', headers, body })
    assert.equal(sent.status, 201, sent.text)
  })

  test('a killed server is taken out, and no GET fails meanwhile', async () => {
    const failed = await whileCalling(list, async () => {
      await withoutServer(0, async (server) => {
        await server.kill()
        await proxy.untilServer('kith1', 'DOWN')
      })
    })
    assert.deepEqual(failed, [])
  })

  test('a server that is stopped ends what it is at, and no GET fails meanwhile', async () => {
    const failed = await whileCalling(list, async () => {
      await withoutServer(1, async (server) => {
        assert.equal((await server.stop()).code, 0)
        await proxy.untilServer('kith2', 'DOWN')
      })
    })
    assert.deepEqual(failed, [])
  })

  test('a server that is drained first can be stopped without any request failing', async () => {
    const failed = await whileCalling(add, async () => {
      await proxy.command('set server kith/kith1 state drain')
      await until('nothing is under way at it', async () => (await proxy.sessions('kith1')) === 0)
      await withoutServer(0, async (server) => assert.equal((await server.stop()).code, 0))
    })
    assert.deepEqual(failed, [])
  })

  test('with no server at all it says what Kith says when it cannot work', async () => {
    for (const name of ['kith1', 'kith2']) await proxy.command(`set server kith/${name} state maint`)
    const { status, headers, text } = await list()
    for (const name of ['kith1', 'kith2']) await proxy.command(`set server kith/${name} state ready`)
    assert.deepEqual([status, headers['retry-after'], JSON.parse(text).error], [503, '1', 'unavailable'])
  })

  /** Starts the server again, at its port, after what `work` does to it. */
  async function withoutServer(at: number, work: (server: Node) => Promise<void>): Promise<void> {
    const server = kith.nodes[at]!
    const port = portOf(server)
    await work(server)
    await server.start({ KITH_PORT: String(port) })
    await proxy.command(`set server kith/kith${at + 1} state ready`)
    await proxy.untilServer(`kith${at + 1}`, 'UP')
  }
})

const CALLERS = 4
const CALLS_BEFORE = 20

/** Calls one after another, several at once, until `work` has ended. @returns the answers that are no success */
async function whileCalling(call: () => Promise<ProxyAnswer>, work: () => Promise<void>): Promise<string[]> {
  const failed: string[] = []
  let calls = 0
  let isOver = false
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!isOver) {
      const { status, text } = await call().catch((err: Error) => ({ status: 0, text: err.message }))
      calls++
      if (status < 200 || status > 299) failed.push(`${status} ${text}`)
    }
  })
  await until('they are at work', () => calls > CALLS_BEFORE)
  try {
    await work()
  } finally {
    isOver = true
    await Promise.all(callers)
  }
  return failed
}

function portOf({ url }: { url: string }): number {
  return Number(new URL(url).port)
}
