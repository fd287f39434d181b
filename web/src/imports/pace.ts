/** How fast something goes, and how long it will take still. */
import { count, duration } from '../ui/format.ts'

export interface Mark {
  atMs: number
  done: number
}

export interface Pace {
  perS: number
  leftMs: number
}

/** Less than this says nothing. */
const SPAN_MS_MIN = 1_000

/** @returns undefined while there is too little to tell */
export function paceOf(first: Mark, now: Mark, total: number): Pace | undefined {
  const ms = now.atMs - first.atMs
  const done = now.done - first.done
  if (ms < SPAN_MS_MIN || done <= 0) return undefined
  const perS = (done / ms) * 1000
  return { perS, leftMs: Math.max(0, ((total - now.done) / perS) * 1000) }
}

/** "830 rows/s, 12 s left" */
export function paceText({ perS, leftMs }: Pace): string {
  return `${count(Math.round(perS))} rows/s, ${duration(Math.ceil(leftMs / 1000) * 1000)} left`
}
