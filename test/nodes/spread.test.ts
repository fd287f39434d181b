import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createContact } from '../../server/src/contacts/actions.ts'
import { withNodes } from '../support/kith.ts'
import { metricOf } from '../support/node-of.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const HOOKS = 12
const NODES = 3
/** Everyone's share of the busy subscriptions and one more, so that a difference of one moves nothing about. */
const OWNED_MAX = HOOKS / NODES + 1
const HINT_CUT_EVERY_MS = 50

withNodes(
  NODES,
  (kith) => {
    let receiver: Receiver
    before(async () => {
      receiver = await startReceiver()
    })
    after(() => receiver.close())

    test(`when nodes join, busy subscriptions move to them until each of ${NODES} has at most ${OWNED_MAX} of ${HOOKS}`, async () => {
      const [first, ...others] = kith.nodes
      for (const node of others) await node.stop()
      const org = await kith.org()
      const hooks = Array.from({ length: HOOKS }, () => receiver.hook({ delayMs: 500 }))
      for (const { url } of hooks) await org.subscribe(url, ['contact.created'])
      let made = 0
      const keepBusy = async () => {
        const least = Math.min(...hooks.map(({ received }) => received.length))
        if (made - least > 20) return
        made += 20
        await kith.db.write(async (tx) => {
          for (let i = 0; i < 20; i++) await createContact(tx, org.actor, { full_name: 'Ada' })
        })
      }
      await keepBusy()
      const ownedBy = (node = first!) => metricOf(node, 'kith_subscriptions_owned')
      await until('the only node works all', async () => (await ownedBy()) === HOOKS)
      await Promise.all(others.map((node) => node.start()))
      await until('the load is spread', async () => {
        await keepBusy()
        const owned = await Promise.all(kith.nodes.map(ownedBy))
        return owned.every((count) => count !== undefined && count > 0 && count <= OWNED_MAX)
      })
      for (const { received } of hooks) assert.ok(received.length > 0)
      await kith.db.write((tx) =>
        tx
          .updateTable('subscription')
          .set({ paused_at: new Date().toISOString() })
          .where('org_id', '=', org.id)
          .execute()
          .then(() => {}),
      )
    })

    test('no transaction stays open while a receiver takes its time', async () => {
      const org = await kith.org()
      const hook = receiver.hook({ hangs: true })
      await org.subscribe(hook.url)
      await org.addContact()
      await hook.until(1)
      const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(kith.db.read)
      await until('what was open at the call has ended', async () => {
        const open = await sql<{ pid: number }>`select pid from pg_stat_activity
          where datname = current_database() and application_name like 'kith%' and pid <> pg_backend_pid()
          and xact_start <= ${rows[0]!.at}::timestamptz`.execute(kith.db.read)
        return open.rows.length === 0
      })
      // Else it was the end of the call that ended it.
      assert.equal((await org.deliveries())[0]!.state, 'ready')
    })

    test('with the connections for hints cut all the time, changes through any node are delivered and told', async () => {
      const org = await kith.org()
      const hook = receiver.hook()
      await org.subscribe(hook.url)
      const cutting = new AbortController()
      const cut = async () => {
        let cuts = 0
        while (!cutting.signal.aborted) {
          const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'kith hints'`.execute(kith.db.read)
          cuts += rows.length
          await delay(HINT_CUT_EVERY_MS)
        }
        return cuts
      }
      const cuts = cut()
      for (let i = 0; i < 3 * NODES; i++) {
        await org.addContact()
        await hook.until(i + 1)
      }
      cutting.abort()
      assert.ok((await cuts) > NODES, 'connections were cut and opened again')
    })
  },
  { KITH_WEBHOOK_CONCURRENCY_PER_SUBSCRIPTION: '2' },
)
