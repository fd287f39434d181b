import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { withNodes } from '../support/kith.ts'
import { seededRandom } from '../support/random.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const WRITERS = 8
const CHANGES = Number(process.env.KITH_TEST_CHANGES ?? 25)
const CONTACTS = 4
const STAGES = ['lead', 'won', null]

withNodes(2, (kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test(`${WRITERS} writers on two nodes that change the same contacts while these are delivered never lock in a circle`, async () => {
    const org = await kith.org()
    const hooks = [receiver.hook(), receiver.hook(), receiver.hook()]
    for (const { url } of hooks) await org.subscribe(url)
    const ids = [] as string[]
    for (let i = 0; i < CONTACTS; i++) ids.push((await org.addContact()).id)
    const write = async (writer: number) => {
      const random = seededRandom(writer)
      for (let i = 0; i < CHANGES; i++) {
        const change = { deal_stage: random.of(STAGES), phone: `${writer} ${i}` }
        const { status } = await org.api.patch(`/contacts/${random.of(ids)}`, change)
        assert.equal(status, 200)
        if (!random.chance(0.2)) continue
        const { id } = await org.addContact({ deal_stage: random.of(STAGES), label: 'hot' })
        assert.equal((await org.api.delete(`/contacts/${id}`)).status, 200)
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    await org.settled()
    assert.ok(hooks.every(({ received }) => received.length > WRITERS * CHANGES))
    // A backend tells its counts a moment after its transaction; those of the whole run are more than zero then.
    const counted = () =>
      sql<{ deadlocks: number; commits: number }>`select deadlocks::int, xact_commit::int as commits
        from pg_stat_database where datname = current_database()`.execute(kith.db.read)
    const { rows } = await until('the counts are there', async () => {
      const counts = await counted()
      return counts.rows[0]!.commits > WRITERS * CHANGES && counts
    })
    assert.equal(rows[0]!.deadlocks, 0)
  })
})
