import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createSender } from '../webhooks/sender.ts'
import { createAddressGuard, parseAllowList } from './address-guard.ts'
import { guardedConnector } from './connector.ts'

/** Ways to write an address or a name that must never be connected to. */
const FORBIDDEN_HOSTS = [
  // This machine, in IPv4's many spellings.
  ...['127.0.0.1', '127.1', '127.0.1', '127.255.255.254', '2130706433', '017700000001', '0x7f000001', '0x7F.0.0.1'],
  ...[
    '0177.0.0.1',
    '0177.0.0.01',
    '127.0.0.0x1',
    '0x7f.1',
    '127.0x000001',
    '0000177.0.0.1',
    '127.0.0.1.',
    '127%2e0%2e0%2e1',
  ],
  ...['１２７.０.０.１', '127。0。0。1', '①②⑦.⓪.⓪.①', '127．0．0．1', '0', '0.0.0.0', '0x0', '00', '0.1.2.3'],
  // This machine by name.
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.b.localhost.',
    'ⓛocalhost',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
  ],
  // IPv4 networks for special use: first and last of each.
  ...['10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '169.254.0.0', '169.254.169.254', '172.16.0.0'],
  ...['172.31.255.255', '192.0.0.0', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.0', '192.168.255.255'],
  ...['198.18.0.0', '198.19.255.255', '198.51.100.7', '203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '100.100.100.200', '168.63.129.16', '2852039166', '0xa9fea9fe', '169.254.43518'],
  // IPv6 outside 2000::/3, and for special use inside it.
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fdff::1]',
  ],
  ...['[fd00:ec2::254]', '[fd20:ce::254]', '[ff02::1]', '[100::1]', '[1fff::1]', '[4000::1]', '[5f00::1]', '[2001::1]'],
  ...['[2001:10::1]', '[2001:20::1]', '[2001:1ff:ffff::1]', '[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]'],
  // IPv4 carried in IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP on a link.
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:0:127.0.0.1]', '[::127.0.0.1]', '[::ffff:10.0.0.1]'],
  ...['[0:0:0:0:0:ffff:a9fe:a9fe]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::8.8.8.8]'],
  ...['[64:ff9b:1:7f00:1::]', '[2002:7f00:1::]', '[2002:808:808::1]', '[2001:0:7f00:1::1]', '[fe80::5efe:127.0.0.1]'],
]

test('no way to write a forbidden address reaches it', async (t) => {
  assert.ok(FORBIDDEN_HOSTS.length >= 70)
  const listener = await listen(t)
  const sender = createSender({ guard: createAddressGuard([]), deadlineMs: 500 })
  t.after(() => sender.close())
  const outcomes = await Promise.all(
    FORBIDDEN_HOSTS.flatMap((host) =>
      ['https', 'http'].map((scheme) =>
        sender.send({ url: `${scheme}://${host}:${listener.port}/`, headers: {}, body: '{}' }),
      ),
    ),
  )
  for (const [index, { error, timings }] of outcomes.entries()) {
    assert.match(error!, /not allowed|must not|not valid|must begin/, FORBIDDEN_HOSTS[Math.floor(index / 2)]!)
    assert.equal(timings.connectMs, null)
  }
  assert.equal(listener.connections(), 0)
})

test('the step that connects refuses on its own, whatever was judged before it', async (t) => {
  const listener = await listen(t)
  const guard = createAddressGuard([])
  const addresses = FORBIDDEN_HOSTS.map((host) => URL.parse(`https://${host}/`)?.hostname.replace(/^\[|\]$/g, ''))
  const literals = addresses.filter((address) => address !== undefined && !/[g-z]/.test(address))
  assert.ok(literals.length >= 70)
  const connect = guardedConnector({ guard, resolver: { resolve: async () => literals as string[], cancel() {} } })
  for (const hostname of [...literals, 'hooks.example']) {
    const target = { protocol: 'http:', hostname: hostname!, port: listener.port }
    const trip = {
      phase: 'connect' as const,
      timings: noTimings(),
      opening: null,
      isOver: false,
      remainingMs: () => 500,
    }
    await assert.rejects(connect(target, trip), { message: 'The address is private and not allowed.' })
  }
  assert.equal(listener.connections(), 0)
})

