import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName } from './nearest-name.ts'

const names = ['serve', 'org', 'user', 'token', 'webhook', 'KITH_PORT', 'KITH_HOST']

for (const [given, meant] of [
  ['confg', undefined],
  ['sreve', 'serve'],
  ['server', 'serve'],
  ['Token', 'token'],
  ['web-hooks', 'webhook'],
  ['KITH_PROT', 'KITH_PORT'],
  ['KITH_HSOT', 'KITH_HOST'],
  ['x', undefined],
  ['', undefined],
  ['tokenization', undefined],
] as const) {
  test(`"${given}" was meant as ${meant ?? 'none of the names'}`, () => assert.equal(nearestName(given, names), meant))
}

test('of equally near names the first is taken', () => {
  assert.equal(nearestName('cat', ['bat', 'hat']), 'bat')
})

test('a text that nobody typed is compared with nothing', () => {
  assert.equal(nearestName('a'.repeat(64), ['a'.repeat(65)]), 'a'.repeat(65))
  assert.equal(nearestName('a'.repeat(65), ['a'.repeat(65)]), undefined)
})
