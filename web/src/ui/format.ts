/** Numbers, money and times as the person's language writes them. */

const DAY_MS = 86_400_000
const RELATIVE_DAYS_MAX = 7

/** "just now", "5 minutes ago", "yesterday", "in 3 days"; the date from seven days on. */
export function relativeTime(iso: string, now = Date.now(), locale?: string): string {
  const then = Date.parse(iso)
  const ms = then - now
  const size = Math.abs(ms)
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  if (size < 45_000) return ms <= 0 ? 'just now' : 'in a moment'
  if (size < 45 * 60_000) return format.format(Math.round(ms / 60_000), 'minute')
  const days = calendarDays(now, then)
  if (days === 0 || size < 6 * 3_600_000) return format.format(Math.round(ms / 3_600_000), 'hour')
  if (Math.abs(days) < RELATIVE_DAYS_MAX) return format.format(days, 'day')
  return dateText(iso, now, locale)
}

/** "14 May", with the year where it is another than this one. */
export function dateText(iso: string, now = Date.now(), locale?: string): string {
  const date = new Date(iso)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString(locale, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
  })
}

/** "Thursday, 14 May 2026 at 11:30:00 CEST": all of it, in the time zone of this browser. */
export function exactTime(iso: string, locale?: string): string {
  return new Date(iso).toLocaleString(locale, { dateStyle: 'full', timeStyle: 'long' })
}

export function clockTime(iso: string, locale?: string): string {
  return new Date(iso).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })
}

/** Days between two times by the calendar of this browser: tomorrow is 1, however late it is today. */
export function calendarDays(fromMs: number, toMs: number): number {
  return Math.round((startOfDay(toMs) - startOfDay(fromMs)) / DAY_MS)
}

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0)
}

/** "€48,200"; cents are shown where there are any. */
export function money(value: number, currency: string, locale?: string): string {
  const fraction = Number.isInteger(value) ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {}
  return formatter(`money ${currency} ${Number.isInteger(value)} ${locale}`, () => {
    try {
      return new Intl.NumberFormat(locale, { style: 'currency', currency, ...fraction })
    } catch {
      return new Intl.NumberFormat(locale)
    }
  }).format(value)
}

/** "€48K": for where there is little room. */
export function shortMoney(value: number, currency: string, locale?: string): string {
  return formatter(
    `short ${currency} ${locale}`,
    () => new Intl.NumberFormat(locale, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 }),
  ).format(value)
}

/** "1,204" */
export function count(value: number, locale?: string): string {
  return formatter(`count ${locale}`, () => new Intl.NumberFormat(locale)).format(value)
}

/** "1 contact", "1,204 contacts" */
export function counted(value: number, one: string, many = `${one}s`, locale?: string): string {
  return `${count(value, locale)} ${value === 1 ? one : many}`
}

/** "1.4 MB" */
export function bytes(value: number, locale?: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1)
  const maximumFractionDigits = step > 1 ? 1 : 0
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits,
  }).format(value / 1000 ** step)
}

/** "84 ms", "1.2 s", "3 min 20 s", "2 h 5 min" */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const s = ms / 1000
  if (s < 60) return `${s < 10 ? s.toFixed(1).replace('.0', '') : Math.round(s)} s`
  const [big, small, bigUnit, smallUnit] =
    s < 3600 ? [s / 60, s % 60, 'min', 's'] : [s / 3600, (s % 3600) / 60, 'h', 'min']
  const rest = Math.floor(small)
  return `${Math.floor(big)} ${bigUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ''}`
}

/** Making an Intl object takes longer than a hundred uses of it. */
const formatters = new Map<string, Intl.NumberFormat>()

function formatter(key: string, make: () => Intl.NumberFormat): Intl.NumberFormat {
  let found = formatters.get(key)
  if (!found) {
    found = make()
    formatters.set(key, found)
  }
  return found
}
