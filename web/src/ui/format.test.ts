import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytes, calendarDays, counted, duration, money, relativeTime, shortMoney } from './format.ts'

const NOW = new Date(2026, 4, 14, 9, 30).getTime()
const ago = (ms: number) => new Date(NOW - ms).toISOString()
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('a time is relative under seven days and a date after that', () => {
  const said = (ms: number) => relativeTime(ago(ms), NOW, 'en-GB')
  assert.equal(said(0), 'just now')
  assert.equal(said(5 * MINUTE), '5 minutes ago')
  assert.equal(said(2 * HOUR), '2 hours ago')
  assert.equal(said(26 * HOUR), 'yesterday')
  assert.equal(said(6 * DAY), '6 days ago')
  assert.equal(said(7 * DAY), '7 May')
  assert.equal(said(400 * DAY), '9 Apr 2025')
})

test('a time to come is told in the same way', () => {
  const said = (ms: number) => relativeTime(ago(-ms), NOW, 'en-GB')
  assert.equal(said(20_000), 'in a moment')
  assert.equal(said(3 * HOUR), 'in 3 hours')
  assert.equal(said(DAY), 'tomorrow')
  assert.equal(said(8 * DAY), '22 May')
})

test('tomorrow begins at midnight', () => {
  const late = new Date(2026, 4, 14, 23, 59).getTime()
  assert.equal(calendarDays(late, late + 2 * MINUTE), 1)
  assert.equal(calendarDays(late, late - 23 * HOUR), 0)
})

test('money shows cents only where there are any, and takes any currency', () => {
  assert.equal(money(48200, 'EUR', 'en-GB'), '€48,200')
  assert.equal(money(48200.5, 'EUR', 'en-GB'), '€48,200.50')
  assert.equal(money(-12, 'USD', 'en-US'), '-$12')
  assert.equal(money(5, 'no currency', 'en-US'), '5')
  assert.equal(shortMoney(48_200, 'EUR', 'en-US'), '€48.2K')
})

test('counts, sizes and durations carry their unit', () => {
  assert.equal(counted(1, 'contact', undefined, 'en-GB'), '1 contact')
  assert.equal(counted(1204, 'contact', undefined, 'en-GB'), '1,204 contacts')
  assert.equal(counted(2, 'delivery', 'deliveries', 'en-GB'), '2 deliveries')
  assert.equal(bytes(1_400_000, 'en-GB'), '1.4 MB')
  assert.equal(bytes(12, 'en-GB'), '12 bytes')
  assert.deepEqual([84, 1200, 61_000, 7_500_000].map(duration), ['84 ms', '1.2 s', '1 min 1 s', '2 h 5 min'])
})
