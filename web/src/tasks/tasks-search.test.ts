import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tasksSearch } from './tasks-search.ts'

test('the address is read, and what makes no sense there is left out', () => {
  const cases: [Record<string, unknown>, object][] = [
    [{}, {}],
    [
      { status: 'done', category: 'call' },
      { status: 'done', category: 'call' },
    ],
    [{ due: 'overdue' }, { due: 'overdue' }],
    [{ status: 'cancelled', due: 'today' }, { status: 'cancelled' }],
    [{ status: 'open', due: 'done', category: '' }, {}],
    [{ category: 'x'.repeat(80) }, { category: 'x'.repeat(64) }],
  ]
  for (const [raw, expected] of cases) assert.deepEqual(tasksSearch(raw), expected)
})
