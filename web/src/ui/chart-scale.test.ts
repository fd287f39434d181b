import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaPath, roundTop, stack } from './chart-scale.ts'

test('the top of a chart is the next round number', () => {
  assert.deepEqual(
    [[], [0], [1], [3], [7, 12], [48_200], [5000], [0.3]].map(roundTop),
    [1, 1, 1, 5, 20, 50_000, 5000, 0.5],
  )
})

test('an area goes from left to right and closes along the bottom', () => {
  assert.deepEqual(areaPath([0, 5, 10], 10), { line: 'M0 100L50 50L100 0', area: 'M0 100L50 50L100 0L100 100L0 100Z' })
  assert.deepEqual(areaPath([], 10), { line: '', area: '' })
})

test('the parts of a column stand on each other', () => {
  assert.deepEqual(stack([5, 2], 10), [
    { y: 50, height: 50 },
    { y: 30, height: 20 },
  ])
})
