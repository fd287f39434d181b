import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elementPx, HEIGHT_PX_MAX, offsetToShow, rowsInView, scrolledTo, settledTop, topFor } from './scroll-map.ts'

const ROW = 40
const few = { listPx: 100_000 * ROW, viewPx: 600 }
const many = { listPx: 2_000_000 * ROW, viewPx: 600 }

test('up to 400,000 rows the element is as high as the list and scrolls with it', () => {
  assert.equal(elementPx(few), 4_000_000)
  assert.deepEqual(scrolledTo({ top: 0, offset: 0 }, 123_456, few), { top: 123_456, offset: 123_456 })
  assert.deepEqual(topFor(99_999_999, few), { top: 3_999_400, offset: 3_999_400 })
})

test('above, the element ends below what browsers can lay out, and both ends of the list are reached', () => {
  assert.equal(elementPx(many), HEIGHT_PX_MAX)
  assert.equal(scrolledTo({ top: 900, offset: 5000 }, 0, many).offset, 0)
  const bottom = scrolledTo({ top: 0, offset: 0 }, HEIGHT_PX_MAX - 600, many)
  assert.deepEqual(rowsInView(bottom.offset, { ...many, rowPx: ROW }), { first: 1_999_985, last: 1_999_999 })
})

test('above, a small scroll moves by its own pixels and a jump goes to its share', () => {
  const at = topFor(40_000_000, many)
  assert.deepEqual(scrolledTo(at, at.top + 100, many), { top: at.top + 100, offset: 40_000_100 })
  const quarter = scrolledTo(at, (HEIGHT_PX_MAX - 600) / 4, many)
  assert.equal(Math.round(quarter.offset), (many.listPx - 600) / 4)
})

test('above, the thumb goes back to where the rows are, and every row can be reached by small scrolls', () => {
  let scrolled = topFor(0, many)
  for (let step = 0; step < 10_000; step++) {
    scrolled = scrolledTo(scrolled, scrolled.top + 100, many)
    if (step % 50 === 0) scrolled = settledTop(scrolled, many)
  }
  assert.equal(scrolled.offset, 1_000_000)
  assert.ok(Math.abs(settledTop(scrolled, many).top - (1_000_000 / (many.listPx - 600)) * (HEIGHT_PX_MAX - 600)) <= 1)
})

test('the rows in view are those that show a pixel', () => {
  const shape = { ...few, rowPx: ROW }
  assert.deepEqual(rowsInView(0, shape), { first: 0, last: 14 })
  assert.deepEqual(rowsInView(39, shape), { first: 0, last: 15 })
  assert.deepEqual(rowsInView(40, shape), { first: 1, last: 15 })
  assert.deepEqual(rowsInView(0, { listPx: 120, viewPx: 600, rowPx: ROW }), { first: 0, last: 2 })
  assert.deepEqual(rowsInView(0, { listPx: 0, viewPx: 600, rowPx: ROW }), { first: 0, last: -1 })
})

test('a row is brought into view with the least scrolling', () => {
  const view = { rowPx: ROW, viewPx: 600 }
  assert.equal(offsetToShow(5, 0, view), 0, 'in view already')
  assert.equal(offsetToShow(15, 0, view), 40)
  assert.equal(offsetToShow(3, 400, view), 120)
  assert.equal(offsetToShow(3, 400, { rowPx: ROW, viewPx: 20 }), 120, 'its beginning, in a view lower than a row')
})
