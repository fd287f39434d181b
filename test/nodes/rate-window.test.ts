import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOCK_AHEAD } from '../support/clock-ahead.ts'
import type { Answer } from '../support/http-client.ts'
import { type Node, withNodes } from '../support/kith.ts'
import { type Org, underApi } from '../support/org.ts'
import { seededRandom } from '../support/random.ts'
import { until } from '../support/until.ts'

const LIMIT = 400
const REQUESTS = 900
const ASKERS = 12

withNodes(
  3,
  (kith) => {
    test(`of ${REQUESTS} requests to any node, one with another clock and one killed with permits in hand, never more than ${LIMIT} are let through`, async () => {
      const org = await kith.org({ hourly_limit: LIMIT })
      const victim = kith.nodes[2]!
      const random = seededRandom(11)
      let asked = 0
      let through = 0
      const ask = async () => {
        while (asked < REQUESTS) {
          asked++
          const answer = await get(random.of(kith.nodes), org).catch(() => undefined)
          if (answer?.status === 200) through++
          else if (answer) assert.equal(answer.status, 429)
        }
      }
      const asking = Array.from({ length: ASKERS }, ask)
      await until('a part is used', () => through > LIMIT / 4)
      const leases = await kith.db.read
        .selectFrom('rate_lease')
        .select('permits')
        .where('org_id', '=', org.id)
        .execute()
      assert.equal(leases.length, 3, 'each node holds permits')
      await victim.kill()
      await until('the others have gone on', () => through > LIMIT / 2 || asked >= REQUESTS)
      await victim.start()
      await Promise.all(asking)
      for (const node of kith.nodes) {
        const refused = await until('it refuses', async () => {
          const answer = await get(node, org)
          if (answer.status === 200) through++
          return answer.status === 429 && answer
        })
        assert.ok(Number(refused.headers['retry-after']) > 3_000, String(refused.headers['retry-after']))
        assert.equal(refused.headers['ratelimit-remaining'], '0')
      }
      assert.ok(through <= LIMIT, `${through} were let through`)
      // What the killed node held is lost for an hour, and what others hold in reserve is small.
      assert.ok(through >= LIMIT * 0.85, `only ${through} were let through`)
    })

    test('Retry-After of one node is when another lets the next request through, and not before', async () => {
      const org = await kith.org({ hourly_limit: 5 })
      const [first, second, third] = kith.nodes as [Node, Node, Node]
      for (let i = 0; i < 5; i++) assert.equal((await get(first, org)).status, 200)
      const refused = await get(first, org)
      assert.equal(refused.status, 429)
      const retryAfterS = Number(refused.headers['retry-after'])
      assert.ok(retryAfterS > 3_500 && retryAfterS <= 3_601, String(retryAfterS))
      // Moving what was counted back stands for waiting. The test itself takes time: hence the minute.
      await moveBack(org, retryAfterS - 60)
      assert.equal((await get(second, org)).status, 429)
      await moveBack(org, 60)
      assert.equal((await get(third, org)).status, 200)
    })

    function get(node: Node, { ownToken }: Org): Promise<Answer> {
      return underApi(node.client.with({ authorization: `Bearer ${ownToken.token}` })).get('/deals')
    }

    async function moveBack(org: Org, seconds: number): Promise<void> {
      await kith.db.write(async (tx) => {
        const rows = await tx.selectFrom('rate_window').selectAll().where('org_id', '=', org.id).execute()
        await tx.deleteFrom('rate_window').where('org_id', '=', org.id).execute()
        const moved = rows.map((row) => ({
          ...row,
          second: row.second - seconds,
          last_ms: row.last_ms - seconds * 1_000,
        }))
        await tx.insertInto('rate_window').values(moved).execute()
      })
    }
  },
  (node) => (node === 1 ? CLOCK_AHEAD : {}),
)
