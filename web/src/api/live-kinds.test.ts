import assert from 'node:assert/strict'
import { test } from 'node:test'
import { staleKeys } from './live-kinds.ts'

test('a change of one contact makes the lists and that contact stale, and no other contact', () => {
  assert.deepEqual(staleKeys([{ kind: 'contact', id: 'a' }]), [
    ['contacts'],
    ['deals'],
    ['tasks'],
    ['places'],
    ['contact', 'a'],
  ])
})

test('a hundred messages about one kind name each key once', () => {
  const messages = Array.from({ length: 100 }, () => ({ kind: 'delivery', id: null }))
  assert.deepEqual(staleKeys(messages), [['deliveries'], ['webhooks']])
})

test('a change of contacts that names none makes every contact stale', () => {
  assert.deepEqual(staleKeys([{ kind: 'contact', id: null }]).at(-1), ['contact'])
})

test('a kind that this page does not know yet changes nothing', () => {
  assert.deepEqual(staleKeys([{ kind: 'prospect', id: null }]), [])
})
