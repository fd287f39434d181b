/** When tasks are due, by the days of this browser. A day alone means by its end. */

const WEEK_DAYS = 7

/** The bounds of the days that tasks are grouped by. */
export interface DayBounds {
  now: string
  tomorrow: string
  /** When the seventh day after today ends. */
  week_end: string
}

export function dayBounds(now = new Date()): DayBounds {
  return {
    now: now.toISOString(),
    tomorrow: startOfDay(now, 1).toISOString(),
    week_end: startOfDay(now, WEEK_DAYS + 1).toISOString(),
  }
}

export const DUE_CHOICES = ['today', 'tomorrow', 'next week'] as const

export type DueChoice = (typeof DUE_CHOICES)[number]

/** The end of today, of tomorrow, or of next week's Monday. */
export function dueOf(choice: DueChoice, now = new Date()): string {
  if (choice === 'today') return endOfDay(now, 0)
  if (choice === 'tomorrow') return endOfDay(now, 1)
  // Sunday counts as the last day of its week.
  return endOfDay(now, 7 - ((now.getDay() + 6) % 7))
}

/** The end of a day of the calendar. */
export function dueOn({ year, month, day }: { year: number; month: number; day: number }): string {
  return endOfDay(new Date(year, month - 1, day), 0)
}

export interface DueWords {
  /** "today", "yesterday", "in 3 days", "14 May" */
  text: string
  isOverdue: boolean
}

/** @param locale else the browser's */
export function dueWords(due: string, now = new Date(), locale?: string): DueWords {
  const at = new Date(due)
  const isOverdue = at < now
  const days = Math.round((startOfDay(at).getTime() - startOfDay(now).getTime()) / 86_400_000)
  if (Math.abs(days) <= WEEK_DAYS) {
    const text = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')
    return { text: isEndOfDay(at) || days !== 0 ? text : `${text}, ${timeText(at, locale)}`, isOverdue }
  }
  const isThisYear = at.getFullYear() === now.getFullYear()
  const year = isThisYear ? {} : { year: 'numeric' as const }
  return { text: at.toLocaleDateString(locale, { day: 'numeric', month: 'short', ...year }), isOverdue }
}

function timeText(at: Date, locale?: string): string {
  return at.toLocaleTimeString(locale, { hour: 'numeric', minute: '2-digit' })
}

function isEndOfDay(at: Date): boolean {
  return at.getHours() === 23 && at.getMinutes() === 59
}

function startOfDay(date: Date, daysLater = 0): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater)
}

function endOfDay(date: Date, daysLater: number): string {
  return new Date(startOfDay(date, daysLater + 1).getTime() - 1_000).toISOString()
}
