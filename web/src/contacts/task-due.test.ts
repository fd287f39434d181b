import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueTime } from './task-due.ts'

const now = new Date(2026, 0, 30, 23, 30)

test('a day is meant by the calendar, over the end of a month too', () => {
  assert.equal(dueTime('today', now), new Date(2026, 0, 30, 17).toISOString())
  assert.equal(dueTime('tomorrow', now), new Date(2026, 0, 31, 17).toISOString())
  assert.equal(dueTime('week', now), new Date(2026, 1, 6, 17).toISOString())
  assert.equal(dueTime('none', now), null)
})
