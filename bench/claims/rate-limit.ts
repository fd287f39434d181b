import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Tx } from '../../server/src/database/engine.ts'
import { openDatabase } from '../../server/src/database/open.ts'
import { createLimiter, type Limiter } from '../../server/src/rate-limit/limiter.ts'
import { filledFor } from '../frame/kiths.ts'
import type { Bench, Context } from '../frame/outcome.ts'
import { OWN } from '../frame/program.ts'
import { median } from '../frame/statistics.ts'

const CONTACTS = 1_000
const CONNECTIONS = 10
const LIMIT = 36_000_000
const PER_SECOND = 10_000
const SECONDS = 3
/** Fewer than a lease holds. */
const FROM_MEMORY = 400
const RUNS = 200
const EXCHANGES = 100
const HOUR_S = 3_600

export const rateLimit: Bench = {
  claim: 'The limit is exact over a sliding hour without a query for each request.',
  async run(context) {
    const rows = [await measure(context, 'sqlite'), await measure(context, 'postgres')]
    const load = `${PER_SECOND.toLocaleString('en-US')}/s`
    return {
      setting: `One process, without HTTP; takes of one org at ${load} for ${SECONDS} s.`,
      tables: [
        {
          titles: [
            '',
            'ns from memory',
            `writes at ${load}`,
            'takes that waited',
            'ms at most',
            'exchange over a full hour, ms',
          ],
          rows,
        },
      ],
      figures: {},
    }
  },
}

async function measure(context: Context, engine: 'sqlite' | 'postgres'): Promise<(string | number)[]> {
  const { place, orgId } = await filledFor(context, { program: OWN, engine, contacts: CONTACTS })
  const { folder, databaseUrl: url } = place
  const store =
    url === undefined
      ? { engine: 'sqlite' as const, folder }
      : { engine: 'postgres' as const, url, connectionsMax: CONNECTIONS }
  const db = await openDatabase(store, 'server')
  context.defer(() => db.close())
  let writes = 0
  const counting: Database = Object.assign(Object.create(db), {
    write: <T>(work: (tx: Tx) => Promise<T>) => {
      writes++
      return db.write(work)
    },
  })
  const limiter = createLimiter({ db: counting, nodeId: 'bench' })
  await limiter.take(orgId, LIMIT)
  const ns = await fromMemory(limiter, orgId)
  writes = 0
  const { waited, slowestMs } = await takeSteadily(limiter, orgId)
  const written = writes
  await limiter.close()
  return [engine, ns, written, waited, slowestMs, await exchangeMs(db, orgId)]
}

async function fromMemory(limiter: Limiter, orgId: string): Promise<number> {
  const runs: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const startedMs = performance.now()
    for (let i = 0; i < FROM_MEMORY; i++) limiter.take(orgId, LIMIT)
    runs.push(((performance.now() - startedMs) * 1e6) / FROM_MEMORY)
    await limiter.take(orgId, LIMIT)
    await delay(10)
  }
  return median(runs)
}

async function takeSteadily(limiter: Limiter, orgId: string): Promise<{ waited: number; slowestMs: number }> {
  let waited = 0
  let slowestMs = 0
  const startedMs = performance.now()
  for (let taken = 0; taken < PER_SECOND * SECONDS; ) {
    const due = Math.floor(((performance.now() - startedMs) / 1000) * PER_SECOND)
    for (; taken < due; taken++) {
      const verdict = limiter.take(orgId, LIMIT)
      if (!(verdict instanceof Promise)) continue
      waited++
      const askedMs = performance.now()
      void verdict.then(() => {
        slowestMs = Math.max(slowestMs, performance.now() - askedMs)
      })
    }
    await delay(1)
  }
  return { waited, slowestMs }
}

/** What a lease costs in an org that has used every second of its hour. */
async function exchangeMs(db: Database, orgId: string): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  await db.write(async (tx) => {
    await tx.deleteFrom('rate_window').where('org_id', '=', orgId).execute()
    for (let i = 0; i < HOUR_S; i += 100) {
      const seconds = Array.from({ length: 100 }, (_, j) => now - i - j)
      const rows = seconds.map((second) => ({ org_id: orgId, second, used: 1, last_ms: second * 1000 }))
      await tx.insertInto('rate_window').values(rows).execute()
    }
  })
  const times: number[] = []
  for (let i = 0; i < EXCHANGES; i++) {
    const fresh = createLimiter({ db, nodeId: 'fresh' })
    const askedMs = performance.now()
    await fresh.take(orgId, LIMIT)
    times.push(performance.now() - askedMs)
    await fresh.close()
  }
  return median(times)
}
