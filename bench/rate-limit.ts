/**
 * What the rate limit costs: `node bench/rate-limit.ts`. For each engine: the time of one `take` from memory, then
 * 10,000 takes a second for 3 s with the writes they cause and the slowest answer, then an exchange over a full window.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../server/src/ids.ts'
import { createLimiter } from '../server/src/rate-limit/limiter.ts'
import { engines } from '../test/support/databases.ts'

const LIMIT = 36_000_000
const PER_SECOND = 10_000
const SECONDS = 3
const hooks: (() => void | Promise<void>)[] = []

for (const engine of engines) {
  const { db } = await engine.open({ after: (hook) => void hooks.push(hook) })
  const org = await db.write(async (tx) => {
    const org = { id: newId(), name: 'Bench', plan: 'enterprise' as const, hourly_limit: LIMIT, strict_stages: 0 }
    await tx
      .insertInto('org')
      .values({ ...org, created_at: new Date().toISOString() })
      .execute()
    return org.id
  })
  let writes = 0
  const counting: typeof db = Object.assign(Object.create(db), {
    write: (work: Parameters<typeof db.write>[0]) => {
      writes++
      return db.write(work)
    },
  })
  const limiter = createLimiter({ db: counting, nodeId: 'bench' })
  await limiter.take(org, LIMIT)

  const fromMemory = 400
  const runs: number[] = []
  for (let run = 0; run < 200; run++) {
    const start = performance.now()
    for (let i = 0; i < fromMemory; i++) limiter.take(org, LIMIT)
    runs.push(((performance.now() - start) * 1e6) / fromMemory)
    await limiter.take(org, LIMIT)
    await sleep(10)
  }
  runs.sort((a, b) => a - b)
  console.log(`${engine.name}: take from memory, median ${runs[100]!.toFixed(0)} ns`)

  writes = 0
  let waited = 0
  let slowestMs = 0
  const start = performance.now()
  for (let taken = 0; taken < PER_SECOND * SECONDS; ) {
    const due = Math.floor(((performance.now() - start) / 1_000) * PER_SECOND)
    for (; taken < due; taken++) {
      const verdict = limiter.take(org, LIMIT)
      if (!(verdict instanceof Promise)) continue
      waited++
      const asked = performance.now()
      void verdict.then(() => {
        slowestMs = Math.max(slowestMs, performance.now() - asked)
      })
    }
    await sleep(1)
  }
  console.log(`${engine.name}: ${PER_SECOND}/s for ${SECONDS} s, ${writes} writes, ${waited} waited`)
  console.log(`${engine.name}: slowest answer ${slowestMs.toFixed(1)} ms`)
  await limiter.close()

  const second = Math.floor(Date.now() / 1_000)
  await db.write(async (tx) => {
    await tx.deleteFrom('rate_window').where('org_id', '=', org).execute()
    for (let i = 0; i < 3_600; i += 100) {
      const seconds = Array.from({ length: 100 }, (_, j) => second - i - j)
      const rows = seconds.map((second) => ({ org_id: org, second, used: 1, last_ms: second * 1_000 }))
      await tx.insertInto('rate_window').values(rows).execute()
    }
  })
  const exchanges: number[] = []
  for (let i = 0; i < 100; i++) {
    const fresh = createLimiter({ db, nodeId: 'fresh' })
    const asked = performance.now()
    await fresh.take(org, LIMIT)
    exchanges.push(performance.now() - asked)
    await fresh.close()
  }
  exchanges.sort((a, b) => a - b)
  console.log(`${engine.name}: exchange over 3,600 counted seconds, median ${exchanges[50]!.toFixed(2)} ms`)
}
for (const hook of hooks) await hook()
