import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contact } from '@server/contacts/schema.ts'
import { undoOf } from './bulk.ts'

const contacts = [
  { id: 'a', deal_stage: 'lead', label: 'hot', tags: ['x'] },
  { id: 'b', deal_stage: null, label: 'hot', tags: [] },
  { id: 'c', deal_stage: 'lead', label: null, tags: [] },
] as unknown as Contact[]

test('contacts that had the same go back together', () => {
  assert.deepEqual(undoOf({ set: { deal_stage: 'won' } }, contacts), [
    { ids: ['a', 'c'], change: { set: { deal_stage: 'lead' } } },
    { ids: ['b'], change: { set: { deal_stage: null } } },
  ])
})

test('a tag is taken from those alone that did not have it', () => {
  assert.deepEqual(undoOf({ add_tag: 'x' }, contacts), [{ ids: ['b', 'c'], change: { remove_tag: 'x' } }])
  assert.equal(undoOf({ add_tag: 'x' }, contacts.slice(0, 1)), undefined)
})

test('tasks and deletions are not taken back', () => {
  assert.equal(undoOf({ delete: true }, contacts), undefined)
  assert.equal(undoOf({ add_task: { title: 'Call' } }, contacts), undefined)
})
