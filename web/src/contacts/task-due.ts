/** When a task is due, in few words. */

export const DUE_CHOICES = [
  { id: 'none', text: 'No date', days: undefined },
  { id: 'today', text: 'Today', days: 0 },
  { id: 'tomorrow', text: 'Tomorrow', days: 1 },
  { id: 'week', text: 'In a week', days: 7 },
  { id: 'month', text: 'In 30 days', days: 30 },
] as const

/** @returns the end of that working day (17:00 by this browser's clock) as ISO 8601; null for no date */
export function dueTime(id: string, now = new Date()): string | null {
  const choice = DUE_CHOICES.find((one) => one.id === id)
  if (choice?.days === undefined) return null
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + choice.days, 17)
  return day.toISOString()
}
