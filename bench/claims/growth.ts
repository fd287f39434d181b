/** What more contacts in one org, and more orgs, cost each request. */
import { apiRequest, askedIds, type Filled } from '../frame/data.ts'
import { kithsOn, type Running } from '../frame/kiths.ts'
import type { Request } from '../frame/load.ts'
import { type Bench, type Context, compare, contestant, type Outcome, ratio } from '../frame/outcome.ts'
import { inputAt } from '../frame/people.ts'
import { serverOf } from '../frame/turns.ts'

const BODIES = 1_000

/** Each answers as much everywhere: 25 and more match the filter among 1,000 contacts too. */
const WORK: Record<string, (filled: Filled) => Request[]> = {
  get: (filled) => askedIds(filled).map((id) => apiRequest(filled, 'GET', `/contacts/${id}`)),
  'first page': (filled) => [apiRequest(filled, 'GET', '/contacts')],
  'filtered list': (filled) => [apiRequest(filled, 'GET', '/contacts?stage=lead&label=cold&limit=25')],
  patch: (filled) =>
    askedIds(filled).map((id, i) => apiRequest(filled, 'PATCH', `/contacts/${id}`, { deal_value: i * 10 })),
  create: (filled) => Array.from({ length: BODIES }, (_, i) => apiRequest(filled, 'POST', '/contacts', inputAt(i))),
}

export const growth: Bench = {
  claim: 'A request costs the same in an org of a thousand contacts and in one of a million.',
  async run(context) {
    const few = await kithsOn(context, { contacts: 1_000 })
    const many = await kithsOn(context, { contacts: 1_000_000 })
    return measure(context, [few, many], ['1,000 contacts', '1,000,000 contacts'], 'growth.contacts')
  },
}

export const orgs: Bench = {
  claim: 'A request costs the same beside one other org and beside ten thousand.',
  async run(context) {
    const few = await kithsOn(context, { contacts: 20_000, otherOrgs: 1 })
    const many = await kithsOn(context, { contacts: 20_000, otherOrgs: 10_000 })
    return measure(context, [few, many], ['2 orgs', '10,001 orgs'], 'growth.orgs')
  },
}

async function measure(
  context: Context,
  [few, many]: [Running[], Running[]],
  names: [string, string],
  target: 'growth.contacts' | 'growth.orgs',
): Promise<Outcome> {
  const rows: (string | number)[][] = []
  const factors: number[] = []
  const bars: { name: string; value: number; remark?: string; isOurs: boolean }[] = []
  for (const [i, { program }] of few.entries()) {
    for (const [work, requestsOf] of Object.entries(WORK)) {
      const contestants = [few[i]!, many[i]!].map(({ kith, filled }) =>
        contestant(program.name, serverOf(kith), requestsOf(filled)),
      )
      const [a, b] = (await compare(contestants, context)).costs
      const factor = b!.serverUs / a!.serverUs
      if (i === 0) {
        factors.push(factor)
        bars.push({ name: `${work}, ${names[0]}`, value: a!.serverUs, isOurs: false })
        bars.push({ name: names[1], value: b!.serverUs, remark: `× ${factor.toFixed(2)}`, isOurs: true })
      }
      rows.push([
        `${program.name}, ${work}`,
        ...[a!.serverUs, b!.serverUs, ratio(b!.serverUs, a!.serverUs)],
        ...[Math.round(a!.perSecond), Math.round(b!.perSecond)],
      ])
    }
  }
  const titles = ['', ...names.map((name) => `µs, ${name}`), '×', ...names.map((name) => `/s, ${name}`)]
  return {
    setting: 'SQLite; processor time of the whole server for each request.',
    tables: [{ titles, rows }],
    figures: { [target]: Math.max(...factors) },
    bars: { title: `${names[0]} and ${names[1]}: µs of processor each`, bars },
  }
}
