import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSigningSecret } from './secrets.ts'

test('a signing secret is whsec_ and the base64 of 32 bytes, another each time', () => {
  const secrets = Array.from({ length: 100 }, newSigningSecret)
  for (const secret of secrets) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32)
  }
  assert.equal(new Set(secrets).size, 100)
})
