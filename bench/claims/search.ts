import { apiRequest, type Filled } from '../frame/data.ts'
import { answerTo, besideBare, kithsOn } from '../frame/kiths.ts'
import { type Bench, type Context, FEW_CONNECTIONS, ratio } from '../frame/outcome.ts'
import { TERMS } from '../frame/people.ts'
import type { Table } from '../frame/table.ts'

/** Among very many the commonest term takes a good part of a second: what is under way when a round ends is not counted. */
const SIZES = [
  { contacts: 100_000, connections: FEW_CONNECTIONS, secondsMin: 1 },
  { contacts: 1_000_000, connections: 1, secondsMin: 4 },
]

export const search: Bench = {
  claim: 'A search for a part of a name or company answers with the exact count of all that match.',
  async run(context) {
    const found: Found[] = []
    for (const size of SIZES) found.push(...(await searchAmong(context, size)))
    const ms = (contacts: number, term: keyof typeof TERMS) =>
      found.find((one) => one.contacts === contacts && one.term === term)!.kithUs / 1000
    return {
      setting: `The first 50 that match and their count; ${FEW_CONNECTIONS} connections, among 1,000,000 one.`,
      tables: [tableOf(found)],
      figures: {
        'search.rare': ms(100_000, 'rare'),
        'search.usual': ms(100_000, 'usual'),
        'search.commonest': ms(100_000, 'commonest'),
        'search.commonest-many': ms(1_000_000, 'commonest'),
      },
      bars: {
        title: 'Search with its count: µs of processor each',
        bars: found.map(({ contacts, term, match, kithUs }) => ({
          name: `${term} among ${contacts.toLocaleString('en-US')}`,
          value: kithUs,
          remark: `${match.toLocaleString('en-US')} match`,
          isOurs: true,
        })),
      },
    }
  },
}

interface Found {
  contacts: number
  term: keyof typeof TERMS
  match: number
  name: string
  perSecond: number
  kithUs: number
  bareUs: number
  p99: number
}

/** The first of each term is this checkout's. */
async function searchAmong(context: Context, { contacts, ...load }: (typeof SIZES)[number]): Promise<Found[]> {
  const running = await kithsOn(context, { contacts, isOnlyRead: true })
  const found: Found[] = []
  for (const [term, text] of Object.entries(TERMS) as [keyof typeof TERMS, string][]) {
    const requestOf = (filled: Filled) => apiRequest(filled, 'GET', `/contacts?limit=50&q=${text}`)
    const { body } = await answerTo(running[0]!.kith.url, requestOf(running[0]!.filled))
    const match: number = JSON.parse(body).meta.count
    const { names, costs } = await besideBare(context, running, (filled) => [requestOf(filled)], load)
    const bareUs = costs[0]!.serverUs
    for (const [i, { perSecond, serverUs, p99 }] of costs.slice(1).entries()) {
      found.push({ contacts, term, match, name: names[i + 1]!, perSecond, kithUs: serverUs, bareUs, p99 })
    }
  }
  return found
}

function tableOf(found: readonly Found[]): Table {
  const rows = found.map(({ contacts, term, match, name, perSecond, kithUs, bareUs, p99 }) => [
    `${name}, ${term}`,
    contacts,
    match,
    perSecond,
    Math.round(kithUs),
    ratio(kithUs, bareUs),
    p99,
  ])
  return { titles: ['', 'contacts', 'match', '/s', 'µs of processor', '× a bare server’s', 'p99 ms'], rows }
}
