/**
 * What a GET of one contact costs of a processor, as a multiple of what a bare `node:http` server costs that answers
 * the same bytes: `node bench/get.ts [contacts] [seconds] [rounds]`, 100000, 4 and 5 unless said.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bearer, Child, load, makeOrg, median, type OrgOfBench, printTable, startKith, withFolder } from './load.ts'

const CONNECTIONS = 16
const WARM_SECONDS = 3
/** So many different contacts are asked for in turn. */
const ASKED = 1_000

if (process.env.BARE_ANSWER) serveBare(JSON.parse(process.env.BARE_ANSWER))
else await withFolder((folder) => measure(folder, process.argv.slice(2).map(Number)))

interface BareAnswer {
  headers: Record<string, string>
  body: string
}

async function measure(folder: string, [contacts = 100_000, seconds = 4, rounds = 5]: number[]): Promise<void> {
  const org = await makeOrg(folder, contacts)
  const kith = await startKith(folder)
  const bare = await new Child(import.meta.filename, [], {
    BARE_ANSWER: JSON.stringify(await answerOf(kith, org)),
  }).started()
  try {
    for (const child of [bare, kith]) await cost(child, org, WARM_SECONDS)
    const rows: { bareUs: number; kithUs: number; barePerSecond: number; kithPerSecond: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const a = await cost(bare, org, seconds)
      const b = await cost(kith, org, seconds)
      rows.push({ bareUs: a.us, kithUs: b.us, barePerSecond: a.perSecond, kithPerSecond: b.perSecond })
    }
    print(contacts, rows)
  } finally {
    await Promise.all([kith.end(), bare.end()])
  }
}

function print(
  contacts: number,
  rows: { bareUs: number; kithUs: number; barePerSecond: number; kithPerSecond: number }[],
): void {
  console.log(`GET /api/v1/contacts/:id, ${contacts} contacts, ${CONNECTIONS} connections`)
  const line = (name: string | number, { bareUs, kithUs, barePerSecond, kithPerSecond }: (typeof rows)[number]) => [
    name,
    bareUs.toFixed(1),
    kithUs.toFixed(1),
    (kithUs / bareUs).toFixed(2),
    Math.round(barePerSecond),
    Math.round(kithPerSecond),
  ]
  const medians = {
    bareUs: median(rows.map(({ bareUs }) => bareUs)),
    kithUs: median(rows.map(({ kithUs }) => kithUs)),
    barePerSecond: median(rows.map(({ barePerSecond }) => barePerSecond)),
    kithPerSecond: median(rows.map(({ kithPerSecond }) => kithPerSecond)),
  }
  printTable(
    ['round', 'bare µs', 'kith µs', 'ratio', 'bare /s', 'kith /s'],
    [...rows.map((row, i) => line(i + 1, row)), line('median', medians)],
  )
}

/** @returns microseconds of processor for each request, of all threads of the process */
async function cost(child: Child, org: OrgOfBench, seconds: number): Promise<{ us: number; perSecond: number }> {
  const step = Math.max(1, Math.floor(org.contactIds.length / ASKED))
  const requests = org.contactIds
    .filter((_, i) => i % step === 0)
    .map((id) => ({ method: 'GET' as const, path: `/api/v1/contacts/${id}`, headers: bearer(org) }))
  const before = await child.used()
  const { answered, perSecond } = await load({ url: child.url, connections: CONNECTIONS, seconds, requests })
  const after = await child.used()
  return { us: (after.cpuUs - before.cpuUs) / answered, perSecond }
}

/** One answer of the server, without the headers that `node:http` adds by itself. */
async function answerOf(kith: Child, org: OrgOfBench): Promise<BareAnswer> {
  const id = org.contactIds[org.contactIds.length >> 1]
  const response = await fetch(`${kith.url}/api/v1/contacts/${id}`, { headers: bearer(org) })
  if (!response.ok) throw new Error(`The contact was answered ${response.status}.`)
  const headers = [...response.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name))
  return { headers: Object.fromEntries(headers), body: await response.text() }
}

function serveBare({ headers, body }: BareAnswer): void {
  const server = createServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
  })
}
