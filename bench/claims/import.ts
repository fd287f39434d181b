import { join } from 'node:path'
import { importFile } from '../frame/bulk.ts'
import { writeCsv } from '../frame/csv.ts'
import { apiRequest, askedIds, type Filled } from '../frame/data.ts'
import { filledFor, kithOn } from '../frame/kiths.ts'
import type { Request } from '../frame/load.ts'
import type { Bench } from '../frame/outcome.ts'
import { pacedDuring } from '../frame/paced.ts'
import { FILTER, inputAt } from '../frame/people.ts'
import { signIn } from '../frame/person-of-org.ts'
import { forgetPeak, memoryBytes, peakBytes } from '../frame/processor.ts'
import { startReceivers, subscribe } from '../frame/webhooks.ts'

const CONTACTS = 100_000
const ROWS = 1_000_000
const ROWS_SHORT = 50_000
/** A first, small one leaves nothing to be loaded. */
const ROWS_WARM = 1_000

export const importing: Bench = {
  claim: 'A large file is imported by the server itself, with an event for each row, while others hardly notice.',
  async run(context) {
    const rows = context.isFull ? ROWS : ROWS_SHORT
    const folder = context.data.folder()
    const [warmFile, file] = [join(folder, 'warm.csv'), join(folder, 'contacts.csv')]
    await writeCsv(warmFile, CONTACTS, ROWS_WARM)
    await writeCsv(file, CONTACTS + ROWS_WARM, rows)
    const { urls } = await startReceivers(context, 1)
    const lines: (string | number)[][] = []
    let own: { rate: number; mib: number; p99: number } | undefined
    for (const program of context.programs) {
      const filled = await filledFor(context, { program, contacts: CONTACTS })
      await subscribe(filled, [`${urls[0]}/hook`])
      const kith = await kithOn(context, filled)
      const person = await signIn(filled, kith)
      await importFile(person, warmFile)
      await kith.held()
      forgetPeak(kith.pid)
      const mibBefore = memoryBytes(kith.pid) / 2 ** 20
      const before = await kith.used()
      const { value, paced } = await pacedDuring(kith.url, others(filled), importFile(person, file))
      const us = ((await kith.used()).cpuUs - before.cpuUs) / value.rows
      const [rate, mib] = [value.rows / value.seconds, peakBytes(kith.pid) / 2 ** 20]
      own ??= { rate, mib, p99: paced.p99 }
      const { cpuMs } = await kith.held()
      lines.push([
        program.name,
        value.rows,
        Math.round(rate),
        us,
        mibBefore,
        mib,
        paced.p50,
        paced.p99,
        paced.most,
        cpuMs,
      ])
    }
    const costs = ['rows', 'rows/s', 'µs of processor each', 'MiB before', 'at most']
    const titles = ['', ...costs, 'others’ p50 ms', 'p99 ms', 'most ms', 'loop held ms']
    return {
      setting: `${rows.toLocaleString('en-US')} rows beside 100,000 contacts, SQLite, one subscription that is delivered to; 40 other requests a second from upload to end.`,
      tables: [{ titles, rows: lines }],
      figures: { 'import.rate': own!.rate, 'import.memory': own!.mib, 'import.p99': own!.p99 },
    }
  },
}

function others(filled: Filled): Request[] {
  const [id] = askedIds(filled)
  return [
    apiRequest(filled, 'GET', `/contacts/${id}`),
    apiRequest(filled, 'GET', `/contacts?${new URLSearchParams(FILTER)}`),
    apiRequest(filled, 'PATCH', `/contacts/${id}`, { deal_value: 1 }),
    apiRequest(filled, 'POST', '/contacts', inputAt(0)),
  ]
}
