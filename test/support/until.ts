import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 10

/**
 * Waits until `look` finds something.
 *
 * @returns what it found
 * @throws Error with `what` when nothing that is true was found for `msMax`
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  msMax = 60_000,
): Promise<Exclude<T, false | undefined | null>> {
  for (const start = performance.now(); ; ) {
    const found = await look()
    if (found) return found as Exclude<T, false | undefined | null>
    if (performance.now() - start > msMax) throw new Error(`${what}: not within ${msMax} ms`)
    await delay(POLL_MS)
  }
}
