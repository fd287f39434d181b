/** Requests at a steady pace, whatever becomes of those before: what people notice while something large is done. */
import { setTimeout as delay } from 'node:timers/promises'
import { answerTo } from './kiths.ts'
import type { Request } from './load.ts'
import { part } from './statistics.ts'

const EVERY_MS = 25

export interface Paced {
  count: number
  /** Milliseconds. */
  p50: number
  p99: number
  most: number
}

/** Asks until `during` has ended. */
export async function pacedDuring<T>(
  url: string,
  requests: readonly Request[],
  during: Promise<T>,
): Promise<{ value: T; paced: Paced }> {
  let isOver = false
  const over = during.finally(() => {
    isOver = true
  })
  const times: number[] = []
  const under: Promise<void>[] = []
  for (let i = 0; !isOver; i++) {
    const startedMs = performance.now()
    const request = requests[i % requests.length]!
    under.push(answerTo(url, request).then(() => void times.push(performance.now() - startedMs)))
    await delay(EVERY_MS)
  }
  const value = await over
  await Promise.all(under)
  return {
    value,
    paced: { count: times.length, p50: part(times, 0.5), p99: part(times, 0.99), most: Math.max(...times) },
  }
}
