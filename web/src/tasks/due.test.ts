import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayBounds, dueOf, dueOn, dueWords } from './due.ts'

const NOW = new Date(2026, 4, 14, 9, 30)
const local = (...parts: [number, number, number, number?, number?, number?]) =>
  new Date(parts[0], parts[1] - 1, parts[2], parts[3] ?? 0, parts[4] ?? 0, parts[5] ?? 0).toISOString()

test('the day ends at midnight here, and the week with the seventh day after today', () => {
  assert.deepEqual(dayBounds(NOW), {
    now: NOW.toISOString(),
    tomorrow: local(2026, 5, 15),
    week_end: local(2026, 5, 22),
  })
})

test('a choice means the end of its day; next week is its Monday', () => {
  assert.equal(dueOf('today', NOW), local(2026, 5, 14, 23, 59, 59))
  assert.equal(dueOf('tomorrow', NOW), local(2026, 5, 15, 23, 59, 59))
  for (const day of [11, 14, 17]) {
    assert.equal(dueOf('next week', new Date(2026, 4, day, 12)), local(2026, 5, 18, 23, 59, 59), `day ${day}`)
  }
  assert.equal(dueOf('next week', new Date(2026, 4, 18, 12)), local(2026, 5, 25, 23, 59, 59))
  assert.equal(dueOn({ year: 2026, month: 12, day: 31 }), local(2026, 12, 31, 23, 59, 59))
})

test('near days have words, others a date; the time is told where it matters', () => {
  const cases: [string, string, boolean][] = [
    [local(2026, 5, 14, 23, 59, 59), 'today', false],
    [local(2026, 5, 14, 11, 0), 'today, 11:00 AM', false],
    [local(2026, 5, 14, 9, 0), 'today, 9:00 AM', true],
    [local(2026, 5, 13, 23, 59, 59), 'yesterday', true],
    [local(2026, 5, 15, 0, 0), 'tomorrow', false],
    [local(2026, 5, 17, 8), 'in 3 days', false],
    [local(2026, 5, 11, 8), '3 days ago', true],
    [local(2026, 6, 30), 'Jun 30', false],
    [local(2027, 1, 2), 'Jan 2, 2027', false],
  ]
  for (const [due, text, isOverdue] of cases) {
    const words = dueWords(due, NOW, 'en-US')
    assert.deepEqual({ ...words, text: words.text.replace('\u202f', ' ') }, { text, isOverdue })
  }
})
