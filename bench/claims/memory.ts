import { setTimeout as delay } from 'node:timers/promises'
import { everyLoad } from '../frame/every-load.ts'
import { kithsOn } from '../frame/kiths.ts'
import { type Bench, CONNECTIONS } from '../frame/outcome.ts'
import { forgetPeak, memoryBytes, peakBytes } from '../frame/processor.ts'

const CONTACTS = 1_000_000
const REST_MS = 5_000

export const memory: Bench = {
  claim: 'The server needs little memory with very many contacts, at rest and under load.',
  async run(context) {
    const running = await kithsOn(context, { contacts: CONTACTS })
    const names = running.map(({ program }) => program.name)
    const restMib: number[] = []
    const worstMib: number[] = []
    const rows = new Map<string, number[]>()
    for (const one of running) {
      await delay(REST_MS)
      restMib.push(memoryBytes(one.kith.pid) / 2 ** 20)
      const loads = await everyLoad(context, one, { connections: CONNECTIONS, seconds: context.isFull ? 5 : 2 })
      for (const [name, run] of Object.entries(loads)) {
        forgetPeak(one.kith.pid)
        await run()
        rows.set(name, [...(rows.get(name) ?? []), peakBytes(one.kith.pid) / 2 ** 20])
      }
      worstMib.push(Math.max(...[...rows.values()].map((mib) => mib.at(-1)!)))
    }
    return {
      setting: `1,000,000 contacts on SQLite, ${CONNECTIONS} connections, one load after the other on the same server.`,
      tables: [
        {
          titles: ['MiB at most', ...names],
          rows: [['at rest', ...restMib], ...[...rows].map(([name, mib]) => [name, ...mib])],
        },
      ],
      figures: { 'memory.rest': restMib[0]!, 'memory.load': worstMib[0]! },
    }
  },
}
