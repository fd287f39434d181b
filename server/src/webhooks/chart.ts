/** Rows of hours with something in them, as a chart wants them: every hour, up to the present one. */
import { now, toIso } from '../clock.ts'
import type { HourOfAttempts } from './ui-schema.ts'

const HOUR_MS = 3_600_000

/** @returns the first of so many hours that end with the present one */
export function firstHourOf(hours: number): number {
  return Math.floor(now() / HOUR_MS) - hours + 1
}

interface Counted {
  hour: number
  delivered: number
  failed: number
}

/** @param rows of hours from the first on */
export function everyHour(rows: readonly Counted[], hours: number): HourOfAttempts[] {
  const first = firstHourOf(hours)
  const byHour = new Map(rows.map((row) => [row.hour, row]))
  return Array.from({ length: hours }, (_, i) => {
    const { delivered = 0, failed = 0 } = byHour.get(first + i) ?? {}
    return { at: toIso((first + i) * HOUR_MS), delivered, failed }
  })
}
