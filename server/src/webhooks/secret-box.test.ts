import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyFingerprint, openText, sealText } from './secret-box.ts'

const key = randomBytes(32)

test('a sealed text opens with its key and context', () => {
  for (const text of ['', 'whsec_abc', 'é€😀\0', 'x'.repeat(10_000)]) {
    assert.equal(openText(key, sealText(key, text, 'org/subscription'), 'org/subscription'), text)
  }
})

test('a text sealed by the written-down form opens: version 1, nonce, ciphertext, tag', () => {
  const fixedKey = new Uint8Array(32).map((_, index) => index)
  const sealed = Buffer.from(GOLDEN, 'hex')
  assert.equal(openText(fixedKey, sealed, 'org/subscription'), 'whsec_golden')
  assert.equal(sealed.length, 1 + 12 + 'whsec_golden'.length + 16)
})

test('the same text sealed twice has nothing in common but its version', () => {
  const [a, b] = [sealText(key, 'whsec_abc', 'c'), sealText(key, 'whsec_abc', 'c')]
  assert.equal(a[0], 1)
  assert.notDeepEqual(a.subarray(1, 13), b.subarray(1, 13))
  assert.ok(!Buffer.from(a).includes('whsec_'))
})

test('another key or another context does not open it', () => {
  const sealed = sealText(key, 'whsec_abc', 'org/one')
  assert.throws(() => openText(randomBytes(32), sealed, 'org/one'), /another key or for another record/)
  assert.throws(() => openText(key, sealed, 'org/two'), /another key or for another record/)
})

test('a change of any byte keeps it from opening', () => {
  const sealed = sealText(key, 'whsec_abc', 'c')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed)
    changed[at]! ^= 1
    assert.throws(() => openText(key, changed, 'c'), at === 0 ? /unknown version 0/ : /does not open/)
  }
})

test('bytes cut off keep it from opening', () => {
  const sealed = sealText(key, 'whsec_abc', 'c')
  assert.throws(() => openText(key, sealed.subarray(0, -1), 'c'), /does not open/)
  assert.throws(() => openText(key, sealed.subarray(0, 28), 'c'), /too short/)
  assert.throws(() => openText(key, new Uint8Array(), 'c'), /too short/)
})

test('a key of other than 32 bytes is refused', () => {
  for (const bytes of [0, 16, 31, 33]) {
    const bad = randomBytes(bytes)
    assert.throws(() => sealText(bad, 'x', 'c'), RangeError)
    assert.throws(() => openText(bad, sealText(key, 'x', 'c'), 'c'), RangeError)
    assert.throws(() => keyFingerprint(bad), RangeError)
  }
})

test('the fingerprint is the same for the same key and tells keys apart', () => {
  assert.match(keyFingerprint(key), /^[0-9a-f]{16}$/)
  assert.equal(keyFingerprint(key), keyFingerprint(Uint8Array.from(key)))
  assert.notEqual(keyFingerprint(key), keyFingerprint(randomBytes(32)))
})

const GOLDEN = '01000102030405060708090a0b306aa57ea6baa574e125f2e50aabf068091465b430afe4fd374c235a'
