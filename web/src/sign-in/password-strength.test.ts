import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strengthWords } from './password-strength.ts'

const words = (password: string) => strengthWords(password, 12)

test('a password is told by how much it is too short', () => {
  assert.match(words(''), /^At least 12 characters/)
  assert.equal(words('a'), '11 more characters.')
  assert.equal(words('abcdefghijk'), '1 more character.')
  assert.equal(words('🦆'.repeat(11)), '1 more character.')
})

test('length makes a password strong, repetition does not', () => {
  assert.equal(words('a'.repeat(40)), 'Weak: it repeats itself.')
  assert.equal(words('abcdefghijkl'), 'Fair: longer is better.')
  assert.equal(words('abcdefghijklmn'), 'Good.')
  assert.equal(words('abcdefghijklmnop'), 'Strong.')
  assert.equal(words('quiet harbour lantern'), 'Strong.')
})
