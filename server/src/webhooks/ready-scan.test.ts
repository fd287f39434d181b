import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { engines } from '../../../test/support/databases.ts'
import { createContact } from '../contacts/actions.ts'
import { ReadyScan } from './ready-scan.ts'
import { Seldom } from './seldom.ts'
import { makeOrg } from './test-deliveries.ts'

const CONTACTS = 6

for (const engine of engines) {
  test(`${engine.name}: while looking from the beginning is dear, a look begins at what was the first; what became ready before it is met by the next whole look`, async (t) => {
    const { db } = await engine.open(t)
    const org = await makeOrg(db)
    const { id: subscription_id } = await org.subscribe('http://127.0.0.1:9999/', ['contact.created'])
    for (let i = 0; i < CONTACTS; i++) await db.write((tx) => createContact(tx, org.actor, { full_name: `${i}` }))
    const wholeLooks = { isDue: true, run: <T>(work: () => Promise<T>) => work() }
    const scan = new ReadyScan({ org_id: org.orgId, subscription_id }, wholeLooks)
    const all = (await scan.look(db.read, 10)).map(({ id }) => id)
    assert.equal(all.length, CONTACTS)

    wholeLooks.isDue = false
    assert.deepEqual(await idsFound(), all)
    await setState(all.slice(0, 2), 'delivered')
    assert.deepEqual(await idsFound(), all.slice(2))
    await setState(all.slice(0, 1), 'ready')
    assert.deepEqual(await idsFound(), all.slice(2))
    await setState(all.slice(2, 3), 'delivered')
    assert.deepEqual(await idsFound(2), all.slice(3, 5))

    wholeLooks.isDue = true
    assert.deepEqual(await idsFound(), [all[0], ...all.slice(3)])
    wholeLooks.isDue = false
    assert.deepEqual(await idsFound(1), [all[0]])

    async function idsFound(max = 10): Promise<string[]> {
      return (await scan.look(db.read, max)).map(({ id }) => id)
    }

    async function setState(ids: string[], state: 'ready' | 'delivered'): Promise<void> {
      await db.write((tx) =>
        tx.updateTable('delivery').set({ state }).where('org_id', '=', org.orgId).where('id', 'in', ids).execute(),
      )
    }
  })
}

test('what is dear is done for a tenth of the time at most, what is cheap as often as it is asked for', async () => {
  const seldom = new Seldom()
  assert.ok(seldom.isDue)
  assert.equal(await seldom.run(async () => 7), 7)
  const startedMs = performance.now()
  await seldom.run(() => delay(300))
  const tookMs = performance.now() - startedMs
  assert.ok(!seldom.isDue)
  while (!seldom.isDue) await delay(20)
  assert.ok(performance.now() - startedMs >= tookMs * 9)
})
