import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  layoutFrom,
  movedBy,
  movedTo,
  resized,
  showingOnly,
  shownColumns,
  USUAL_LAYOUT,
  WIDTH_PX_MAX,
  WIDTH_PX_MIN,
  widthOf,
  withHidden,
} from './columns.ts'

const shown = (layout: typeof USUAL_LAYOUT) => shownColumns(layout).map(({ id }) => id)

test('a column moves past the next one that is shown', () => {
  const hidden = withHidden(USUAL_LAYOUT, 'email', true)
  assert.deepEqual(shown(movedBy(hidden, 'company', 1)).slice(0, 3), ['full_name', 'phone', 'company'])
  assert.deepEqual(shown(movedBy(hidden, 'phone', -1)).slice(0, 3), ['full_name', 'phone', 'company'])
  assert.equal(movedBy(USUAL_LAYOUT, 'updated_at', 1), USUAL_LAYOUT, 'the last one stays')
})

test('the name stays first and in view', () => {
  assert.equal(movedBy(USUAL_LAYOUT, 'full_name', 1), USUAL_LAYOUT)
  assert.equal(movedBy(USUAL_LAYOUT, 'company', -1), USUAL_LAYOUT)
  assert.equal(withHidden(USUAL_LAYOUT, 'full_name', true), USUAL_LAYOUT)
  assert.equal(shown(showingOnly(USUAL_LAYOUT, ['email']))[0], 'full_name')
})

test('a column dropped on another takes its place', () => {
  assert.deepEqual(shown(movedTo(USUAL_LAYOUT, 'company', 'phone')).slice(1, 4), ['email', 'phone', 'company'])
  assert.deepEqual(shown(movedTo(USUAL_LAYOUT, 'phone', 'company')).slice(1, 4), ['phone', 'company', 'email'])
})

test('hidden columns come back where they were', () => {
  const hidden = withHidden(USUAL_LAYOUT, 'company', true)
  assert.equal(shown(hidden).includes('company'), false)
  assert.deepEqual(shown(withHidden(hidden, 'company', false)), shown(USUAL_LAYOUT))
})

test('the columns of a view are shown in its order', () => {
  assert.deepEqual(shown(showingOnly(USUAL_LAYOUT, ['email', 'company', 'gone'])), ['full_name', 'email', 'company'])
})

test('a width stays within reason', () => {
  assert.equal(widthOf(resized(USUAL_LAYOUT, 'email', 3), 'email'), WIDTH_PX_MIN)
  assert.equal(widthOf(resized(USUAL_LAYOUT, 'email', 3000), 'email'), WIDTH_PX_MAX)
  assert.equal(widthOf(resized(USUAL_LAYOUT, 'email', 300.4), 'email'), 300)
  assert.equal(widthOf(USUAL_LAYOUT, 'email'), 210)
})

test('what a browser has kept is taken as far as it makes sense', () => {
  const changed = resized(withHidden(movedBy(USUAL_LAYOUT, 'email', 1), 'label', true), 'email', 300)
  assert.deepEqual(layoutFrom(JSON.parse(JSON.stringify(changed))), changed)
  assert.equal(layoutFrom(null), USUAL_LAYOUT)
  assert.deepEqual(
    layoutFrom({ order: 7, hidden: ['full_name', 'x'], widthsPx: { email: 'wide', y: 100 } }),
    USUAL_LAYOUT,
  )
  assert.deepEqual(
    shown(layoutFrom({ order: ['email', 'email', 'gone'] })).slice(0, 3),
    ['full_name', 'email', 'company'],
    'columns that are new since come last',
  )
})
