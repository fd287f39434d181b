import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import test from 'node:test'
import fc from 'fast-check'
import { parseTime } from './times.ts'

test('a time with any offset is stored as UTC with milliseconds', () => {
  const cases: [string, string][] = [
    ['2026-05-14T09:30:00Z', '2026-05-14T09:30:00.000Z'],
    ['2026-05-14T09:30Z', '2026-05-14T09:30:00.000Z'],
    ['2026-05-14T09:30:00.5Z', '2026-05-14T09:30:00.500Z'],
    ['2026-05-14T09:30:00,25Z', '2026-05-14T09:30:00.250Z'],
    ['2026-05-14T09:30:00.123999999Z', '2026-05-14T09:30:00.123Z'],
    ['2026-05-14T09:30:00+02:00', '2026-05-14T07:30:00.000Z'],
    ['2026-05-14T09:30:00-0530', '2026-05-14T15:00:00.000Z'],
    ['2026-05-14T09:30:00+14', '2026-05-13T19:30:00.000Z'],
    ['2026-05-14T09:30:00-00:00', '2026-05-14T09:30:00.000Z'],
    ['2026-05-14T00:00:00+23:59', '2026-05-13T00:01:00.000Z'],
    ['2026-12-31T23:59:59.999-00:01', '2027-01-01T00:00:59.999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T01:00:00+01:00', '0001-01-01T00:00:00.000Z'],
    ['0099-06-30T12:00:00Z', '0099-06-30T12:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T22:59:59.999-01:00', '9999-12-31T23:59:59.999Z'],
  ]
  for (const [text, expected] of cases) assert.equal(parseTime(text), expected, text)
})

test('a time that is malformed, not in the calendar or outside the years 0001 to 9999 is refused', () => {
  const cases = [
    '',
    'tomorrow',
    '2026-05-14',
    '2026-05-14Z',
    '09:30:00Z',
    '2026-05-14T09:30:00',
    '2026-05-14T09Z',
    '2026-05-14T09:30:Z',
    '2026-05-14T09:30:00.Z',
    '2026-05-14 09:30:00Z',
    '2026-05-14t09:30:00z',
    '20260514T093000Z',
    '2026-W20-4T09:30:00Z',
    '2026-134T09:30:00Z',
    '2026-5-14T09:30:00Z',
    '26-05-14T09:30:00Z',
    '12026-05-14T09:30:00Z',
    '+002026-05-14T09:30:00Z',
    '-2026-05-14T09:30:00Z',
    ' 2026-05-14T09:30:00Z',
    '2026-05-14T09:30:00Z\n',
    '2026-05-14T09:30:00+2:00',
    '2026-05-14T09:30:00+02:',
    '2026-05-14T09:30:00 +02:00',
    '2026-05-14T09:30:00−02:00',
    '2026-05-14T09:30:00+24:00',
    '2026-05-14T09:30:00+02:60',
    '2026-05-14T09:30:00 UTC',
    '2026-00-14T09:30:00Z',
    '2026-13-14T09:30:00Z',
    '2026-05-00T09:30:00Z',
    '2026-05-32T09:30:00Z',
    '2026-04-31T09:30:00Z',
    '2026-02-29T09:30:00Z',
    '2026-02-30T09:30:00Z',
    '1900-02-29T09:30:00Z',
    '2026-05-14T24:00:00Z',
    '2026-05-14T09:60:00Z',
    '2026-05-14T23:59:60Z',
    '0000-12-31T23:59:59Z',
    '0000-12-31T23:30:00-01:00',
    '0001-01-01T00:59:59+01:00',
    '9999-12-31T23:00:00-01:00',
    '٢٠٢٦-05-14T09:30:00Z',
  ]
  for (const text of cases) assert.equal(parseTime(text), undefined, text)
})

test('every stored time is read as itself, whatever the offset it is written with', () => {
  const ms = fc.integer({ min: -62_135_510_400_000, max: 253_402_214_400_000 })
  fc.assert(
    fc.property(ms, fc.integer({ min: -1439, max: 1439 }), (stored, offsetMinutes) => {
      const local = new Date(stored + offsetMinutes * 60_000).toISOString().slice(0, -1)
      const distance = Math.abs(offsetMinutes)
      const offset = [Math.floor(distance / 60), distance % 60].map((part) => String(part).padStart(2, '0')).join(':')
      assert.equal(parseTime(`${local}${offsetMinutes < 0 ? '-' : '+'}${offset}`), new Date(stored).toISOString())
    }),
    { seed: 20260514, numRuns: 5_000 },
  )
})

test('64 KiB of the worst text is refused or read in linear time', () => {
  const fraction = `2026-05-14T09:30:00.${'1'.repeat(65_536)}`
  for (const text of ['0'.repeat(65_536), fraction, `${fraction}Z`, `${fraction}+02:0x`, '2026-'.repeat(13_000)]) {
    const startedAt = performance.now()
    parseTime(text)
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 10, `${text.slice(0, 30)}…: ${tookMs} ms`)
  }
})
