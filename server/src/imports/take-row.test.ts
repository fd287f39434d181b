import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contact, ContactInput } from '../contacts/schema.ts'
import { patchOf } from './take-row.ts'
import { restoring } from './undo.ts'

const CONTACT: Contact = {
  id: '0196ceb0-5c1e-7a3d-8f00-2b1d9c4e7a10',
  full_name: 'Ada',
  company: null,
  email: 'ada@example.com',
  phone: '1',
  location: null,
  deal_stage: null,
  deal_value: 0,
  label: null,
  tags: ['a'],
  created_at: '2026-05-14T09:30:00.000Z',
  updated_at: '2026-05-14T09:30:00.000Z',
}

const PATCHES: [what: string, input: ContactInput, filled: ContactInput, updated: ContactInput][] = [
  ['an empty cell changes nothing', { phone: null, company: null }, {}, {}],
  ['what is the same is no change', { full_name: 'Ada', tags: ['a'] }, {}, {}],
  ['what is empty is set', { company: 'Acme' }, { company: 'Acme' }, { company: 'Acme' }],
  ['what is there is kept, or updated', { phone: '2', deal_value: 5 }, {}, { phone: '2', deal_value: 5 }],
  ['tags come beside those that are there', { tags: ['b', 'a'] }, { tags: ['a', 'b'] }, { tags: ['a', 'b'] }],
]

for (const [what, input, filled, updated] of PATCHES) {
  test(`a row about a contact that is there: ${what}`, () => {
    assert.deepEqual(patchOf(CONTACT, input, 'fill'), filled)
    assert.deepEqual(patchOf(CONTACT, input, 'update'), updated)
  })
}

test('a contact has at most 50 tags, of which its own stay', () => {
  const tags = Array.from({ length: 60 }, (_, at) => `t${at}`)
  assert.deepEqual(patchOf(CONTACT, { tags }, 'fill'), { tags: ['a', ...tags.slice(0, 49)] })
})

test('undoing puts back the fields that nobody has set since', () => {
  const before = { phone: '0', label: 'cold', tags: [] }
  const after = { phone: '1', label: 'hot', tags: ['a'] }
  assert.deepEqual(restoring(CONTACT, { before, after }), { patch: { phone: '0', tags: [] }, edited: ['label'] })
})
