import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pagesBetween, pagesToAsk } from './pages.ts'

test('the pages in view come first, then one on each side', () => {
  assert.deepEqual(pagesToAsk({ first: 0, last: 20 }, 100_000), [0, 1])
  assert.deepEqual(pagesToAsk({ first: 450, last: 470 }, 100_000), [2, 3, 1])
  assert.deepEqual(pagesToAsk({ first: 390, last: 410 }, 100_000), [1, 2, 3, 0])
})

test('a steady fast scroll is met by more pages ahead of it, a fling is not', () => {
  const span = { first: 2050, last: 2070 }
  assert.deepEqual(pagesToAsk(span, 100_000, 1000), [10, 11, 9, 12, 13])
  assert.deepEqual(pagesToAsk(span, 100_000, -1000), [10, 11, 9, 8, 7])
  assert.deepEqual(pagesToAsk(span, 100_000, 50), [10, 11, 9])
  assert.deepEqual(pagesToAsk(span, 100_000, 90_000), [10, 11, 9])
})

test('no page is asked for that the list does not have', () => {
  assert.deepEqual(pagesToAsk({ first: 0, last: 20 }, 200), [0])
  assert.deepEqual(pagesToAsk({ first: 980, last: 1000 }, 1000), [4, 3])
  assert.deepEqual(pagesToAsk({ first: 5000, last: 5020 }, 150), [0], 'a list that became short')
  assert.deepEqual(pagesToAsk({ first: 0, last: 0 }, 0), [0], 'an empty list is asked for, to see that it is')
})

test('a range of rows names its pages, whichever end is first', () => {
  assert.deepEqual(pagesBetween(10, 620), [0, 1, 2, 3])
  assert.deepEqual(pagesBetween(620, 400), [2, 3])
})
