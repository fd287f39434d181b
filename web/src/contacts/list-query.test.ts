import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactsSearch, differsFromView, filterInWords, listOf, type View } from './list-query.ts'

const view: View = { id: 'v1', name: 'Berlin', filter: { q: 'berlin', labels: ['hot', null] }, sort: 'name' }

test('an address is read as far as it makes sense', () => {
  assert.deepEqual(contactsSearch({ q: 'ada', stage: ['lead', null, 'lead'], label: 'hot', sort: '-value', x: 1 }), {
    q: 'ada',
    stage: ['lead', null],
    label: ['hot'],
    sort: '-value',
  })
  assert.deepEqual(contactsSearch({ q: 42, sort: 'shoe size', stage: [{}] }), { q: '42', stage: [] })
})

test('a view is its filter and sort', () => {
  assert.deepEqual(listOf({ view: 'v1' }, [view]), { filter: { q: 'berlin', labels: ['hot', null] }, sort: 'name' })
  assert.deepEqual(listOf({ view: 'no-stage' }, []), { filter: { stages: [null] }, sort: '-created' })
  assert.deepEqual(listOf({ view: 'gone' }, []), { filter: {}, sort: '-created' })
})

test('what stands in the address takes the place of what the view says, nothing included', () => {
  const search = { view: 'v1', q: 'paris', label: [], sort: '-created' as const }
  assert.deepEqual(listOf(search, [view]), { filter: { q: 'paris' }, sort: '-created' })
  assert.equal(differsFromView(search, [view]), true)
  assert.equal(differsFromView({ view: 'v1', q: 'berlin' }, [view]), false)
})

test('blanks are no search', () => {
  assert.deepEqual(listOf({ q: '  ' }, []).filter, {})
})

test('a filter in words', () => {
  assert.equal(filterInWords({ q: 'xyz', stages: ['won'] }), '“xyz” with stage won')
  assert.equal(filterInWords({ stages: ['won', 'lost', null] }), 'with stage won or lost or no stage')
  assert.equal(filterInWords({ labels: [null], tag: 'vip' }), 'with no label and tag vip')
})
