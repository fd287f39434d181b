/**
 * How many deliveries a second one process makes on SQLite to 20 receivers, against a bare loop that signs and posts
 * the same bodies; then with one receiver in ten hanging. `node bench/deliveries.ts [contacts]`
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'
import { commandActor } from '../server/src/actor.ts'
import { createContact } from '../server/src/contacts/actions.ts'
import { openDatabase } from '../server/src/database/open.ts'
import { createLog } from '../server/src/log.ts'
import { createOrg } from '../server/src/orgs/actions.ts'
import { createAddressGuard } from '../server/src/outgoing/address-guard.ts'
import { createSubscription } from '../server/src/webhooks/actions.ts'
import { startDispatcher } from '../server/src/webhooks/dispatcher.ts'
import { newSigningSecret } from '../server/src/webhooks/secrets.ts'
import { createSender } from '../server/src/webhooks/sender.ts'
import { deliveryHeaders } from '../server/src/webhooks/signature.ts'

const RECEIVERS = 20
const HANGING = RECEIVERS / 10
const AT_ONCE = 256
const AT_ONCE_EACH = 16
const BARE_SECONDS = 4
const KEY = Buffer.alloc(32, 1)
const guard = createAddressGuard(['127.0.0.1'])

if (process.send) await receive()
else await measure(Number(process.argv[2] ?? 2_000))

async function receive(): Promise<void> {
  const ports: number[] = []
  for (let i = 0; i < RECEIVERS; i++) {
    const server = createServer((request, response) => {
      if (request.url === '/hang') return
      request.resume().on('end', () => response.end('ok'))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
  }
  process.send?.(ports)
}

async function measure(contacts: number): Promise<void> {
  const receiver = fork(import.meta.filename)
  const [ports] = (await once(receiver, 'message')) as [number[]]
  const bare = await bareRate(ports)
  console.log(`bare loop: ${Math.round(bare)}/s`)
  const all = await dispatchRate(ports, contacts, 0)
  console.log(`dispatcher: ${Math.round(all)}/s, ${(all / bare).toFixed(2)} of the bare loop`)
  const others = await dispatchRate(ports, contacts, HANGING)
  console.log(
    `dispatcher, ${HANGING} of ${RECEIVERS} hang: ${Math.round(others)}/s, ${(others / all).toFixed(2)} of it`,
  )
  receiver.kill()
}

/** Signs and posts as many at once as the dispatcher does, and does nothing else. */
async function bareRate(ports: number[]): Promise<number> {
  const agent = new Agent({ connections: AT_ONCE_EACH })
  const secret = newSigningSecret()
  const contact = { id: 'x', full_name: 'Ada Lovelace', company: 'Analytical Engines', tags: [] }
  const body = JSON.stringify({ event: 'contact.created', ts: new Date().toISOString(), payload: { contact } })
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  let count = 0
  const lane = async (_: unknown, i: number) => {
    while (performance.now() - startedMs < BARE_SECONDS * 1000) {
      const headers = deliveryHeaders({
        event: 'contact.created',
        deliveryId: String(count),
        timestampS: 1,
        body,
        secret,
        version: '0',
      })
      const origin = `http://127.0.0.1:${ports[i % RECEIVERS]}`
      const answer = await agent.request({ origin, path: '/hook', method: 'POST', headers, body })
      await answer.body.text()
      count++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  await agent.close()
  console.log(`  ${cpuEach(cpuBefore, count)}`)
  return count / BARE_SECONDS
}

/** What one takes of a processor, which other programs on the machine change less than they do the rate. */
function cpuEach(before: NodeJS.CpuUsage, count: number): string {
  const { user, system } = process.cpuUsage(before)
  return `${Math.round((user + system) / count)} µs of processor each`
}

/** @returns deliveries a second to those receivers that do not hang */
async function dispatchRate(ports: number[], contacts: number, hanging: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'))
  const db = await openDatabase({ engine: 'sqlite', folder }, 'server')
  const org = await db.write((tx) => createOrg(tx, { name: 'Bench' }))
  const actor = commandActor(org.id)
  for (const [i, port] of ports.entries()) {
    const url = `http://127.0.0.1:${port}/${i < hanging ? 'hang' : 'hook'}`
    await db.write((tx) => createSubscription(tx, actor, { url, events: ['contact.created'] }, { guard, key: KEY }))
  }
  for (let made = 0; made < contacts; made += 100) {
    await db.write(async (tx) => {
      for (let i = 0; i < 100; i++)
        await createContact(tx, actor, { full_name: `Contact ${made + i}`, company: 'Acme' })
    })
  }
  const due = contacts * (RECEIVERS - hanging)
  const sender = createSender({ guard })
  const cpuBefore = process.cpuUsage()
  const startedMs = performance.now()
  const dispatcher = startDispatcher({
    db,
    sender,
    key: KEY,
    log: createLog('error'),
    version: '0',
    concurrency: AT_ONCE,
    concurrencyPerSubscription: AT_ONCE_EACH,
  })
  let rssMax = 0
  while (dispatcher.stats().delivered < due) {
    await delay(20)
    rssMax = Math.max(rssMax, process.memoryUsage.rss())
  }
  const seconds = (performance.now() - startedMs) / 1000
  const memory = `memory at most ${Math.round(rssMax / 2 ** 20)} MiB`
  console.log(`  ${due} deliveries in ${seconds.toFixed(1)} s, ${cpuEach(cpuBefore, due)}, ${memory}`)
  await dispatcher.stop(0)
  await sender.close()
  await db.close()
  rmSync(folder, { recursive: true })
  return due / seconds
}
