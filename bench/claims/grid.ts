import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ContactFilter, type ContactSort, SORT_KEYS } from '../../server/src/contacts/filter-schema.ts'
import { gridPage } from '../../server/src/contacts/grid-actions.ts'
import type { Database } from '../../server/src/database/engine.ts'
import { openDatabase } from '../../server/src/database/open.ts'
import { filledFor } from '../frame/kiths.ts'
import type { Bench } from '../frame/outcome.ts'
import { TERMS } from '../frame/people.ts'
import { OWN } from '../frame/program.ts'
import { part } from '../frame/statistics.ts'

const CONTACTS = 100_000
const PAGES = 40
const PAGES_SHORT = 6
const LIMIT = 200

const FILTERS: Record<string, ContactFilter> = {
  all: {},
  'stage lead or none': { stages: ['lead', null] },
  'hot leads': { stages: ['lead'], labels: ['hot'] },
  'name contains a': { q: 'a' },
  'name contains a usual term': { q: TERMS.usual },
  'name contains the commonest': { q: TERMS.commonest },
  'tag newsletter': { tag: 'newsletter' },
}

export const grid: Bench = {
  claim: 'A page of the web app’s contacts list, in any order, with any filter and however deep, is soon there.',
  async run(context) {
    const { place, orgId } = await filledFor(context, { program: OWN, contacts: CONTACTS })
    const db = await openDatabase({ engine: 'sqlite', folder: place.folder }, 'server')
    context.defer(() => db.close())
    const pages = context.isFull ? PAGES : PAGES_SHORT
    const rows: (string | number)[][] = []
    for (const [name, filter] of Object.entries(FILTERS)) {
      for (const key of SORT_KEYS)
        rows.push([`${name}, by ${key}`, ...(await measure(db, orgId, filter, `-${key}`, pages))])
    }
    return {
      setting: `100,000 contacts on SQLite, ${pages} pages of ${LIMIT} from the first to the last, one at a time, without HTTP.`,
      tables: [{ titles: ['', 'match', 'median ms', 'p95 ms', 'p95 with count ms', 'loop held ms'], rows }],
      figures: {},
    }
  },
}

async function measure(
  db: Database,
  orgId: string,
  filter: ContactFilter,
  sort: ContactSort,
  pages: number,
): Promise<number[]> {
  const first = await gridPage(db, orgId, filter, { sort, limit: LIMIT, offset: 0, count: 'true' })
  const count = first.count!
  const times: Record<'true' | 'false', number[]> = { true: [], false: [] }
  let heldMs = 0
  for (let i = 0; i < pages; i++) {
    const offset = Math.floor((i / pages) * count)
    for (const counted of ['false', 'true'] as const) {
      const page = gridPage(db, orgId, filter, { sort, limit: LIMIT, offset, count: counted })
      const { ms, held } = await watched(page)
      times[counted].push(ms)
      heldMs = Math.max(heldMs, held)
    }
  }
  return [count, part(times.false, 0.5), part(times.false, 0.95), part(times.true, 0.95), heldMs]
}

/** How long it took, and the longest that a turn of the event loop was kept from coming. */
async function watched(work: Promise<unknown>): Promise<{ ms: number; held: number }> {
  const startedMs = performance.now()
  let isThere = false
  const there = work.finally(() => {
    isThere = true
  })
  let held = 0
  for (let turnMs = startedMs; !isThere; ) {
    await nextTurn()
    held = Math.max(held, performance.now() - turnMs)
    turnMs = performance.now()
  }
  await there
  return { ms: performance.now() - startedMs, held }
}
