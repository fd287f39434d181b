/**
 * How long a page of the web app's contacts list takes at 100,000 contacts: every order, with the filters that people
 * set, on random pages down to the last: `node bench/grid.ts [contacts] [pages]`, 100000 and 40 unless said.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ContactFilter, ContactSort } from '../server/src/contacts/filter-schema.ts'
import { SORT_KEYS } from '../server/src/contacts/filter-schema.ts'
import { gridPage } from '../server/src/contacts/grid-actions.ts'
import { openDatabase } from '../server/src/database/open.ts'
import { makeOrg, printTable, withFolder } from './load.ts'

const [contacts = 100_000, pages = 40] = process.argv.slice(2, 4).map(Number)
const LIMIT = 200

const FILTERS: Record<string, ContactFilter> = {
  all: {},
  'stage lead or none': { stages: ['lead', null] },
  'hot leads': { stages: ['lead'], labels: ['hot'] },
  'name contains a': { q: 'a' },
  'name contains ada': { q: 'ada' },
  'name contains company 77': { q: 'company 77' },
  'tag batch-7': { tag: 'batch-7' },
}

await withFolder(async (folder) => {
  const { id } = await makeOrg(folder, contacts)
  const db = await openDatabase({ engine: 'sqlite', folder }, 'server')
  try {
    const rows: (string | number)[][] = []
    for (const [name, filter] of Object.entries(FILTERS)) {
      for (const key of SORT_KEYS) rows.push([name, key, ...(await measure(filter, `-${key}`))])
    }
    printTable(['filter', 'sort', 'match', 'median ms', 'p95 ms', 'p95 with count ms', 'loop held ms'], rows)
  } finally {
    await db.close()
  }

  async function measure(filter: ContactFilter, sort: ContactSort): Promise<(string | number)[]> {
    const first = await gridPage(db, id, filter, { sort, limit: LIMIT, offset: 0, count: 'true' })
    const count = first.count!
    const times: Record<'true' | 'false', number[]> = { true: [], false: [] }
    let heldMs = 0
    for (let i = 0; i < pages; i++) {
      for (const counted of ['false', 'true'] as const) {
        const offset = Math.floor((i / pages) * count)
        const startedMs = performance.now()
        const page = gridPage(db, id, filter, { sort, limit: LIMIT, offset, count: counted })
        let turnMs = performance.now()
        let isThere = false
        const watching = (async () => {
          while (!isThere) {
            await nextTurn()
            heldMs = Math.max(heldMs, performance.now() - turnMs)
            turnMs = performance.now()
          }
        })()
        await page.finally(() => {
          isThere = true
        })
        times[counted].push(performance.now() - startedMs)
        await watching
      }
    }
    const of = (list: number[], part: number) => list.sort((a, b) => a - b)[Math.floor((list.length - 1) * part)]!
    return [
      count,
      of(times.false, 0.5).toFixed(1),
      of(times.false, 0.95).toFixed(1),
      of(times.true, 0.95).toFixed(1),
      heldMs.toFixed(0),
    ]
  }
})
