/** What becomes of requests and deliveries when the way to PostgreSQL, or PostgreSQL itself, fails under a server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Engine, engines } from '../support/databases.ts'
import type { Answer } from '../support/http-client.ts'
import { Kith } from '../support/kith.ts'
import type { Org } from '../support/org.ts'
import { PostgresCluster } from '../support/postgres-cluster.ts'
import { type Fate, PostgresWire } from '../support/postgres-wire.ts'
import { seededRandom } from '../support/random.ts'
import { type Hook, type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const RUNS = 200
const CONNECTIONS_MAX = 10
/** Generous: a machine that runs tests is busy. What it takes is told beside. */
const BACK_MS_MAX = 10_000
const ANSWER_MS_MAX = 15_000

const hooks: (() => void | Promise<void>)[] = []
let cluster: PostgresCluster
let wire: PostgresWire
let kith: Kith
let receiver: Receiver
let org: Org
let hook: Hook

before(async () => {
  const t = { after: (work: () => void | Promise<void>) => void hooks.unshift(work) }
  cluster = await PostgresCluster.start(t)
  wire = await PostgresWire.open(t, cluster.url)
  receiver = await startReceiver()
  t.after(() => receiver.close())
  const place: Engine['place'] = async () => ({ engine: 'postgres', url: cluster.url, connectionsMax: 2 })
  kith = new Kith({ ...engines.find(({ name }) => name === 'postgres')!, place }, { KITH_DATABASE_URL: wire.url })
  t.after(() => kith.close())
  await kith.open()
  org = await kith.org()
  hook = receiver.hook()
  await org.subscribe(hook.url, ['contact.created'])
})

after(async () => {
  for (const work of hooks) await work()
})

describe('a connection that is cut', () => {
  // The first statement of the transaction, and the last before its COMMIT.
  for (const table of ['contact', 'delivery']) {
    const insert = new RegExp(`insert into "${table}"`)

    test(`in the middle of a statement (${table}): the write is done again, once`, async () => {
      const fate = once('cut before', insert)
      const made = await create(`in the middle, ${table}`)
      assert.deepEqual([made.status, fate.met], [201, 1])
      await isThereOnce(`in the middle, ${table}`)
    })

    test(`after a statement (${table}), before its answer: the write is done again, once`, async () => {
      const fate = once('cut after', insert)
      const made = await create(`without an answer, ${table}`)
      assert.deepEqual([made.status, fate.met], [201, 1])
      await isThereOnce(`without an answer, ${table}`)
    })
  }

  test('before a COMMIT has arrived: 503, and nothing is there', async () => {
    const fate = once('cut before', /^commit$/, /insert into "contact"/)
    isUnavailable(await create('never committed'))
    assert.equal(fate.met, 1)
    assert.equal((await contactsNamed('never committed')).length, 0)
  })

  test('after a COMMIT, before its answer: 503, and it is not done again', async () => {
    const fate = once('cut after', /^commit$/, /insert into "contact"/)
    isUnavailable(await create('committed'))
    assert.equal(fate.met, 1)
    await isThereOnce('committed')
  })

  test(`wherever it happens, in ${RUNS} runs: repeated under its key, each is made once and its event sent`, async () => {
    const random = seededRandom(RUNS)
    const fates: Fate[] = ['cut before', 'cut after']
    let [answered, repeated] = [0, 0]
    let left = 0
    // Each run cuts at one of the statements that follow, whoever sends it.
    wire.fateOf = () => (left-- === 0 ? fates[random.whole(2)]! : 'pass')
    for (let run = 0; run < RUNS; run++) {
      left = random.whole(14)
      const key = { 'idempotency-key': `run ${run}` }
      const made = await until('it is made', async () => {
        const answer = await create(`run ${run}`, key)
        if (answer.status === 201) return answer
        isUnavailable(answer)
        repeated++
        return undefined
      })
      answered++
      assert.equal(made.body.full_name, `run ${run}`)
    }
    wire.fateOf = () => 'pass'
    assert.equal(answered, RUNS)
    assert.ok(repeated > 0, 'no run was cut where it shows')
    const rows = await kith.db.read
      .selectFrom('contact')
      .select('full_name')
      .where('org_id', '=', org.id)
      .where('full_name', 'like', 'run %')
      .execute()
    assert.equal(rows.length, RUNS)
    assert.equal(new Set(rows.map(({ full_name }) => full_name)).size, RUNS)
    await allAreDelivered()
  })
})

