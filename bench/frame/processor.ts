/** What processes that are not ours use, from Linux's /proc; on other systems nothing is told, and NaN is shown as such. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** What Linux counts processor time in. */
const CLOCK_TICK_US = 10_000

/**
 * Processor time of a process, of those it has started, and of those of them that have ended.
 *
 * @returns microseconds, in steps of 10,000
 */
export function processorUs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
  const family = new Set([pid])
  for (let before = 0; before < family.size; ) {
    before = family.size
    for (const stat of stats) if (family.has(stat.parent)) family.add(stat.pid)
  }
  const ticks = stats.filter((stat) => family.has(stat.pid)).reduce((sum, stat) => sum + stat.ticks, 0)
  return ticks * CLOCK_TICK_US
}

/** Bytes of memory that a process has had at most since `forgetPeak`. */
export function peakBytes(pid: number): number {
  return statusBytes(pid, 'VmHWM')
}

export function memoryBytes(pid: number): number {
  return statusBytes(pid, 'VmRSS')
}

export function forgetPeak(pid: number): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function statusBytes(pid: number, field: string): number {
  if (process.platform !== 'linux') return Number.NaN
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? Number.NaN) * 1024
}

/** @returns nothing when the process has just ended */
function statOf(pid: number): { pid: number; parent: number; ticks: number } | undefined {
  try {
    // The name, in brackets, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number)
    return { pid, parent: fields[1]!, ticks: fields[11]! + fields[12]! + fields[13]! + fields[14]! }
  } catch {
    return undefined
  }
}