test('the listener that counts does count: an allowed host reaches it', async (t) => {
  const listener = await listen(t)
  const sender = createSender({ guard: createAddressGuard(['127.0.0.1', 'localhost']), deadlineMs: 500 })
  t.after(() => sender.close())
  await sender.send({ url: `http://127.1:${listener.port}/`, headers: {}, body: '{}' })
  await sender.send({ url: `http://localhost.:${listener.port}/`, headers: {}, body: '{}' })
  assert.equal(listener.connections(), 2)
})

test('public addresses are fine, up to the edges of the special networks', () => {
  const guard = createAddressGuard([])
  const publicAddresses = [
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...[
      '128.0.0.0',
      '168.63.129.15',
      '168.63.129.17',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
    ],
    ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0'],
    ...[
      '198.17.255.255',
      '198.20.0.0',
      '198.51.99.255',
      '198.51.101.0',
      '203.0.112.255',
      '203.0.114.0',
      '223.255.255.255',
    ],
    ...[
      '2000::1',
      '2001:200::1',
      '2001:db7:ffff::1',
      '2001:db9::1',
      '2003::1',
      '2606:4700::1111',
      '3ffe:ffff::1',
      '3fff:1000::1',
    ],
    ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8'],
  ]
  for (const address of publicAddresses) {
    assert.equal(guard.judgeAddress(address, 'hooks.example'), undefined, address)
    assert.ok(guard.judgeUrl(`https://${address.includes(':') ? `[${address}]` : address}/`).url, address)
  }
})

test('what is no address is refused, and so is one with a zone', () => {
  const guard = createAddressGuard(['fe80::/10'])
  for (const address of ['', 'hooks.example', '127.1', '0x8.8.8.8', '8.8.8', '2606::1%eth0', 'fe80::1%eth0']) {
    assert.equal(guard.judgeAddress(address, 'hooks.example'), 'The address is private and not allowed.', address)
  }
})

test('an allowed host name makes its addresses fine, and only its own', () => {
  const guard = createAddressGuard(['Hooks.Internal.'])
  assert.equal(guard.judgeAddress('10.0.0.1', 'hooks.internal'), undefined)
  assert.equal(guard.judgeAddress('127.0.0.1', 'HOOKS.internal.'), undefined)
  for (const hostname of ['a.hooks.internal', 'hooks.internal.example', 'internal', 'xhooks.internal']) {
    assert.equal(guard.judgeAddress('10.0.0.1', hostname), 'The address is private and not allowed.')
  }
  assert.equal(guard.judgeUrl('http://hooks.internal./a').url?.href, 'http://hooks.internal/a')
  assert.match(guard.judgeUrl('http://a.hooks.internal/').refused!, /must begin with https/)
})

test('an allowed network makes the addresses in it fine, however written, and no others', () => {
  const guard = createAddressGuard(['10.1.0.0/16', 'fd00::/8', '192.168.7.7'])
  for (const address of ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', 'fd12::1', '192.168.7.7']) {
    assert.equal(guard.judgeAddress(address, 'hooks.example'), undefined, address)
  }
  for (const address of ['10.0.255.255', '10.2.0.0', 'fc00::1', '192.168.7.8', '::ffff:10.2.0.0', '::10.1.0.1']) {
    assert.equal(guard.judgeAddress(address, 'hooks.example'), 'The address is private and not allowed.', address)
  }
  assert.ok(guard.judgeUrl('http://10.1.2.3/').url)
  assert.ok(guard.judgeUrl('http://[fd12::1]:8080/').url)
  const compatible = createAddressGuard(['::10.1.0.0/112'])
  assert.equal(compatible.judgeAddress('::10.1.0.1', 'hooks.example'), undefined)
  assert.notEqual(compatible.judgeAddress('10.1.0.1', 'hooks.example'), undefined)
  assert.match(guard.judgeUrl('http://8.8.8.8/').refused!, /must begin with https/)
})

