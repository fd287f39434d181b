import { apiRequest, askedIds } from '../frame/data.ts'
import { besideBare, kithsOn } from '../frame/kiths.ts'
import { type Bench, CONNECTIONS, costBars, costTable } from '../frame/outcome.ts'

const CONTACTS = 100_000

export const get: Bench = {
  claim: 'A GET of one contact, with token, rate limit and checks, costs a small multiple of answering at all.',
  async run(context) {
    const running = await kithsOn(context, { contacts: CONTACTS, isOnlyRead: true })
    const compared = await besideBare(context, running, (filled) =>
      askedIds(filled).map((id) => apiRequest(filled, 'GET', `/contacts/${id}`)),
    )
    const [bare, kith] = compared.costs
    return {
      setting: `100,000 contacts, 1,000 of them asked for in turn, ${CONNECTIONS} connections.`,
      tables: [costTable(compared)],
      figures: { 'get.cpu': kith!.serverUs / bare!.serverUs },
      bars: costBars('GET a contact', compared),
    }
  },
}
