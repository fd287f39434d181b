import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paceOf, paceText } from './pace.ts'

test('the pace is that since the page first looked, so that an import that goes on is not taken for a fast one', () => {
  const pace = paceOf({ atMs: 1_000, done: 5_000 }, { atMs: 3_000, done: 5_400 }, 6_000)
  assert.deepEqual(pace, { perS: 200, leftMs: 3_000 })
  assert.equal(paceText(pace!), '200 rows/s, 3 s left')
})

test('nothing is said before there is something to tell', () => {
  assert.equal(paceOf({ atMs: 0, done: 0 }, { atMs: 999, done: 50 }, 100), undefined)
  assert.equal(paceOf({ atMs: 0, done: 50 }, { atMs: 5_000, done: 50 }, 100), undefined)
})
