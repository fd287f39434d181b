import { exportAll } from '../frame/bulk.ts'
import { apiRequest, askedIds } from '../frame/data.ts'
import { kithsOn } from '../frame/kiths.ts'
import type { Bench } from '../frame/outcome.ts'
import { pacedDuring } from '../frame/paced.ts'
import { signIn } from '../frame/person-of-org.ts'
import { forgetPeak, memoryBytes, peakBytes } from '../frame/processor.ts'
import { median } from '../frame/statistics.ts'

const CONTACTS = 1_000_000
const CONTACTS_SHORT = 100_000
const ROUNDS = 3

export const exporting: Bench = {
  claim: 'All contacts leave as a CSV file without being in memory, however many there are.',
  async run(context) {
    const contacts = context.isFull ? CONTACTS : CONTACTS_SHORT
    const rows: (string | number)[][] = []
    let own: { rate: number; mib: number } | undefined
    for (const { program, filled, kith } of await kithsOn(context, { contacts, isOnlyRead: true })) {
      const person = await signIn(filled, kith)
      await exportAll(person)
      const restBytes = memoryBytes(kith.pid)
      forgetPeak(kith.pid)
      await kith.held()
      const before = await kith.used()
      const rates: number[] = []
      const p99s: number[] = []
      const one = apiRequest(filled, 'GET', `/contacts/${askedIds(filled)[0]}`)
      for (let round = 0; round < ROUNDS; round++) {
        const { value, paced } = await pacedDuring(kith.url, [one], exportAll(person))
        if (value.rows !== contacts) throw new Error(`${value.rows} of ${contacts} contacts were exported.`)
        rates.push(value.rows / value.seconds)
        p99s.push(paced.p99)
      }
      const us = ((await kith.used()).cpuUs - before.cpuUs) / (contacts * ROUNDS)
      const [rate, mib] = [median(rates), (peakBytes(kith.pid) - restBytes) / 2 ** 20]
      own ??= { rate, mib }
      const { cpuMs } = await kith.held()
      rows.push([program.name, contacts, Math.round(rate), us, mib, median(p99s), cpuMs])
    }
    const titles = ['', 'rows', 'rows/s', 'µs of processor each', 'MiB more', 'others’ p99 ms', 'loop held ms']
    return {
      setting: `SQLite, medians of ${ROUNDS}; a contact is asked for 40 times a second meanwhile.`,
      tables: [{ titles, rows }],
      figures: { 'export.rate': own!.rate, 'export.memory': own!.mib },
    }
  },
}
