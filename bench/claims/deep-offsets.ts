import { apiRequest } from '../frame/data.ts'
import { kithsOn } from '../frame/kiths.ts'
import { type Bench, type Context, compare, contestant, FEW_CONNECTIONS, ratio } from '../frame/outcome.ts'
import { serverOf } from '../frame/turns.ts'

const CONTACTS = 1_000_000

const PATHS = {
  'first page': '/contacts?limit=50',
  'offset 900,000': '/contacts?limit=50&offset=900000',
  'by stage, offset 200,000': '/contacts?limit=50&stage=lead&offset=200000',
  'deals, offset 400,000': '/deals?limit=50&offset=400000',
}

export const deepOffsets: Bench = {
  claim: 'A page far down a long list is no request to be afraid of.',
  async run(context: Context) {
    const rows: (string | number)[][] = []
    let worstMs = 0
    for (const { program, filled, kith } of await kithsOn(context, { contacts: CONTACTS, isOnlyRead: true })) {
      let firstUs = Number.NaN
      for (const [name, path] of Object.entries(PATHS)) {
        const requests = [apiRequest(filled, 'GET', path)]
        await kith.held()
        const { costs } = await compare([contestant(program.name, serverOf(kith), requests, FEW_CONNECTIONS)], context)
        const { serverUs, p99 } = costs[0]!
        if (name === 'first page') firstUs = serverUs
        if (name === 'offset 900,000' && worstMs === 0) worstMs = serverUs / 1000
        const held = (await kith.held()).cpuMs
        rows.push([`${program.name}, ${name}`, serverUs / 1000, ratio(serverUs, firstUs), p99, held])
      }
    }
    return {
      setting: '1,000,000 contacts, 50 at a time, 4 connections.',
      tables: [{ titles: ['', 'ms of processor', '× the first page', 'p99 ms', 'loop held ms'], rows }],
      figures: { 'deep.offset': worstMs },
    }
  },
}
