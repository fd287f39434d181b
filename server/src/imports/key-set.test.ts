import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeySet } from './key-set.ts'

test('200,000 texts that differ little are told apart, those that were added from those that were not', () => {
  const keys = new KeySet()
  const text = (at: number) => `person.${at}@example.com`
  for (let at = 0; at < 200_000; at += 2) keys.add(text(at))
  for (let at = 0; at < 200_000; at++) assert.equal(keys.has(text(at)), at % 2 === 0, text(at))
  assert.equal(keys.has(''), false)
  keys.add('')
  assert.equal(keys.has(''), true)
})