test('a URL is https, on port 80, 443 or above 1023, without user name or fragment, at most 2,048 characters', () => {
  const guard = createAddressGuard([])
  const fine = (text: string) => assert.equal(guard.judgeUrl(text).refused, undefined, text)
  const refused = (text: string, why: RegExp) => assert.match(guard.judgeUrl(text).refused ?? '', why, text)
  for (const port of [80, 443, 1024, 65535]) fine(`https://hooks.example:${port}/`)
  for (const port of [0, 1, 22, 25, 79, 81, 442, 444, 1023]) refused(`https://hooks.example:${port}/`, /port/)
  refused('https://hooks.example:65536/', /not valid/)
  const base = 'https://hooks.example/'
  fine(base + 'a'.repeat(2048 - base.length))
  refused(base + 'a'.repeat(2049 - base.length), /2,048/)
  refused(base + 'é'.repeat(400), /2,048/)
  refused('https://user@hooks.example/', /user name/)
  refused('https://:secret@hooks.example/', /user name/)
  refused('https://hooks.example/#', /fragment/)
  refused('https://hooks.example/a#b', /fragment/)
  refused('https://hooks.example./', /dot/)
  for (const text of [
    'http://hooks.example/',
    'ftp://hooks.example/',
    'file:///etc/passwd',
    'data:,x',
    'javascript:0',
  ]) {
    refused(text, /must begin with https/)
  }
  for (const text of ['', 'hooks.example', '//hooks.example/', 'https://', 'https:///', ' https://hooks.example/']) {
    refused(text, /not valid|must begin|port/)
  }
  for (const text of [
    'https://hooks.example/\n',
    'https://ho\toks.example/',
    'https://hooks.example/a b',
    'https://a\0b/',
  ]) {
    refused(text, /not valid/)
  }
  assert.equal(guard.judgeUrl('HTTPS://HOOKS.Example:443/ü?a=b').url?.href, 'https://hooks.example/%C3%BC?a=b')
})

test('the list of allowed hosts takes names, addresses and networks, and names each bad entry', () => {
  const good = 'hooks.internal, localhost 10.0.0.0/8,fd00::/8\n[::1] 127.0.0.1,bücher.example,my_service, 0.0.0.0/0'
  assert.deepEqual(parseAllowList(good).faults, [])
  assert.equal(parseAllowList(good).entries.length, 9)
  createAddressGuard(parseAllowList(good).entries)
  assert.deepEqual(parseAllowList(' , '), { entries: [], faults: [] })
  assert.deepEqual(
    parseAllowList('a.example:80,*.example,http://a.example,10.0.0.1/8,10.0.0.0/33,fd00::/129,127.1,fe80::1%a,a@b')
      .faults,
    [
      '"a.example:80" has a port; a host is allowed with all its ports.',
      '"*.example" has a wildcard; each host is allowed by its whole name.',
      '"http://a.example" is a URL; only its host name can be allowed.',
      '"10.0.0.1/8" has bits beyond its length; write 10.0.0.0/8 or a single address.',
      '"10.0.0.0/33" is no network; write one like 10.0.0.0/8 or fd00::/8.',
      '"fd00::/129" is no network; write one like 10.0.0.0/8 or fd00::/8.',
      '"127.1" is a short form of an address; write 127.0.0.1.',
      '"fe80::1%a" has a zone, which cannot be allowed.',
      '"a@b" is no host name, address or network.',
    ],
  )
  assert.throws(() => createAddressGuard(['*.example']), RangeError)
})

/** A listener on every address of this machine, which counts who comes. */
async function listen(t: TestContext): Promise<{ port: number; connections: () => number }> {
  let count = 0
  const server: Server = createServer((socket) => {
    count++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  return { port: address.port, connections: () => count }
}

function noTimings() {
  return { resolveMs: null, connectMs: null, tlsMs: null }
}
