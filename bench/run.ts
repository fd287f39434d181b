/**
 * `npm run bench`: measures what Kith claims about speed, one bench after the other, and writes results.md.
 *
 *   npm run bench                         the short set, in less than a quarter of an hour
 *   npm run bench -- get list             some of it
 *   npm run bench -- --full               sizes of the claims, and more rounds
 *   npm run bench -- get --against main   this checkout beside another commit
 *   npm run bench -- get --profile        where the time goes, as flame graphs beside results.md
 *   npm run bench -- --data FOLDER        keeps the filled databases for the next run
 *   npm run bench -- peers [NAME…]        beside other programs, which it installs: minutes, and a network
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { BENCHES } from './claims/benches.ts'
import { Data } from './frame/data.ts'
import { flameSvg } from './frame/flame.ts'
import { machine } from './frame/machine.ts'
import type { Bench, Outcome } from './frame/outcome.ts'
import { readProfiles, selfTable } from './frame/profile.ts'
import { OWN, ownCommit, type Program, profiled, withCommit } from './frame/program.ts'
import { Results, targetTable } from './frame/results.ts'
import { plainTable } from './frame/table.ts'
import { PEERS } from './peers/benches.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean', default: false },
    against: { type: 'string' },
    profile: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
})
const isPeers = positionals[0] === 'peers'
if (options.profile && (isPeers || options.against !== undefined)) {
  console.error('A profile is of this checkout alone: leave out peers and --against.')
  process.exit(2)
}
const known: Record<string, Bench> = isPeers ? PEERS : BENCHES
const wanted = isPeers ? positionals.slice(1) : positionals
const unknown = wanted.filter((name) => !(name in known))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}.`)
  process.exit(2)
}
const isInSet = (name: string) => options.full || !known[name]!.isLong
const names = Object.keys(known).filter((name) => (wanted.length === 0 ? isInSet(name) : wanted.includes(name)))
const page = join(import.meta.dirname, isPeers ? 'peers/results.md' : 'results.md')
const results = new Results(join(import.meta.dirname, isPeers ? 'peers/results' : 'results'), page)

// What has been started and made goes with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

if (options.against === undefined) await runAll([OWN])
else await withCommit(options.against, (other) => runAll([OWN, other]))

async function runAll(programs: readonly Program[]): Promise<void> {
  const data = new Data(options.data)
  try {
    for (const name of names) {
      console.log(`\n${name}: ${known[name]!.claim}`)
      await (options.profile ? profileOne(name, data) : runOne(name, data, programs))
    }
  } finally {
    await data.close()
  }
}

/** Draws where the time of Kith goes under that bench's load. Being watched costs time, so it says nothing else. */
async function profileOne(name: string, data: Data): Promise<void> {
  const folder = data.folder()
  await outcomeOf(name, data, [profiled(OWN, folder)])
  const root = readProfiles(folder)
  const file = results.profileOf(name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, flameSvg(`${name}: where the time of Kith goes, ${ownCommit()}`, root))
  console.log(plainTable(selfTable(root)))
  writePage()
}

async function runOne(name: string, data: Data, programs: readonly Program[]): Promise<void> {
  const { claim } = known[name]!
  const startedMs = performance.now()
  const outcome = await outcomeOf(name, data, programs)
  const seconds = (performance.now() - startedMs) / 1000
  console.log(outcome.setting)
  for (const table of outcome.tables) console.log(`\n${plainTable(table)}`)
  for (const note of outcome.notes ?? []) console.log(note)
  const reached = targetTable([outcome.figures])
  if (reached.rows.length > 0) console.log(`\n${plainTable(reached)}`)
  console.log(`${Math.round(seconds)} s`)
  // A comparison with a commit is for whoever makes a change: the page tells about this checkout alone.
  if (programs.length > 1) return
  const date = new Date().toISOString()
  const about = { claim, machine: machine(), commit: ownCommit(), date, isFull: options.full, seconds }
  results.put(name, { ...outcome, ...about })
  writePage()
}

function writePage(): void {
  results.write(isPeers ? 'Kith beside other programs' : 'What was measured', Object.keys(known), 'results')
}

async function outcomeOf(name: string, data: Data, programs: readonly Program[]): Promise<Outcome> {
  const ends: (() => unknown)[] = []
  try {
    return await known[name]!.run({ data, programs, isFull: options.full, defer: (end) => ends.push(end) })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
