import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dealsSearch, searchInWords } from './deals-search.ts'

test('the address is read, and what makes no sense there is left out', () => {
  const cases: [Record<string, unknown>, object][] = [
    [{}, {}],
    [
      { q: 'ada', label: 'hot', layout: 'table', chart: true },
      { q: 'ada', label: 'hot', layout: 'table', chart: true },
    ],
    [{ q: 42 }, { q: '42' }],
    [{ q: '', label: '', layout: 'board', chart: 'x', other: 1 }, {}],
    [{ q: ['a'], label: {}, layout: 1 }, {}],
    [{ q: 'x'.repeat(300) }, { q: 'x'.repeat(200) }],
  ]
  for (const [raw, expected] of cases) assert.deepEqual(dealsSearch(raw), expected)
})

test('a search in words', () => {
  assert.equal(searchInWords({ q: 'ada' }), '“ada”')
  assert.equal(searchInWords({ q: 'ada', label: 'hot' }), '“ada” with label hot')
  assert.equal(searchInWords({ label: 'hot' }), 'with label hot')
})
