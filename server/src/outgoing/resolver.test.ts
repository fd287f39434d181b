import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createSender } from '../webhooks/sender.ts'
import { createAddressGuard } from './address-guard.ts'
import { createResolver } from './resolver.ts'

const NOT_ALLOWED = 'The address is private and not allowed.'

test('a name gives all its addresses, IPv4 first', async (t) => {
  const dns = await startNameServer(t, () => ['2606:4700::1', '192.0.2.1', '192.0.2.2'])
  const { resolve } = createResolver(() => false, [dns.address])
  assert.deepEqual((await resolve('hooks.example')).toSorted(), ['192.0.2.1', '192.0.2.2', '2606:4700::1'])
  assert.equal((await resolve('hooks.example')).at(-1), '2606:4700::1')
})

test('a name without addresses, and one that does not exist, cannot be found', async (t) => {
  const dns = await startNameServer(t, (name) => (name.startsWith('empty') ? [] : undefined))
  const { send } = startSender(t, { allow: [], servers: [dns.address] })
  for (const name of ['empty.example', 'none.example']) {
    assert.equal((await send(`https://${name}/`)).error, 'The name could not be found.')
  }
})

test('a name server that never answers holds no other name, and no thread', async (t) => {
  const dns = await startNameServer(t, (name) => (name.startsWith('slow') ? 'silence' : ['127.0.0.1']))
  const { send } = startSender(t, { allow: [], servers: [dns.address] })
  const slow = Array.from({ length: 50 }, (_, index) => send(`https://slow${index}.example/`))
  const fast = await send('https://fast.example/')
  assert.equal(fast.error, NOT_ALLOWED)
  assert.ok(fast.durationMs < 300, `${fast.durationMs} ms`)
  for (const outcome of await Promise.all(slow)) assert.equal(outcome.error, 'The name was not resolved within 0.4 s.')
})

test('one name is asked for once at a time', async (t) => {
  const dns = await startNameServer(t, () => ['127.0.0.1'])
  const { resolve } = createResolver(() => false, [dns.address])
  await Promise.all(Array.from({ length: 20 }, () => resolve('hooks.example')))
  assert.equal(dns.asked(), 2)
  await resolve('hooks.example')
  assert.equal(dns.asked(), 4)
})

test('a name that the operator allows is looked up by the system', async () => {
  const { resolve } = createResolver((hostname) => hostname === 'localhost', ['127.0.0.1:9'])
  assert.ok((await resolve('localhost')).every((address) => ['127.0.0.1', '::1'].includes(address)))
})

test('a name that changes its answer between look-ups, or has one bad address, reaches no forbidden listener', async (t) => {
  const forbidden = await startListener(t)
  const answers = [['::1'], ['127.0.0.1'], ['::1', '127.0.0.1'], ['::1'], ['127.0.0.1', '::1'], ['::ffff:127.0.0.1']]
  let round = -1
  const dns = await startNameServer(t, () => answers[round])
  // ::1 stands for a public address: it is allowed, and nothing listens there.
  const { send } = startSender(t, { allow: ['::1'], servers: [dns.address] })
  for (const [index, addresses] of answers.entries()) {
    round = index
    const { error } = await send(`https://rebound.example:${forbidden.port}/`)
    if (addresses.join() === '::1') assert.match(error!, /refused|reached|not be made/)
    else assert.equal(error, NOT_ALLOWED)
  }
  assert.equal(dns.asked(), 2 * answers.length, 'one look-up a sending: one query for IPv4, one for IPv6')
  assert.equal(forbidden.connections(), 0)
})

function startSender(t: TestContext, { allow, servers }: { allow: string[]; servers: string[] }) {
  const guard = createAddressGuard(allow)
  const sender = createSender({ guard, resolver: createResolver(guard.isNamed, servers), deadlineMs: 400 })
  t.after(() => sender.close())
  return { send: (url: string) => sender.send({ url, headers: {}, body: '{}' }) }
}

async function startListener(t: TestContext) {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { port: (server.address() as { port: number }).port, connections: () => count }
}

type Addresses = string[] | 'silence' | undefined

/** A DNS server over UDP: `addresses` says what a name has; undefined is a name that does not exist. */
async function startNameServer(t: TestContext, addresses: (name: string) => Addresses) {
  let asked = 0
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    asked++
    const { name, end, isIpv6 } = question(query)
    const found = addresses(name)
    if (found === 'silence') return
    const records = (found ?? []).filter((address) => address.includes(':') === isIpv6).map(record)
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(found ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([head, query.subarray(12, end), ...records]), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked: () => asked }
}

function question(query: Buffer): { name: string; end: number; isIpv6: boolean } {
  const labels: string[] = []
  let at = 12
  while (query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    at += 1 + query[at]!
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5, isIpv6: query.readUInt16BE(at + 1) === 28 }
}

function record(address: string): Buffer {
  const bytes = addressBytes(address)
  const head = Buffer.from([0xc0, 12, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length])
  return Buffer.concat([head, bytes])
}

function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number))
  const [before = '', after = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const groups = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const [first, last] = [groups(before), groups(after)]
  const all = [...first, ...Array(8 - first.length - last.length).fill(0), ...last]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}
