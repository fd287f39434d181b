import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EVERYTHING,
  isNothing,
  isSelected,
  NOTHING,
  selectedAs,
  selectedCount,
  targetOf,
  toggled,
} from './selection.ts'

test('a contact is selected by its id and given up again', () => {
  const one = toggled(NOTHING, 'a')
  assert.equal(isSelected(one, 'a'), true)
  assert.equal(isSelected(one, 'b'), false)
  assert.equal(selectedCount(one, 9), 1)
  assert.equal(isNothing(toggled(one, 'a'), 9), true)
  assert.equal(isSelected(NOTHING, 'a'), false, 'the selection that was there is not changed')
})

test('all matching is all but those given up, whether they have been seen or not', () => {
  const most = toggled(EVERYTHING, 'a')
  assert.equal(isSelected(most, 'a'), false)
  assert.equal(isSelected(most, 'never seen'), true)
  assert.equal(selectedCount(most, 100_000), 99_999)
  assert.equal(selectedCount(most, null), null, 'not known before the list is counted')
  assert.equal(selectedCount(toggled(most, 'a'), 100_000), 100_000)
})

test('a range is selected or given up as one', () => {
  const three = selectedAs(NOTHING, ['a', 'b', 'c'], true)
  assert.equal(selectedCount(selectedAs(three, ['b', 'c', 'd'], false), 9), 1)
  assert.equal(selectedCount(selectedAs(EVERYTHING, ['a', 'b'], false), 9), 7)
})

test('the server is told ids, or the filter with its exceptions and the number that was shown', () => {
  assert.deepEqual(targetOf(selectedAs(NOTHING, ['a', 'b'], true), { q: 'x' }, 9), { ids: ['a', 'b'] })
  assert.deepEqual(targetOf(toggled(EVERYTHING, 'a'), { q: 'x' }, 9), {
    filter: { q: 'x' },
    except: ['a'],
    expected: 8,
  })
  assert.deepEqual(targetOf(EVERYTHING, {}, null), { filter: {}, except: [] })
})
