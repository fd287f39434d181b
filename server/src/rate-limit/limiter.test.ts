import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { openEngines } from '../../../test/support/databases.ts'
import { setClock } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { unavailable } from '../database/faults.ts'
import { openDatabase } from '../database/open.ts'
import { newId } from '../ids.ts'
import { createLimiter, type Limiter, type Verdict } from './limiter.ts'

const START_MS = Date.parse('2026-05-14T09:30:00.300Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

for (const engine of await openEngines({ after })) {
  const { db } = engine

  test(`${engine.name}: no more than N requests are let through, the next when Retry-After is over`, async (t) => {
    const { clock, org } = await start(t, db)
    const limiter = clock.limiter(db)
    for (let used = 1; used <= 5; used++) {
      assert.deepEqual(await limiter.take(org, 5), { ok: true, limit: 5, remaining: 5 - used, resetS: 3_601 - used })
      clock.pass(1_000)
    }
    const refused = await limiter.take(org, 5)
    assert.deepEqual(refused, { ok: false, limit: 5, remaining: 0, resetS: 3_595, retryAfterS: 3_595 })
    clock.pass(3_594_000)
    assert.deepEqual(await limiter.take(org, 5), { ok: false, limit: 5, remaining: 0, resetS: 1, retryAfterS: 1 })
    clock.pass(1_000)
    assert.deepEqual(await limiter.take(org, 5), { ok: true, limit: 5, remaining: 0, resetS: 1 })
    assert.equal((await limiter.take(org, 5)).ok, false)
  })

  test(`${engine.name}: with permits in memory, and once the window is full, the answer needs no query`, async (t) => {
    const { clock, org } = await start(t, db)
    const counted = countWrites(db)
    const limiter = clock.limiter(counted.db)
    await limiter.take(org, 5_000)
    assert.equal(counted.writes, 1)
    for (let i = 0; i < 50; i++) assert.ok(!(limiter.take(org, 5_000) instanceof Promise))
    while ((await limiter.take(org, 5_000)).ok);
    assert.ok(counted.writes < 600, `${counted.writes} writes`)
    const before = counted.writes
    for (let i = 0; i < 1_000; i++) assert.ok(!(limiter.take(org, 5_000) instanceof Promise))
    assert.equal(counted.writes, before)
  })

  test(`${engine.name}: of many requests at once exactly N are let through, on two nodes together`, async (t) => {
    const { clock, org } = await start(t, db)
    const nodes = [clock.limiter(db, 'a'), clock.limiter(db, 'b')]
    const verdicts = await Promise.all(Array.from({ length: 150 }, (_, i) => nodes[i % 2]!.take(org, 100)))
    // A node may hold permits that it has not used while the other refuses.
    const rest = await Promise.all(Array.from({ length: 150 }, (_, i) => nodes[i % 2]!.take(org, 100)))
    const passed = [...verdicts, ...rest].filter(({ ok }) => ok).length
    assert.ok(passed <= 100, `${passed} were let through`)
    await Promise.all(nodes.map((node) => node.close()))
    const later = clock.limiter(db, 'c')
    assert.equal(await takenUntilRefused(later, org, 100), 100 - passed)
  })

  test(`${engine.name}: two orgs never share a window`, async (t) => {
    const { clock, org } = await start(t, db)
    const other = await addOrg(db)
    const limiter = clock.limiter(db)
    assert.equal(await takenUntilRefused(limiter, org, 10), 10)
    assert.deepEqual(await limiter.take(other, 10), { ok: true, limit: 10, remaining: 9, resetS: 3_600 })
    assert.equal((await limiter.take(org, 10)).ok, false)
  })

  test(`${engine.name}: the window survives a restart, with unused permits given back`, async (t) => {
    const { db, store } = await engine.open(t)
    const { clock, org } = await start(t, db)
    const before = clock.limiter(db)
    for (let i = 0; i < 30; i++) await before.take(org, 1_000)
    await before.close()
    await assert.rejects(async () => before.take(org, 1_000), { code: 'unavailable' })
    await db.close()
    const reopened = await openDatabase(store, 'server')
    try {
      clock.pass(5_000)
      const after = clock.limiter(reopened)
      assert.deepEqual(await after.take(org, 1_000), { ok: true, limit: 1_000, remaining: 969, resetS: 3_595 })
      await after.close()
    } finally {
      await reopened.close()
    }
  })

  test(`${engine.name}: what a killed node held counts as used, until then as held`, async (t) => {
    const { clock, org } = await start(t, db)
    const wire = breakable(db)
    const killed = clock.limiter(wire.db, 'a')
    for (let i = 0; i < 2; i++) await killed.take(org, 200)
    wire.isCut = true
    const other = clock.limiter(db, 'b')
    const held = 4
    assert.equal((await other.take(org, 200)).remaining, 200 - held - 1)
    clock.pass(20_001)
    assert.equal(await takenUntilRefused(other, org, 200), 200 - held - 1)
    const refused = await other.take(org, 200)
    // The first to leave is the other node's own first request; what was held counts from the end of its lease.
    assert.equal(refused.retryAfterS, 3_600 - 20)
    clock.pass(3_580_000)
    assert.equal(await takenUntilRefused(other, org, 200), 1)
    clock.pass(19_000)
    assert.equal((await other.take(org, 200)).ok, false)
    clock.pass(1_000)
    assert.equal(await takenUntilRefused(other, org, 200), held + 195)
  })

  test(`${engine.name}: a node that stood still past its lease uses no permit of it`, async (t) => {
    const { clock, org } = await start(t, db)
    const paused = clock.limiter(db, 'a')
    await paused.take(org, 200)
    clock.pass(30_000)
    const other = clock.limiter(db, 'b')
    assert.equal(await takenUntilRefused(other, org, 200), 196)
    assert.equal((await paused.take(org, 200)).ok, false)
  })

  test(`${engine.name}: a lower limit is in effect at once, a higher one frees a refused org at once`, async (t) => {
    const { clock, org } = await start(t, db)
    const limiter = clock.limiter(db)
    for (let i = 0; i < 20; i++) await limiter.take(org, 1_000)
    clock.pass(1_000)
    const lowered = await limiter.take(org, 10)
    assert.deepEqual([lowered.ok, lowered.remaining, lowered.retryAfterS], [false, 0, 3_599])
    assert.equal((await limiter.take(org, 20)).ok, false)
    assert.deepEqual(await limiter.take(org, 22), { ok: true, limit: 22, remaining: 1, resetS: 3_599 })
    assert.equal(await takenUntilRefused(limiter, org, 22), 1)
    assert.deepEqual(await limiter.take(org, 0), {
      ...{ ok: false, limit: 0, remaining: 0 },
      ...{ resetS: 3_599, retryAfterS: 3_600 },
    })
  })

  test(`${engine.name}: Retry-After of a limit far below what was used waits for enough to leave`, async (t) => {
    const { clock, org } = await start(t, db)
    const counted = countWrites(db)
    const limiter = clock.limiter(counted.db)
    for (let i = 0; i < 60; i++) {
      await limiter.take(org, 1_000)
      // The time that passes while it is read is what it is not known by.
      await counted.newest
      clock.pass(1_000)
    }
    const { retryAfterS } = await limiter.take(org, 10)
    // The 51st of the sixty was let through at second 50.
    assert.equal(retryAfterS, 3_600 - 10)
    clock.pass((retryAfterS! - 1) * 1_000)
    assert.equal((await limiter.take(org, 10)).ok, false)
    clock.pass(1_000)
    assert.equal(await takenUntilRefused(limiter, org, 10), 1)
  })

  test(`${engine.name}: permits that another node gives back are let through within a second`, async (t) => {
    const { clock, org } = await start(t, db)
    const holder = clock.limiter(db, 'a')
    await holder.take(org, 200)
    const other = clock.limiter(db, 'b')
    assert.equal(await takenUntilRefused(other, org, 200), 196)
    await holder.close()
    assert.ok(!(other.take(org, 200) instanceof Promise))
    clock.pass(1_000)
    assert.equal(await takenUntilRefused(other, org, 200), 3)
  })

  test(`${engine.name}: a quiet org's permits are given back and the org is forgotten`, async (t) => {
    const { clock, org } = await start(t, db)
    const counted = countWrites(db)
    const limiter = clock.limiter(counted.db)
    await limiter.take(org, 5_000)
    clock.pass(14_000)
    await limiter.sweep()
    assert.deepEqual([counted.writes, (await leases(db, org)).length], [1, 1])
    clock.pass(1_000)
    await limiter.sweep()
    assert.deepEqual([counted.writes, (await leases(db, org)).length], [2, 0])
    clock.pass(20_000)
    await limiter.sweep()
    assert.equal(counted.writes, 2)
    assert.equal((await limiter.take(org, 5_000)).remaining, 4_998)
  })

  test(`${engine.name}: with the database away permits in hand are used, then it is unavailable`, async (t) => {
    const { clock, org } = await start(t, db)
    const wire = breakable(db)
    const limiter = clock.limiter(wire.db)
    await limiter.take(org, 500)
    wire.isCut = true
    for (let used = 2; used <= 10; used++) assert.equal((await limiter.take(org, 500)).remaining, 500 - used)
    await assert.rejects(async () => limiter.take(org, 500), { code: 'unavailable' })
    wire.isCut = false
    assert.equal((await limiter.take(org, 500)).remaining, 489)
  })

  test(`${engine.name}: an exchange that was committed without our knowing is not counted twice`, async (t) => {
    const { clock, org } = await start(t, db)
    const wire = breakable(db)
    const limiter = clock.limiter(wire.db)
    for (let i = 0; i < 4; i++) await limiter.take(org, 500)
    wire.losesAnswers = true
    clock.pass(10_000)
    await limiter.take(org, 500)
    await settled(limiter, clock)
    wire.losesAnswers = false
    while ((await limiter.take(org, 500)).remaining > 480);
    await limiter.close()
    assert.deepEqual(await counted(db, org), { used: 20, leases: 0 })
  })

  test(`${engine.name}: clock jumps of an hour and of a day, back and forth, change nothing`, async (t) => {
    const { clock, org } = await start(t, db)
    const limiter = clock.limiter(db)
    for (const jumpMs of [HOUR_MS, -HOUR_MS, DAY_MS, -DAY_MS]) {
      clock.set(jumpMs)
      clock.pass(1_000)
      assert.equal((await limiter.take(org, 6)).ok, true)
    }
    assert.equal(await takenUntilRefused(limiter, org, 6), 2)
    clock.set(DAY_MS)
    assert.deepEqual(await limiter.take(org, 6), {
      ...{ ok: false, limit: 6, remaining: 0 },
      ...{ resetS: 3_597, retryAfterS: 3_597 },
    })
  })

  test(`${engine.name}: after a restart with the clock set back a day nothing counts for more than an hour`, async (t) => {
    const { clock, org } = await start(t, db)
    const before = clock.limiter(db)
    assert.equal(await takenUntilRefused(before, org, 6), 6)
    clock.setBackAll(DAY_MS)
    const after = clock.limiter(db)
    assert.deepEqual(await after.take(org, 6), {
      ...{ ok: false, limit: 6, remaining: 0 },
      ...{ resetS: 3_600, retryAfterS: 3_600 },
    })
    clock.pass(HOUR_MS)
    assert.equal(await takenUntilRefused(after, org, 6), 6)
  })

  test(`${engine.name}: one node refuses exactly when N requests were let through in the hour before`, async (t) => {
    const { clock, org } = await start(t, db)
    const limiter = clock.limiter(db)
    const ledger: number[] = []
    const random = randomFrom(1)
    for (let step = 0; step < 600; step++) {
      clock.pass(Math.floor(random() * 30_000))
      if (random() < 0.1) await limiter.sweep()
      const inHour = ledger.filter((ms) => ms > clock.ms - HOUR_MS).length
      const inHourAndSecond = ledger.filter((ms) => ms > clock.ms - HOUR_MS - 1_000).length
      const verdict = await limiter.take(org, 100)
      if (verdict.ok) {
        ledger.push(clock.ms)
        assert.ok(inHour < 100, `${inHour} were let through before`)
        assert.ok(verdict.remaining <= 100 - inHour - 1 && verdict.remaining >= 100 - inHourAndSecond - 1)
      } else {
        assert.ok(inHourAndSecond >= 100, `refused after ${inHour}`)
      }
    }
    assert.ok(ledger.length > 250)
  })

  test(`${engine.name}: two nodes, killed and restarted at random, never let more than N through in an hour`, async (t) => {
    const { clock, org } = await start(t, db)
    const random = randomFrom(3)
    const startNode = () => {
      const wire = breakable(db)
      return { wire, limiter: clock.limiter(wire.db) }
    }
    const nodes = [startNode(), startNode()]
    const ledger: number[] = []
    const limit = 120
    for (let step = 0; step < 500; step++) {
      clock.pass(Math.floor(random() ** 4 * 90_000))
      const chance = random()
      const which = random() < 0.5 ? 0 : 1
      const node = nodes[which]!
      if (chance < 0.01) {
        node.wire.isCut = true
        nodes[which] = startNode()
      } else if (chance < 0.02) {
        await node.limiter.close()
        nodes[which] = startNode()
      } else if (chance < 0.05 && engine.name === 'postgres') {
        // On SQLite a start takes the wall clock for right.
        clock.set(Math.round((random() - 0.5) * 2 * DAY_MS))
      } else if (chance < 0.1) {
        node.wire.losesAnswers = !node.wire.losesAnswers
      } else if (chance < 0.2) {
        await node.limiter.sweep()
      }
      const asked = Array.from({ length: 1 + Math.floor(random() * 6) }, async () => node.limiter.take(org, limit))
      for (const verdict of await Promise.allSettled(asked)) {
        if (verdict.status === 'fulfilled' && verdict.value.ok) ledger.push(clock.ms)
        if (verdict.status === 'rejected') assert.equal(verdict.reason.code, 'unavailable')
      }
    }
    assert.ok(ledger.length > limit, `only ${ledger.length} were let through`)
    for (const [i, ms] of ledger.entries()) {
      assert.ok((ledger[i - limit] ?? Number.NEGATIVE_INFINITY) <= ms - HOUR_MS, `more than ${limit} up to ${ms}`)
    }
  })
}

interface Clock {
  readonly ms: number
  pass(ms: number): void
  limiter(db: Database, nodeId?: string): Limiter
}

async function start(t: TestContext, db: Database) {
  const limiters: Limiter[] = []
  t.after(async () => {
    await Promise.all(limiters.map((limiter) => limiter.close()))
  })
  return { clock: fakeClock(t, limiters), org: await addOrg(db) }
}

/** Time stands still but for `pass`. */
function fakeClock(t: TestContext, limiters: Limiter[]) {
  let wallMs = START_MS
  let databaseMs = START_MS
  let monotonicMs = 0
  t.after(setClock(() => wallMs))
  return {
    get ms() {
      return monotonicMs
    },
    pass(ms: number) {
      wallMs += ms
      databaseMs += ms
      monotonicMs += ms
    },
    /** Changes the machine's clock without time passing. */
    set(byMs: number) {
      wallMs += byMs
    },
    /** The database's clock too. */
    setBackAll(byMs: number) {
      wallMs -= byMs
      databaseMs -= byMs
    },
    limiter(db: Database, nodeId = 'node'): Limiter {
      const sources = { monotonicMs: () => monotonicMs, databaseMs: () => databaseMs }
      const limiter = createLimiter({ db, nodeId, sources })
      limiters.push(limiter)
      return limiter
    },
  }
}

function addOrg(db: Database): Promise<string> {
  return db.write(async (tx) => {
    const id = newId()
    const org = { id, name: 'Test', plan: 'pro' as const, hourly_limit: 5_000, created_at: '2026-05-14T09:30:00.000Z' }
    await tx
      .insertInto('org')
      .values({ ...org, strict_stages: 0 })
      .execute()
    return id
  })
}

async function takenUntilRefused(limiter: Limiter, org: string, limit: number): Promise<number> {
  let verdict: Verdict
  let taken = 0
  for (;;) {
    verdict = await limiter.take(org, limit)
    if (!verdict.ok) return taken
    taken++
  }
}

function countWrites(db: Database) {
  const counting = {
    writes: 0,
    newest: undefined as Promise<unknown> | undefined,
    db: Object.assign(Object.create(db), {
      write: (work: Parameters<Database['write']>[0]) => {
        counting.writes++
        counting.newest = db.write(work)
        return counting.newest
      },
    }) as Database,
  }
  return counting
}

/** A database that can be away, or lose the answer to a COMMIT. */
function breakable(db: Database) {
  const wire = {
    isCut: false,
    losesAnswers: false,
    db: Object.assign(Object.create(db), {
      write: async (work: Parameters<Database['write']>[0]) => {
        if (wire.isCut) throw unavailable()
        const result = await db.write(work)
        if (wire.isCut || wire.losesAnswers) throw unavailable()
        return result
      },
    }) as Database,
  }
  return wire
}

/** Waits until no exchange is under way: a sweep then has nothing to wait for. */
async function settled(limiter: Limiter, clock: Clock): Promise<void> {
  clock.pass(0)
  await limiter.sweep()
}

function leases(db: Database, org: string) {
  return db.read.selectFrom('rate_lease').select(['node', 'permits']).where('org_id', '=', org).execute()
}

async function counted(db: Database, org: string) {
  const rows = await db.read.selectFrom('rate_window').select('used').where('org_id', '=', org).execute()
  return { used: rows.reduce((sum, { used }) => sum + used, 0), leases: (await leases(db, org)).length }
}

/** Numbers from 0 up to 1, the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