test('a server that takes connections and says nothing: 503 in time, health goes on, and it works again by itself', async (t) => {
  wire.silence()
  wire.cut()
  const begun = performance.now()
  const waiting = Array.from({ length: 3 * CONNECTIONS_MAX }, (_, i) => create(`silent ${i}`))
  assert.equal((await kith.client.get('/healthz')).status, 200)
  for (const answer of await Promise.all(waiting)) isUnavailable(answer)
  const ms = Math.round(performance.now() - begun)
  assert.ok(ms < ANSWER_MS_MAX, `answered after ${ms} ms`)
  wire.speak()
  t.diagnostic(`503 after ${ms} ms; works again after ${await backAfterMs('spoke again')} ms`)
  await allAreDelivered()
})

test('a network that is parted under statements: 503 in time, and it works again by itself', async (t) => {
  assert.equal((await create('before the parting')).status, 201)
  wire.silence()
  const begun = performance.now()
  const waiting = Array.from({ length: 2 * CONNECTIONS_MAX }, (_, i) => create(`parted ${i}`))
  for (const answer of await Promise.all(waiting)) isUnavailable(answer)
  const ms = Math.round(performance.now() - begun)
  assert.ok(ms < ANSWER_MS_MAX, `answered after ${ms} ms`)
  wire.speak()
  t.diagnostic(`503 after ${ms} ms; works again after ${await backAfterMs('joined again')} ms`)
  await allAreDelivered()
})

test('a server that is away: 503 at once, and it works again by itself', async (t) => {
  await wire.close()
  for (let i = 0; i < 5; i++) isUnavailable(await create(`away ${i}`))
  assert.equal((await kith.client.get('/readyz')).status, 503)
  await wire.reopen()
  t.diagnostic(`works again after ${await backAfterMs('back')} ms`)
  await allAreDelivered()
})

test('connections used up: those that find none are told in time, the others wait, and none is lost', async (t) => {
  const held = cluster.query('begin; lock table contact in access exclusive mode; select pg_sleep(7); commit')
  await until('the table is locked', async () => {
    const [row] = await cluster.query(`select count(*)::int as n from pg_locks where mode = 'AccessExclusiveLock'
      and granted and relation = to_regclass('contact')`)
    return row!.n > 0
  })
  const begun = performance.now()
  const answers = Array.from({ length: 4 * CONNECTIONS_MAX }, async (_, i) => {
    const answer = await create(`used up ${i}`)
    return { answer, ms: Math.round(performance.now() - begun) }
  })
  const all = await Promise.all(answers)
  await held
  const refused = all.filter(({ answer }) => answer.status !== 201)
  for (const { answer } of refused) isUnavailable(answer)
  assert.ok(refused.length > 0 && refused.length < all.length, `${refused.length} of ${all.length} were refused`)
  t.diagnostic(`${refused.length} of ${all.length} told after ${Math.max(...refused.map(({ ms }) => ms))} ms at most`)
  const { length } = await contactsNamed('used up %')
  assert.equal(length, all.length - refused.length)
  assert.equal((await create('free again')).status, 201)
  const [open] = await cluster.query(`select count(*)::int as n from pg_stat_activity where application_name = 'kith'`)
  assert.ok(open!.n <= CONNECTIONS_MAX + 2, `${open!.n} connections`)
})

for (const how of ['fast', 'immediate'] as const) {
  test(`a server that is restarted (${how}): 503 meanwhile, nothing acknowledged is lost, and it works again by itself`, async (t) => {
    const ledger = write(`restart ${how}`)
    await until('writers are at work', () => ledger.acknowledged.length > 20)
    await kith.lookAway()
    await cluster.stop(how)
    await until('they notice', () => ledger.refused > 0)
    await cluster.start()
    const ms = await backAfterMs(`restarted ${how}`)
    await kith.look()
    await ledger.stop()
    t.diagnostic(`${ledger.acknowledged.length} acknowledged, ${ledger.refused} refused; works again after ${ms} ms`)
    await holds(ledger)
    await allAreDelivered()
  })
}

