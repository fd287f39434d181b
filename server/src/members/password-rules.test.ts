import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commonPasswords } from '../../../scripts/common-passwords.ts'
import { newPassword, passwordFaults } from './password-rules.ts'

const person = { email: 'ada@example.com', orgName: 'Analytical Engines' }

const codesOf = (password: string) => passwordFaults(password, person).map(({ path, code }) => `${path} ${code}`)

test('a password has 12 to 256 characters of any kind', () => {
  for (const password of [
    'x7 pl0ver qu',
    'ä'.repeat(6) + 'b'.repeat(6),
    `${'🦆'.repeat(11)}a`,
    `${'🦆'.repeat(255)}a`,
  ]) {
    assert.deepEqual(codesOf(password), [], password)
  }
  assert.deepEqual(codesOf('x7 pl0ver q'), ['password out_of_range'])
  assert.deepEqual(codesOf(`${'🦆'.repeat(10)}a`), ['password out_of_range'])
  assert.deepEqual(codesOf('🦆b'.repeat(128)), [])
  assert.deepEqual(codesOf(`${'🦆b'.repeat(128)}c`), ['password too_long'])
  assert.deepEqual(codesOf(''), ['password out_of_range'])
})

test('a password is taken exactly as sent: blanks count', () => {
  assert.deepEqual(codesOf('  pl0ver   q '), [])
})

test('a password holds no NUL and no lone surrogate', () => {
  assert.deepEqual(codesOf('pl0ver\0plover'), ['password bad_format'])
  assert.deepEqual(codesOf('pl0verplover\ud83e'), ['password bad_format'])
})

test('a common password is refused, in whatever case', () => {
  for (const password of [
    'passwordpassword',
    '123456789012',
    'Qwertyuiop12',
    'Jennifer1985',
    'Welcome2026!!',
    'aaaaaaaaaaaa',
  ]) {
    assert.deepEqual(codesOf(password), ['password not_allowed'], password)
  }
})

test('the e-mail address and the name of the org are refused, in whatever case', () => {
  assert.deepEqual(codesOf('Ada@Example.com'), ['password not_allowed'])
  assert.deepEqual(codesOf('analytical engines'), ['password not_allowed'])
})

test('the list of common passwords is what its rule makes, at least 3,000 of 12 characters or more', () => {
  const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
  assert.equal(list, `${commonPasswords().join('\n')}\n`)
  const passwords = list.trimEnd().split('\n')
  assert.ok(passwords.length >= 3_000)
  assert.ok(passwords.every((password) => password.length >= 12 && password === password.toLowerCase()))
})

test('a password that the service makes is a good one, another each time', () => {
  const made = Array.from({ length: 100 }, newPassword)
  assert.equal(new Set(made).size, 100)
  for (const password of made) {
    assert.match(password, /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
    assert.deepEqual(codesOf(password), [])
  }
})
