import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPostgresUrl } from './postgres-url.ts'

/** Names, and the addresses of the servers one by one. */
function serversOf(text: string): [name: string, url: string][] | undefined {
  return readPostgresUrl(text)?.servers.map(({ name, url }) => [name, url])
}

test('an address with several servers becomes one address for each', () => {
  assert.deepEqual(serversOf('postgres://u:p@h1:5432,h2:5433,[::1]/kith?sslmode=disable'), [
    ['h1:5432', 'postgres://u:p@h1:5432/kith?sslmode=disable'],
    ['h2:5433', 'postgres://u:p@h2:5433/kith?sslmode=disable'],
    ['[::1]:5432', 'postgres://u:p@[::1]/kith?sslmode=disable'],
  ])
  assert.deepEqual(serversOf('postgresql://h1,h2'), [
    ['h1:5432', 'postgresql://h1'],
    ['h2:5432', 'postgresql://h2'],
  ])
})

test('servers may stand in parameters, and sockets have to', () => {
  assert.deepEqual(serversOf('postgres:///kith?host=a,b&port=1,2'), [
    ['a:1', 'postgres:///kith?host=a&port=1'],
    ['b:2', 'postgres:///kith?host=b&port=2'],
  ])
  assert.deepEqual(serversOf('postgres:///kith?host=/run/postgresql'), [
    ['/run/postgresql', 'postgres:///kith?host=%2Frun%2Fpostgresql'],
  ])
  assert.deepEqual(serversOf('postgres://%2Frun%2Fpostgresql/kith'), [
    ['/run/postgresql', 'postgres://%2Frun%2Fpostgresql/kith'],
  ])
})

test('which server is meant is read apart from the addresses', () => {
  const address = readPostgresUrl('postgres://h1,h2/kith?target_session_attrs=read-write&sslmode=disable')
  assert.equal(address?.attrs, 'read-write')
  assert.deepEqual(
    address?.servers.map(({ url }) => url),
    ['postgres://h1/kith?sslmode=disable', 'postgres://h2/kith?sslmode=disable'],
  )
  assert.equal(readPostgresUrl('postgres://h1/kith')?.attrs, undefined)
})

test('what names no server, or none that can be, is refused', () => {
  for (const text of [
    ...['postgres://h1,/kith', 'postgres://h1,,h2/kith', 'postgres://h1:x,h2/kith', 'postgres://h1,h2:70000/kith'],
    ...[
      'postgres://%zz/kith',
      'postgres://%ff/kith',
      'postgres:///kith?host=a,',
      'postgres:///kith?host=a,b,c&port=1,2',
    ],
    ...['postgres://h1/kith?target_session_attrs=main', 'mysql://h1,h2/kith', 'h1,h2', ''],
  ]) {
    assert.equal(readPostgresUrl(text), undefined, text)
  }
})
