import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as kind from './value-kinds.ts'

const cases: { kind: kind.Kind<unknown>; taken: [text: string, value: unknown][]; refused: string[] }[] = [
  {
    kind: kind.wholeNumber({ min: 1, max: 65_535 }),
    taken: [
      ['1', 1],
      ['65535', 65_535],
      ['0080', 80],
    ],
    refused: ['0', '65536', '', ' 5', '+5', '-5', '1e3', '0x50', '5.0', '9999999999999999', '٥'],
  },
  { kind: kind.oneOf(['pro', 'enterprise']), taken: [['pro', 'pro']], refused: ['Pro', '', 'pro,enterprise'] },
  {
    kind: kind.listOf(kind.network),
    taken: [
      ['', []],
      [' 10.0.0.0/8 ,, ::1', ['10.0.0.0/8', '::1']],
    ],
    refused: ['10.0.0.0/8, nonsense'],
  },
  {
    kind: kind.oneOrZero,
    taken: [
      ['1', true],
      ['0', false],
    ],
    refused: ['', 'true', 'yes', '2'],
  },
  { kind: kind.path('FILE'), taken: [['/etc/kith/../kith.pem', '/etc/kith.pem']], refused: ['', 'a\0b'] },
  {
    kind: kind.host,
    taken: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
      ['crm.example.com', 'crm.example.com'],
      ['a'.repeat(63), 'a'.repeat(63)],
    ],
    refused: ['', '[::1]', '127.0.0.1:80', 'http://host', 'a b', 'a..b', '-a', 'a'.repeat(64)],
  },
  {
    kind: kind.network,
    taken: [
      ['10.0.0.0/32', '10.0.0.0/32'],
      ['fd00::/128', 'fd00::/128'],
      ['192.0.2.1', '192.0.2.1'],
    ],
    refused: ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8', '10/8', 'proxy.example.com', ''],
  },
  {
    kind: kind.webOrigin,
    taken: [
      ['https://crm.example.com', 'https://crm.example.com'],
      ['https://crm.example.com/', 'https://crm.example.com'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ],
    refused: ['', 'crm.example.com', 'ftp://a', 'https://a/crm', 'https://a/?b', 'https://a/#b', 'https://u:p@a'],
  },
  {
    kind: kind.postgresUrl,
    taken: [
      ['postgres://kith@db:5432/kith', 'postgres://kith@db:5432/kith'],
      ['postgresql:///kith?host=/run/postgresql', 'postgresql:///kith?host=/run/postgresql'],
    ],
    refused: ['', 'mysql://db/kith', 'db/kith', 'postgres://db:port/kith'],
  },
]

for (const {
  kind: { expected, parse },
  taken,
  refused,
} of cases) {
  test(`${expected}: what fits is read, anything else is refused`, () => {
    for (const [text, value] of taken) assert.deepEqual(parse(text), value, text)
    for (const text of refused) assert.equal(parse(text), undefined, text)
  })
}

test('a host name is judged in linear time', () => {
  const began = performance.now()
  kind.host.parse(`${'a.-'.repeat(21_845)}!`)
  kind.host.parse(`${'a-'.repeat(32_768)}!`)
  assert.ok(performance.now() - began < 20)
})
