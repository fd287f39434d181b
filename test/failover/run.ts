/** The course of the failover test, from an empty folder to the table of what each fault did. */
import { until } from '../support/until.ts'
import { type AuditParts, audit } from './audit.ts'
import { Cluster, type ClusterOptions } from './cluster.ts'
import { FAULTS, type Fault, untilItMayEnd } from './faults.ts'
import { KithNode, kithCommand } from './kith-node.ts'
import { Ledger } from './ledger.ts'
import { makeBridge } from './network.ts'
import { Receipts } from './receipts.ts'
import { Writers } from './writers.ts'

const NODES = ['kith1', 'kith2', 'kith3']
const OUTAGE_S_MAX = 30
/** Writes that every node acknowledges before it counts as working. */
const WORKING_WRITES = 50
/** What takes longer than it may shall still be told in full. */
const WORKING_MS_MAX = 120_000
const TOLD_MAX = 20

export interface FailoverOptions extends ClusterOptions {
  rounds: number
  /** Only the faults with this in their name. */
  only: string
}

interface Parts extends AuditParts {
  nodes: readonly KithNode[]
  writers: Writers
  /** What has been found wrong so far: a contact that is lost stays so. */
  found: Set<string>
  tell(text: string): void
}

interface Outcome {
  name: string
  outageS: number
  acknowledged: number
  refused: number
  unknown: number
  wrong: number
}

/** @returns how many things were found that are not as they should be */
export async function runFailover({ rounds, only, ...options }: FailoverOptions): Promise<number> {
  const parts = await startParts(options)
  const outcomes: Outcome[] = []
  for (let round = 1; round <= rounds; round++) {
    for (const fault of FAULTS.filter(({ name }) => name.includes(only))) outcomes.push(await suffer(fault, parts))
  }
  console.log(report(outcomes, parts))
  const wrong = outcomes.reduce((total, outcome) => total + outcome.wrong, 0)
  console.log(`${outcomes.length} faults, ${wrong} things wrong`)
  return wrong
}

async function startParts(options: ClusterOptions): Promise<Parts> {
  const begunMs = performance.now()
  const tell = (text: string) =>
    console.log(`${((performance.now() - begunMs) / 1000).toFixed(1).padStart(6)} s  ${text}`)
  makeBridge()
  const receipts = await Receipts.start()
  const cluster = new Cluster(options)
  const place = { folder: options.folder, databaseUrl: await cluster.start() }
  tell('PostgreSQL and its standby are there')
  const nodes = await Promise.all(NODES.map((name) => KithNode.start(name, place)))
  const org = await kithCommand(place, 'org', 'create', 'Failover', '--hourly-limit', '1000000000')
  const { token } = await kithCommand(place, 'token', 'create', 'Writers', '--org', org.id)
  const events = 'contact.created,contact.updated,contact.deleted'
  await kithCommand(place, 'webhook', 'create', receipts.hook.url, '--org', org.id, '--events', events)
  tell(`${NODES.length} Kith processes are ready`)
  const ledger = new Ledger()
  const writers = new Writers({ nodes, token, ledger })
  return { cluster, orgId: org.id, ledger, receipts, nodes, writers, found: new Set(), tell }
}

/** Lets a fault happen while the writers are at work, until all is well again, and looks through everything. */
async function suffer(fault: Fault, parts: Parts): Promise<Outcome> {
  const { cluster, ledger, nodes, writers, found, tell } = parts
  const { acknowledged, refused, unknown } = ledger
  writers.start()
  ledger.watch(NODES)
  await untilWorking('at work', ledger)
  const primary = (await cluster.leader())!
  tell(`${fault.name}: ${primary.name}`)
  ledger.watch(NODES)
  const struckMs = performance.now()
  await fault.strike(cluster, primary)
  await until('there is a primary', async () => fault.isLed(await cluster.leader(), primary), WORKING_MS_MAX)
  await untilWorking('back', ledger)
  tell(`writes are back; the longest time without was ${ledger.outageS().toFixed(1)} s`)
  await untilItMayEnd(fault, struckMs)
  await fault.mend?.(cluster, primary)
  await cluster.untilWhole()
  await untilWorking('there with primary and standby', ledger)
  const outageS = ledger.outageS()
  await writers.stop()
  const wrong = [...(await audit(parts)), ...faultsOf(nodes)].filter((sentence) => !found.has(sentence))
  if (outageS > OUTAGE_S_MAX) wrong.push(`${fault.name}: no write for ${outageS.toFixed(1)} s.`)
  for (const sentence of wrong) found.add(sentence)
  tell(`primary and standby are there again; ${wrong.length} things wrong`)
  for (const sentence of wrong.slice(0, TOLD_MAX)) console.log(`          ${sentence}`)
  return {
    name: fault.name,
    outageS,
    acknowledged: ledger.acknowledged - acknowledged,
    refused: ledger.refused - refused,
    unknown: ledger.unknown - unknown,
    wrong: wrong.length,
  }
}

function faultsOf(nodes: readonly KithNode[]): string[] {
  return nodes.filter(({ isRunning }) => !isRunning).map(({ name }) => `${name} has ended.`)
}

/** Waits until every node acknowledges writes that begin from now on. */
async function untilWorking(what: string, ledger: Ledger): Promise<void> {
  const counts = NODES.map((node) => ledger.acknowledgedBy(node) + WORKING_WRITES)
  const areWorking = () => NODES.every((node, at) => ledger.acknowledgedBy(node) >= counts[at]!)
  await until(`writes through every node are ${what}`, areWorking, WORKING_MS_MAX)
}

function report(outcomes: Outcome[], { ledger, receipts }: Parts): string {
  const rows = outcomes.map(({ name, outageS, acknowledged, refused, unknown, wrong }) => {
    return [name, `${outageS.toFixed(1)} s`, acknowledged, wrong, refused, unknown]
  })
  return [
    '',
    '| fault | no write for | acknowledged | lost or wrong | refused (503) | outcome unknown |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    `${ledger.acknowledged} writes acknowledged, ${ledger.replayed} of them repeats under a key that had been done before.`,
    `${receipts.count} deliveries arrived, ${receipts.repeated} of them more than once.`,
    `The longest answer took ${(ledger.answerMsMax / 1000).toFixed(1)} s; ${ledger.unanswered} calls had none.`,
    '',
  ].join('\n')
}