test('a server that is stopped in its tracks: 503 in time, and it works again by itself', async (t) => {
  const ledger = write('paused')
  await until('writers are at work', () => ledger.acknowledged.length > 20)
  await cluster.pause()
  const begun = performance.now()
  isUnavailable(await create('while paused'))
  const ms = Math.round(performance.now() - begun)
  assert.ok(ms < ANSWER_MS_MAX, `answered after ${ms} ms`)
  await cluster.resume()
  t.diagnostic(`503 after ${ms} ms; works again after ${await backAfterMs('resumed')} ms`)
  await ledger.stop()
  await holds(ledger)
  await allAreDelivered()
})

test('through all of that it was one process, which had no fault of its own and kept no connection too many', async () => {
  assert.ok(kith.isAlive)
  assert.doesNotMatch(kith.log, /"level":"fatal"|unhandled|sentinel-of-the-cluster/i)
  const internal = kith.log.split('\n').filter((line) => line.includes('The server failed to do this'))
  assert.deepEqual(internal, [])
  const counted = `select count(*)::int as n from pg_stat_activity where application_name like 'kith%' and pid in
    (select pid from pg_stat_activity where backend_type = 'client backend')`
  await until('only its own connections are open', async () => {
    const [open] = await cluster.query<{ n: number }>(counted)
    // Those of the server and of the look from beside it, each with one that listens.
    return open!.n <= CONNECTIONS_MAX + 1 + 3
  })
})

interface Ledger {
  acknowledged: string[]
  refused: number
  stop(): Promise<void>
}

/** Some writers, each with the next name after an answer. */
function write(prefix: string): Ledger {
  let isOver = false
  const ledger: Ledger = {
    acknowledged: [],
    refused: 0,
    async stop() {
      isOver = true
      await Promise.all(writers)
    },
  }
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let at = 0; !isOver; at++) {
      const name = `${prefix} ${writer}-${at}`
      const answer = await create(name)
      if (answer.status === 201) ledger.acknowledged.push(name)
      else {
        isUnavailable(answer)
        ledger.refused++
        await delay(20)
      }
    }
  })
  return ledger
}

async function holds({ acknowledged }: Ledger): Promise<void> {
  const names = (await org.events()).map(({ body }) => body.payload.contact.full_name)
  const times = Map.groupBy(names, (name) => name)
  for (const name of acknowledged) assert.equal(times.get(name)?.length, 1, name)
}

/** Gives this fate to the first statement like that, after one like `inside` on the same connection. */
function once(fate: Fate, like: RegExp, inside?: RegExp): { met: number } {
  const seen = { met: 0 }
  const within = new Set<number>()
  wire.fateOf = (sql, connection) => {
    if (!inside || inside.test(sql)) within.add(connection)
    if (seen.met > 0 || !within.has(connection) || !like.test(sql)) return 'pass'
    seen.met++
    return fate
  }
  return seen
}

function create(full_name: string, headers = {}): Promise<Answer> {
  return org.api.post('/contacts', { full_name }, headers)
}

function isUnavailable({ status, headers, body }: Answer): void {
  assert.deepEqual([status, body.error, headers['retry-after']], [503, 'unavailable', '1'], JSON.stringify(body))
}

/** @returns milliseconds until a write is taken again */
async function backAfterMs(name: string): Promise<number> {
  const begun = performance.now()
  await until('a write is taken again', async () => (await create(name)).status === 201, BACK_MS_MAX)
  return Math.round(performance.now() - begun)
}

function contactsNamed(like: string) {
  const { read } = kith.db
  return read.selectFrom('contact').select('id').where('org_id', '=', org.id).where('full_name', 'like', like).execute()
}

async function isThereOnce(name: string): Promise<void> {
  assert.equal((await contactsNamed(name)).length, 1)
  const events = await org.events()
  assert.equal(events.filter(({ body }) => body.payload.contact.full_name === name).length, 1)
}

/** Each contact has its event, each event has arrived. */
async function allAreDelivered(): Promise<void> {
  const events = await org.events()
  assert.equal(new Set(events.map(({ contact_id }) => contact_id)).size, events.length)
  await until('each event has arrived', () => {
    const arrived = new Set(hook.received.map(({ json }) => json.payload.contact.id))
    return events.every(({ contact_id }) => arrived.has(contact_id))
  })
}
