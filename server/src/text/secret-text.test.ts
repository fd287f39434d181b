import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdsPassword, withoutPassword, withoutSecrets } from './secret-text.ts'

test('of an API token the listed first 12 characters are left', () => {
  assert.equal(withoutSecrets('kith_1a2b3c4d5e6f7g8h is wrong'), 'kith_1a2b3c4… is wrong')
  assert.equal(withoutSecrets('kith_1a2b3c4'), 'kith_1a2b3c4')
})

test('of a signing secret nothing is left', () => {
  assert.equal(withoutSecrets('with whsec_abc+/def=, sent'), 'with whsec_…, sent')
})

test('of an address the password is left out', () => {
  assert.equal(
    withoutSecrets('to postgres://kith:pa:ss@db:5432/kith failed'),
    'to postgres://kith:…@db:5432/kith failed',
  )
  assert.equal(withoutSecrets('to https://db:5432/a@b'), 'to https://db:5432/a@b')
})

test('secrets are looked for in linear time', () => {
  const began = performance.now()
  for (const worst of ['://a:', '://', 'kith_', 'whsec_', ':']) withoutSecrets(worst.repeat(65_536 / worst.length))
  assert.ok(performance.now() - began < 100)
})

test('a password is found in front of the host and among the parameters, and masked', () => {
  assert.equal(holdsPassword('postgres://kith@db/kith?sslmode=require'), false)
  assert.equal(withoutPassword('postgres://kith@db/kith'), 'postgres://kith@db/kith')
  for (const [url, masked] of [
    ['postgres://kith:pw@db/kith', 'postgres://kith:***@db/kith'],
    ['postgres://db/kith?password=pw&user=kith', 'postgres://db/kith?password=***&user=kith'],
    ['postgres:///kith?sslpassword=pw', 'postgres:///kith?sslpassword=***'],
    ['postgres://db1:pw@db1:5432,db2:5433/kith?a=b', 'postgres://db1:***@db1:5432,db2:5433/kith?a=b'],
  ] as const) {
    assert.equal(holdsPassword(url), true)
    assert.equal(withoutPassword(url), masked)
  }
})
