const HOUR_MS = 3_600_000

/** What "since when" is chosen from. */
export const PERIODS = {
  hour: { text: 'Last hour', ms: HOUR_MS },
  day: { text: 'Last 24 hours', ms: 24 * HOUR_MS },
  week: { text: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
  month: { text: 'Last 30 days', ms: 30 * 24 * HOUR_MS },
} as const

export type Period = keyof typeof PERIODS
