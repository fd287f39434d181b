import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldFaults } from './form-faults.ts'

test('a fault names its field as the page does', () => {
  const faults = [{ path: 'full_name', code: 'required', message: 'full_name is required.' } as const]
  assert.deepEqual(fieldFaults(faults), [{ field: 'full_name', message: 'Full name is required.' }])
  assert.deepEqual(fieldFaults(faults, { full_name: 'Name' }), [{ field: 'full_name', message: 'Name is required.' }])
})

test('a fault in a list belongs to the list, and the first of a field counts', () => {
  const faults = [
    { path: 'tags/3', code: 'too_long', message: 'tags/3 must have at most 64 characters.' },
    { path: 'tags/9', code: 'too_long', message: 'tags/9 must have at most 64 characters.' },
  ] as const
  assert.deepEqual(fieldFaults([...faults]), [{ field: 'tags', message: 'Tags must have at most 64 characters.' }])
})

test('a fault of the whole keeps its words', () => {
  const faults = [{ path: '', code: 'too_many', message: 'There are 3 more faults.' } as const]
  assert.deepEqual(fieldFaults(faults), [{ field: '', message: 'There are 3 more faults.' }])
})

test('a fault of the whole names fields as the page does', () => {
  const fault = { path: '', code: 'required' as const, message: 'A contact needs a full_name or a company.' }
  assert.deepEqual(fieldFaults([fault], { full_name: 'Name' }), [
    { field: '', message: 'A contact needs a name or a company.' },
  ])
})
