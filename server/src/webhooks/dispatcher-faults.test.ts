/** Dispatchers that are killed, paused or cut off from the database. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { createContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { unavailable } from '../database/faults.ts'
import { openDatabase, type StoreOptions } from '../database/open.ts'
import { listDeliveries, redeliver } from './delivery-actions.ts'
import { inReverse, makeOrg, runDispatcher, startReceiver, until } from './test-deliveries.ts'

const TAKEN_OVER_MS_MAX = 10_000
const [, postgres] = engines

// They mostly wait for a process to be taken for dead.
describe('dispatchers that are killed, paused or cut off', { concurrency: 3 }, () => {
  for (const engine of engines) {
    test(`${engine.name}: after a kill what was not recorded is sent again with the same id, what was recorded is not`, async (t) => {
      const live = inReverse(t)
      const store = await engine.place(t)
      const db = await openDatabase(store, 'command')
      live.after(() => db.close())
      const org = await makeOrg(db)
      let answersMax = 30
      const receiver = await startReceiver(live, (response) => {
        if (receiver.arrivals.length <= answersMax) response.end()
      })
      await org.subscribe(receiver.url)
      await db.write(async (tx) => {
        for (let i = 0; i < 60; i++) await createContact(tx, org.actor, { full_name: `${i}` })
      })
      const list = () => listDeliveries(db.read, org.orgId, { limit: 100 })
      const first = await startProcess(live, store)
      await until(async () => receiver.open > 1 && (await list()).some(({ status }) => status !== 'pending'))
      first.kill('SIGKILL')
      await once(first, 'exit')
      const recorded = (await list()).filter(({ status }) => status !== 'pending').map(({ id }) => id)
      const underWay = receiver.arrivals.map(({ id }) => id).filter((id) => !recorded.includes(id))
      assert.ok(recorded.length > 0 && underWay.length > 0)
      answersMax = Number.POSITIVE_INFINITY
      const arrived = receiver.arrivals.length
      await startProcess(live, store)
      // From here on: on a busy machine the start of a process takes seconds of its own.
      const startedMs = performance.now()
      await until(() => receiver.arrivals.length > arrived)
      const tookMs = performance.now() - startedMs
      assert.ok(tookMs < TAKEN_OVER_MS_MAX, `another goes on within 10 s: ${tookMs}`)
      await until(async () => (await list()).every(({ status }) => status === 'delivered'))
      const times = new Map<string, number>()
      for (const { id } of receiver.arrivals) times.set(id, (times.get(id) ?? 0) + 1)
      assert.equal(times.size, 60, 'none is missing')
      assert.deepEqual(
        [...times]
          .filter(([, n]) => n > 1)
          .map(([id]) => id)
          .toSorted(),
        underWay.toSorted(),
      )
    })

    test(`${engine.name}: outcomes that cannot be recorded are kept, and recorded when the database is back`, async (t) => {
      const live = inReverse(t)
      const { db } = await engine.open(t)
      const org = await makeOrg(db)
      const receiver = await startReceiver(live)
      await org.subscribe(receiver.url)
      let isAway = false
      const flaky: Database = {
        ...within(db),
        write: (work) => (isAway ? Promise.reject(unavailable()) : db.write(work)),
      }
      const dispatcher = runDispatcher(live, flaky)
      await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
      await until(() => dispatcher.stats().delivered === 1)
      isAway = true
      await db.write(async (tx) => {
        for (let i = 0; i < 5; i++) await createContact(tx, org.actor, { full_name: `${i}` })
      })
      await until(() => dispatcher.stats().unrecorded === 5)
      isAway = false
      await until(() => dispatcher.stats().delivered === 6)
      assert.equal(receiver.arrivals.length, 6, 'none was sent again')
    })
  }

  test('postgres: an owner that was paused and wakes cannot overwrite what the new owner has recorded', async (t) => {
    const live = inReverse(t)
    const { db, store } = await postgres!.open(t)
    const org = await makeOrg(db)
    const held: ServerResponse[] = []
    const receiver = await startReceiver(live, (response) => {
      if (receiver.arrivals.length === 2) response.end()
      else held.push(response)
    })
    await org.subscribe(receiver.url)
    await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    const paused = await startProcess(live, store)
    await until(() => held.length === 1)
    paused.kill('SIGSTOP')
    const dispatcher = runDispatcher(live, db)
    await until(() => dispatcher.stats().delivered === 1)
    const { id } = receiver.arrivals[0]!
    // Due again, it could take the outcome that the paused one still has of its first sending.
    await db.write((tx) => redeliver(tx, org.actor, id))
    await until(() => held.length === 2)
    held[0]!.writeHead(500).end()
    paused.kill('SIGCONT')
    await until(async () => {
      const { sending, unrecorded } = await statsOf(paused)
      return sending + unrecorded === 0
    })
    const shown = async () => {
      const [delivery] = await listDeliveries(db.read, org.orgId, { limit: 9 })
      return [delivery!.status, delivery!.response_status, delivery!.attempts]
    }
    assert.deepEqual(await shown(), ['pending', 200, 1])
    held[1]!.end()
    await until(() => dispatcher.stats().delivered === 2)
    assert.deepEqual(await shown(), ['delivered', 200, 2])
    assert.deepEqual(
      receiver.arrivals.map((arrival) => arrival.id),
      [id, id, id],
    )
  })

  test('postgres: two processes share the subscriptions, and each delivery is sent by one of them', async (t) => {
    const live = inReverse(t)
    const { db } = await postgres!.open(t)
    const org = await makeOrg(db)
    const receiver = await startReceiver(live, (response) => void setTimeout(() => response.end(), 2))
    for (let i = 0; i < 8; i++) await org.subscribe(receiver.url)
    const dispatchers = [runDispatcher(live, db), runDispatcher(live, db)]
    await until(async () => (await db.read.selectFrom('dispatcher_node').selectAll().execute()).length === 2)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    for (let i = 0; i < 100; i++) await db.write((tx) => createContact(tx, org.actor, { full_name: `${i}` }))
    await until(() => dispatchers.reduce((sum, { stats }) => sum + stats().delivered, 0) === 800)
    assert.equal(receiver.arrivals.length, 800)
    for (const { stats } of dispatchers) assert.ok(stats().delivered >= 300, `${stats().delivered}`)
  })
})

/** A dispatcher in a process of its own, killed when the test has ended. */
async function startProcess(
  t: { after(hook: () => void | Promise<void>): void },
  store: StoreOptions,
): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'test-dispatcher.ts'), [JSON.stringify(store)])
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await once(child, 'message')
  return child
}

async function statsOf(child: ChildProcess): Promise<{ sending: number; unrecorded: number }> {
  child.send('stats')
  return (await once(child, 'message'))[0]
}

function within(db: Database): Database {
  return {
    engine: db.engine,
    read: db.read,
    slow: db.slow,
    snapshot: (work) => db.snapshot(work),
    write: (work) => db.write(work),
    onHint: (listener) => db.onHint(listener),
    close: () => db.close(),
  }
}
