/** A history by days, as the calendar of this browser has them. */
import { calendarDays } from '../ui/format.ts'

export interface DayGroup<Line> {
  /** "Today", "Yesterday", "Thursday 14 May"; with the year where it is another than this one. */
  title: string
  lines: Line[]
}

/** @param lines newest first; the groups keep their order */
export function dayGroups<Line extends { occurred_at: string }>(
  lines: readonly Line[],
  now = Date.now(),
  locale?: string,
): DayGroup<Line>[] {
  const groups: (DayGroup<Line> & { days: number })[] = []
  for (const line of lines) {
    const days = calendarDays(now, Date.parse(line.occurred_at))
    const last = groups.at(-1)
    if (last?.days === days) last.lines.push(line)
    else groups.push({ days, title: titleOf(line.occurred_at, days, now, locale), lines: [line] })
  }
  return groups.map(({ title, lines: of }) => ({ title, lines: of }))
}

function titleOf(iso: string, days: number, now: number, locale: string | undefined): string {
  if (days === 0) return 'Today'
  if (days === -1) return 'Yesterday'
  if (days === 1) return 'Tomorrow'
  const date = new Date(iso)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
  })
}
