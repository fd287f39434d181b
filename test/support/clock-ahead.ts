/** Preloaded into a server by tests (`NODE_OPTIONS`): its clock is ahead of all others. */
import type { Settings } from './kith.ts'

const AHEAD_MS = 2_000
const NAME = 'TEST_CLOCK_IS_AHEAD'

/** What a server is started with whose clock is to be ahead by two seconds. */
export const CLOCK_AHEAD: Settings = { NODE_OPTIONS: `--import=${import.meta.filename}`, [NAME]: '1' }

if (process.env[NAME]) {
  const trueNow = Date.now
  Date.now = () => trueNow() + AHEAD_MS
}
