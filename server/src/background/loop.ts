import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Log } from '../log.ts'

export interface Loop {
  name: string
  /** Does one bounded batch. @returns how much it did; 0 when there was nothing to do */
  step(signal: AbortSignal): Promise<number>
  /** The rest when there is nothing to do. */
  idleMs: number
  /** The longest rest after failures. */
  restMsMax: number
}

export interface RunningLoop {
  /** Ends a rest now, but not one after a failure. */
  nudge(): void
  /** Resolves when the step under way has ended. */
  stop(): Promise<void>
}

/**
 * Calls `step` until stopped: at once while it reports work done, else after `idleMs`, doubled at each failure in a row
 * up to `restMsMax`. A failure is logged.
 */
export function startLoop({ name, step, idleMs, restMsMax }: Loop, log: Log): RunningLoop {
  const stopping = new AbortController()
  let failures = 0
  let isNudged = false
  let wake: (() => void) | undefined
  const ended = run()

  return {
    nudge() {
      isNudged = true
      if (failures === 0) wake?.()
    },
    stop() {
      stopping.abort()
      wake?.()
      return ended
    },
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      isNudged = false
      const done = await attempt()
      if (stopping.signal.aborted) return
      // Steps may never leave the microtask queue (SQLite): others get a turn between them.
      if (failures === 0 && (done > 0 || isNudged)) await nextTurn()
      else await rest(Math.min(idleMs * 2 ** failures, restMsMax))
    }
  }

  async function attempt(): Promise<number> {
    try {
      const done = await step(stopping.signal)
      failures = 0
      return done
    } catch (err) {
      if (stopping.signal.aborted) return 0
      failures++
      log.error({ err, loop: name, failures }, 'A background step failed; it will be tried again.')
      return 0
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, ms)
      wake = end
      function end() {
        clearTimeout(timer)
        wake = undefined
        resolve()
      }
    })
  }
}
