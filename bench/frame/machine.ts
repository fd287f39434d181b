/** Where and when something was measured. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { arch, availableParallelism, cpus, platform, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { loadProgram } from './load.ts'
import { median } from './statistics.ts'

const SYNCS = 200

/** A line for people: processors, memory, system, runtime, what makes the load. */
export function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const processors = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}`
  return [
    processors,
    memory,
    `${platform()} ${release()} ${arch()}`,
    `Node ${process.version}`,

    loadProgram,
  ].join(', ')
}

/** Far below a tenth of a millisecond the folder lies in memory, or its disk does not sync: durable writes cost nothing there. */
export function syncMs(folder = tmpdir()): number {
  const path = join(folder, `kith-sync-${process.pid}`)
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096, 1)
  const times = Array.from({ length: SYNCS }, () => {
    const startedMs = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    return performance.now() - startedMs
  })
  closeSync(file)
  rmSync(path)
  return median(times)
}
