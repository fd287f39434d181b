/**
 * How many contacts a second 64 programs create side by side, each durable when it is answered, beside one commit for
 * each; and the server's memory under that load: `node bench/create.ts [seconds] [rounds] [folder]`, 5, 3 and the
 * temporary folder unless said. Give a folder on the disk that is to be measured: the temporary one may lie in memory.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { commandActor } from '../server/src/actor.ts'
import { createContact } from '../server/src/contacts/actions.ts'
import {
  bearer,
  type Child,
  contactNumber,
  load,
  makeOrg,
  median,
  type OrgOfBench,
  printTable,
  startKith,
  withDatabase,
  withFolder,
} from './load.ts'

const CONNECTIONS = 64
const WARM_SECONDS = 2
const SYNCS = 200

const [seconds = 5, rounds = 3] = process.argv.slice(2, 4).map(Number)
await withFolder(measure, process.argv[4])

async function measure(folder: string): Promise<void> {
  const org = await makeOrg(folder, 1_000)
  console.log(`one write and sync of 4 KiB there: median ${syncMs(folder).toFixed(2)} ms`)
  const kith = await startKith(folder)
  let answered = 0
  const create = async (connections: number, forSeconds: number) => {
    const result = await load({ url: kith.url, connections, seconds: forSeconds, requests: requests(org) })
    answered += result.answered
    return result
  }
  try {
    await create(CONNECTIONS, WARM_SECONDS)
    const rows: { one: number; bare: number; many: number; p99: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const bare = await oneByOne(folder, org)
      answered += bare.created
      const one = await create(1, seconds)
      const many = await create(CONNECTIONS, seconds)
      rows.push({ bare: bare.perSecond, one: one.perSecond, many: many.perSecond, p99: many.p99 })
    }
    print(rows)
    await printMemory(kith)
  } finally {
    await kith.end('SIGKILL')
  }
  await checkAllThere(folder, org, answered)
}

function requests(org: OrgOfBench) {
  const headers = { ...bearer(org), 'content-type': 'application/json' }
  return Array.from({ length: 100 }, (_, i) => {
    return { method: 'POST' as const, path: '/api/v1/contacts', headers, body: JSON.stringify(contactNumber(i)) }
  })
}

/** The same action without HTTP, each in a commit of its own, the next when the one before is durable. */
function oneByOne(folder: string, org: OrgOfBench): Promise<{ created: number; perSecond: number }> {
  const actor = commandActor(org.id)
  return withDatabase(folder, async (db) => {
    const startedMs = performance.now()
    let created = 0
    while (performance.now() - startedMs < seconds * 1000) {
      await db.write((tx) => createContact(tx, actor, contactNumber(created)))
      created++
    }
    return { created, perSecond: created / ((performance.now() - startedMs) / 1000) }
  })
}

function print(rows: { one: number; bare: number; many: number; p99: number }[]): void {
  const line = (name: string | number, { bare, one, many, p99 }: (typeof rows)[number]) => [
    name,
    Math.round(bare),
    Math.round(one),
    Math.round(many),
    (many / bare).toFixed(2),
    p99.toFixed(0),
  ]
  const medians = {
    bare: median(rows.map(({ bare }) => bare)),
    one: median(rows.map(({ one }) => one)),
    many: median(rows.map(({ many }) => many)),
    p99: median(rows.map(({ p99 }) => p99)),
  }
  printTable(
    ['round', 'a commit each /s', 'API, 1 at once /s', `API, ${CONNECTIONS} at once /s`, 'of a commit each', 'p99 ms'],
    [...rows.map((row, i) => line(i + 1, row)), line('median', medians)],
  )
}

async function printMemory(kith: Child): Promise<void> {
  const { rssBytesMax } = await kith.used()
  console.log(`memory of the server: at most ${Math.round(rssBytesMax / 2 ** 20)} MiB`)
}

/** After a SIGKILL: what was answered is there, and beside it no more than was in flight at the end of each load. */
async function checkAllThere(folder: string, org: OrgOfBench, answered: number): Promise<void> {
  const { n } = await withDatabase(folder, (db) =>
    db.read
      .selectFrom('contact')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('org_id', '=', org.id)
      .executeTakeFirstOrThrow(),
  )
  const more = n - org.contactIds.length - answered
  const inFlightMax = CONNECTIONS + rounds * (CONNECTIONS + 1)
  if (more < 0 || more > inFlightMax) throw new Error(`${answered} creates were answered, and ${more} more are there.`)
  console.log(`after SIGKILL: all ${answered} answered creates are there`)
}

function syncMs(folder: string): number {
  const path = join(folder, 'sync')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096, 1)
  const times = Array.from({ length: SYNCS }, () => {
    const startedMs = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    return performance.now() - startedMs
  })
  closeSync(file)
  rmSync(path)
  return median(times)
}
