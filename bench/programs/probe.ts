/** Loaded before a program that is measured: tells its parent what the process uses, when asked. */

/** Where this file is, to be loaded. */
export const PROBE = import.meta.filename

export interface Used {
  /** User and system time of all its threads, since it started. */
  cpuUs: number
  /** The most memory that it has had at once. */
  rssBytesMax: number
}

/** The longest time between two turns of the event loop. */
export interface Held {
  wallMs: number
  /** The most that the loop's own thread used of a processor between two turns: on a busy machine the fairer of the two. */
  cpuMs: number
}

const TURN_MS = 1

let longest: Held = { wallMs: 0, cpuMs: 0 }
let isWatching = false

// Nothing to be told in the process that starts the others, which imports the types and the path.
if (process.send && process.execArgv.includes(PROBE)) {
  process.on('message', (what) => {
    if (what === 'used') process.send!(used())
    if (what === 'held') process.send!(held())
  })
  process.channel?.unref()
  // Whoever measures has ended, and nobody else ends this.
  process.on('disconnect', () => process.exit())
}

function used(): Used {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return { cpuUs: userCPUTime + systemCPUTime, rssBytesMax: maxRSS * 1024 }
}

/** Watches from the first time on that it is asked, so that other measurements do not pay for it. */
function held(): Held {
  if (!isWatching) startWatch()
  const since = longest
  longest = { wallMs: 0, cpuMs: 0 }
  return since
}

function startWatch(): void {
  isWatching = true
  let lastMs = performance.now()
  let lastCpuMs = threadCpuMs()
  setInterval(() => {
    const nowMs = performance.now()
    const cpuMs = threadCpuMs()
    longest.wallMs = Math.max(longest.wallMs, nowMs - lastMs)
    longest.cpuMs = Math.max(longest.cpuMs, cpuMs - lastCpuMs)
    lastMs = nowMs
    lastCpuMs = cpuMs
  }, TURN_MS).unref()
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
