import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, part, shown } from './statistics.ts'

test('the median is the value in the middle, or the mean of the two there', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([9, 1, 5, 6]), 5.5)
  assert.throws(() => median([]), RangeError)
})

test('a part lies between the values beside it', () => {
  const values = Array.from({ length: 101 }, (_, i) => i)
  assert.deepEqual([part(values, 0), part(values, 0.99), part(values, 1)], [0, 99, 100])
  assert.equal(part([10, 20], 0.25), 12.5)
})

test('a number is shown with three digits that count', () => {
  assert.deepEqual([0, 3, 0.123, 1.005, 12.34, 123.4, 1_234_567].map(shown), [
    '0',
    '3',
    '0.12',
    '1.00',
    '12.3',
    '123',
    '1,234,567',
  ])
})
