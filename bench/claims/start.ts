import { Child, settingsOf, startKith } from '../frame/child.ts'
import { apiRequest, type Filled } from '../frame/data.ts'
import { filledFor } from '../frame/kiths.ts'
import { load } from '../frame/load.ts'
import type { Bench } from '../frame/outcome.ts'
import { inputAt } from '../frame/people.ts'
import { median } from '../frame/statistics.ts'

const SIZES = [1_000, 1_000_000]
const ROUNDS = 5
const WRITE_SECONDS = 2

export const start: Bench = {
  claim: 'The server answers soon after its start, also on very many contacts and after it was killed while it wrote.',
  async run(context) {
    const rows: (string | number)[][] = []
    const figures: Record<'start.clean' | 'start.killed', number> = { 'start.clean': 0, 'start.killed': 0 }
    for (const program of context.programs) {
      for (const contacts of SIZES) {
        const filled = await filledFor(context, { program, contacts })
        const clean: number[] = []
        const killed: number[] = []
        for (let round = 0; round < ROUNDS; round++) {
          clean.push(await secondsToAnswer(filled))
          await killWhileWriting(filled)
          killed.push(await secondsToAnswer(filled))
        }
        rows.push([program.name, contacts, median(clean), median(killed), Math.max(...clean), Math.max(...killed)])
        // The last is the largest of this checkout, which comes first.
        if (program === context.programs[0]) {
          figures['start.clean'] = median(clean)
          figures['start.killed'] = median(killed)
        }
      }
    }
    return {
      setting: `From the start of the process to the answer to a GET of contacts; medians of ${ROUNDS}.`,
      tables: [{ titles: ['', 'contacts', 's', 's after SIGKILL', 's at most', 's after SIGKILL at most'], rows }],
      figures,
    }
  },
}

async function secondsToAnswer(filled: Filled): Promise<number> {
  const { path, headers } = apiRequest(filled, 'GET', '/contacts?limit=1')
  const startedMs = performance.now()
  const settings = { ...settingsOf(filled.place), KITH_PORT: '0', KITH_LOG_LEVEL: 'warn' }
  const kith = await new Child(filled.program.kith, ['serve', '--json'], settings).started()
  const { status } = await fetch(kith.url + path, { headers: headers! })
  const seconds = (performance.now() - startedMs) / 1000
  await kith.end()
  if (status !== 200) throw new Error(`The first request was answered ${status}.`)
  return seconds
}

async function killWhileWriting(filled: Filled): Promise<void> {
  const kith = await startKith(filled.program, filled.place)
  const requests = [apiRequest(filled, 'POST', '/contacts', inputAt(0))]
  await load({ url: kith.url, connections: 16, seconds: WRITE_SECONDS, requests })
  const stillWriting = load({ url: kith.url, connections: 16, seconds: 1, requests }).catch(() => {})
  await kith.end('SIGKILL')
  await stillWriting
}
