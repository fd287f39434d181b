import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxBetween, isDrawn, isInside, type Point, within } from './selection.ts'

const SQUARE = boxBetween([10, 10], [20, 20])
/** Open to the right. */
const HOOK: Point[] = [
  ...boxBetween([0, 0], [30, 10]).slice(0, 3),
  [10, 10],
  [10, 20],
  ...boxBetween([0, 20], [30, 30]).slice(1),
]
/** A five-pointed star in one stroke. */
const STAR: Point[] = [0, 2, 4, 1, 3].map((point) => {
  const turn = (point * 2 * Math.PI) / 5
  return [100 * Math.sin(turn), -100 * Math.cos(turn)]
})

test('a box takes in what is inside of it, however it was drawn', () => {
  for (const line of [SQUARE, SQUARE.toReversed(), boxBetween([20, 20], [10, 10]), boxBetween([10, 20], [20, 10])]) {
    assert.ok(isInside([15, 15], line))
    assert.ok(isInside([10.5, 19.5], line))
    for (const outside of [
      [9, 15],
      [21, 15],
      [15, 9],
      [15, 21],
      [0, 10],
      [30, 20],
    ] as Point[]) {
      assert.ok(!isInside(outside, line), `${outside}`)
    }
  }
})

test('a line with a bay leaves out what is in the bay', () => {
  assert.ok(isInside([5, 15], HOOK))
  assert.ok(isInside([20, 5], HOOK))
  assert.ok(isInside([20, 25], HOOK))
  assert.ok(!isInside([20, 15], HOOK))
})

test('where a line crosses itself, what it goes around twice is outside', () => {
  assert.ok(isInside([0, -70], STAR))
  assert.ok(!isInside([0, 0], STAR))
})

test('a line of no size takes in nothing', () => {
  for (const line of [
    [],
    [[5, 5]],
    [
      [5, 5],
      [9, 9],
    ],
  ] as Point[][])
    assert.ok(!isInside([5, 5], line))
})

test('the things inside are found by where they are drawn', () => {
  const things = [
    { id: 'a', latitude: 15, longitude: 15 },
    { id: 'b', latitude: 15, longitude: 25 },
    { id: 'c', latitude: 11, longitude: 19 },
  ]
  const found = within(things, SQUARE, ({ latitude, longitude }) => [longitude, latitude])
  assert.deepEqual(
    found.map(({ id }) => id),
    ['a', 'c'],
  )
})

test('a click that shakes is no box', () => {
  assert.ok(isDrawn(SQUARE))
  for (const line of [[[5, 5]], boxBetween([5, 5], [8, 60]), boxBetween([5, 5], [60, 9])] as Point[][]) {
    assert.ok(!isDrawn(line))
  }
})
