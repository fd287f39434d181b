import { apiRequest, askedIds, type Filled } from '../frame/data.ts'
import { filledFor, kithOn, programFor } from '../frame/kiths.ts'
import type { Request } from '../frame/load.ts'
import { type Bench, CONNECTIONS, type Context, compare, contestant, costTable, totalUs } from '../frame/outcome.ts'
import { FILTER, inputAt, TERMS } from '../frame/people.ts'
import { type Contestant, serverOf } from '../frame/turns.ts'
import type { BareQueried, BareQueries } from '../programs/bare-queries.ts'

const CONTACTS = 100_000
/** As many connections as Kith holds unless said. */
const POOL = 10
const BODIES = 1_000
const LISTED = 'id, full_name, company, deal_stage, deal_value, label'

interface Work {
  requests(filled: Filled): Request[]
  /** What a client of the database alone would ask; writes have none. */
  bare?(filled: Filled): { text: string; values: unknown[][] }
}

const WORK: Record<string, Work> = {
  get: {
    requests: (filled) => askedIds(filled).map((id) => apiRequest(filled, 'GET', `/contacts/${id}`)),
    bare: (filled) => ({
      text: 'select * from contact where org_id = $1 and id = $2',
      values: askedIds(filled).map((id) => [filled.orgId, id]),
    }),
  },
  'filtered list': {
    requests: (filled) => [apiRequest(filled, 'GET', `/contacts?limit=50&${new URLSearchParams(FILTER)}`)],
    bare: ({ orgId }) => ({
      text: `select ${LISTED}, (select sum(n) from contact_count where org_id = $1 and stage = $2 and label = $3) as count
        from contact where org_id = $1 and deal_stage = $2 and label = $3 order by id desc limit 50`,
      values: [[orgId, FILTER.stage, FILTER.label]],
    }),
  },
  'search, usual term': {
    requests: (filled) => [apiRequest(filled, 'GET', `/contacts?limit=50&q=${TERMS.usual}`)],
    bare: ({ orgId }) => ({
      text: `with hits as materialized (select id, ${LISTED.slice(4)} from contact where org_id = $1 and search_text like $2)
        select *, (select count(*) from hits) as count from hits order by id desc limit 50`,
      values: [[orgId, `%${TERMS.usual}%`]],
    }),
  },
  patch: {
    requests: (filled) =>
      askedIds(filled).map((id, i) => apiRequest(filled, 'PATCH', `/contacts/${id}`, { deal_value: i * 10 })),
  },
  create: {
    requests: (filled) => Array.from({ length: BODIES }, (_, i) => apiRequest(filled, 'POST', '/contacts', inputAt(i))),
  },
}

export const postgres: Bench = {
  claim: 'On PostgreSQL, through a socket of the same machine, one process adds little to what the database does.',
  async run(context) {
    const server = await context.data.postgres()
    const kiths = []
    for (const program of context.programs) {
      const filled = await filledFor(context, { program, engine: 'postgres', contacts: CONTACTS })
      kiths.push({ filled, kith: await kithOn(context, filled) })
    }
    const tables = []
    const bars = []
    for (const [name, { requests, bare }] of Object.entries(WORK)) {
      const contestants: Contestant[] = []
      if (bare) contestants.push(await bareQueries(context, name, kiths[0]!.filled, bare(kiths[0]!.filled)))
      for (const { filled, kith } of kiths) {
        const served = serverOf(kith, server.processorUs)
        contestants.push(contestant(`${filled.program.name}, ${name}`, served, requests(filled)))
      }
      const compared = await compare(contestants, context)
      tables.push(costTable(compared))
      for (const [i, cost] of compared.costs.entries()) {
        const isOurs = i > 0 || !bare
        bars.push({ name: compared.names[i]!, value: totalUs(cost), isOurs })
      }
    }
    return {
      setting: `100,000 contacts, PostgreSQL 18 with 512 MB of buffers, ${CONNECTIONS} connections, no subscription.`,
      tables,
      figures: {},
      bars: { title: 'On PostgreSQL: µs of processor each, server and database', bars },
      notes: ['Held against PostgREST and Parse Server by `npm run bench -- peers`.'],
    }
  },
}

async function bareQueries(
  context: Context,
  name: string,
  { place }: Filled,
  statement: Pick<BareQueries, 'text' | 'values'>,
): Promise<Contestant> {
  const settings: BareQueries = { url: place.databaseUrl!, connections: POOL, ...statement }
  const child = await programFor(context, 'bare-queries', settings)
  const { processorUs } = await context.data.postgres()
  return {
    name: `bare statement, ${name}`,
    async run(wanted) {
      const before = { server: (await child.used()).cpuUs, database: processorUs() }
      const { count, seconds } = await child.ask<BareQueried>(`run ${wanted}`)
      const serverUs = ((await child.used()).cpuUs - before.server) / count
      const databaseUs = (processorUs() - before.database) / count
      return { count, perSecond: count / seconds, serverUs, databaseUs, p50: Number.NaN, p99: Number.NaN }
    },
  }
}
