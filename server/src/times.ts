import { toIso } from './clock.ts'

/**
 * A time with date, hour, minute and offset or `Z` (ISO 8601, extended form), in the one stored form: UTC with
 * milliseconds. Seconds may be left out, a finer fraction than milliseconds is cut, and the offset is written `+02:00`,
 * `+0200` or `+02`.
 *
 * @returns `2026-05-14T09:30:00.000Z`, or undefined when it is malformed, not in the calendar (30 February, 24:00, a
 *   leap second) or not in the years 0001 to 9999, as written or in UTC
 * @see contract §10, "Times"
 */
export function parseTime(text: string): string | undefined {
  const parts = TIME.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign, offsetHour = '0', offsetMinute = '0'] =
    parts
  if (+year! < 1 || +month! < 1 || +month! > 12 || +day! < 1 || +day! > daysIn(+year!, +month!)) return undefined
  if (+hour! > 23 || +minute! > 59 || +second > 59 || +offsetHour > 23 || +offsetMinute > 59) return undefined
  const local = new Date(0)
  local.setUTCFullYear(+year!, +month! - 1, +day!)
  local.setUTCHours(+hour!, +minute!, +second, +fraction.slice(0, 3).padEnd(3, '0'))
  const offsetMs = (+offsetHour * 60 + +offsetMinute) * 60_000
  const ms = local.getTime() + (sign === '-' ? offsetMs : -offsetMs)
  return ms >= FIRST_MS && ms <= LAST_MS ? toIso(ms) : undefined
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/

const FIRST_MS = -62_135_596_800_000
const LAST_MS = 253_402_300_799_999

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
