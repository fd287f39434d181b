import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayGroups } from './day-groups.ts'

const at = (day: string, hour: number) => ({
  occurred_at: new Date(`${day}T${String(hour).padStart(2, '0')}:00:00`).toISOString(),
})
const now = new Date('2026-05-14T12:00:00').getTime()

test('a history is cut where the day changes, by the calendar and not by 24 hours', () => {
  const lines = [
    at('2026-05-14', 1),
    at('2026-05-13', 23),
    at('2026-05-13', 0),
    at('2026-05-01', 9),
    at('2025-12-31', 9),
  ]
  assert.deepEqual(
    dayGroups(lines, now, 'en-GB').map(({ title, lines: of }) => [title, of.length]),
    [
      ['Today', 1],
      ['Yesterday', 2],
      ['Friday 1 May', 1],
      ['Wednesday, 31 December 2025', 1],
    ],
  )
})

test('what was planned stands under its day too; nothing has no groups', () => {
  assert.deepEqual(dayGroups([at('2026-05-15', 9)], now)[0]?.title, 'Tomorrow')
  assert.deepEqual(dayGroups([], now), [])
})
