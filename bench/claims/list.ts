import { apiRequest } from '../frame/data.ts'
import { besideBare, kithsOn } from '../frame/kiths.ts'
import { type Bench, CONNECTIONS, costBars, costTable } from '../frame/outcome.ts'
import { FILTER } from '../frame/people.ts'

const CONTACTS = 100_000

export const list: Bench = {
  claim: 'A page of 50 contacts by label and stage has the exact count of all that match, and costs little more.',
  async run(context) {
    const running = await kithsOn(context, { contacts: CONTACTS, isOnlyRead: true })
    const path = `/contacts?limit=50&${new URLSearchParams(FILTER)}`
    const compared = await besideBare(context, running, (filled) => [apiRequest(filled, 'GET', path)])
    const [bare, kith] = compared.costs
    return {
      setting: `100,000 contacts, of which one in a hundred matches, ${CONNECTIONS} connections.`,
      tables: [costTable(compared)],
      figures: { 'list.bare': kith!.perSecond / bare!.perSecond },
      bars: costBars('Filtered list of 50 with its count', compared),
    }
  },
}
