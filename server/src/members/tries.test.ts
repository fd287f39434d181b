import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Engine, engines } from '../../../test/support/databases.ts'
import { setClock } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { openDatabase } from '../database/open.ts'
import { accountSubject, addressSubject, countTry, forgetOldTries, type Subject } from './tries.ts'

const MINUTE_MS = 60_000

for (const engine of engines) {
  const named = (rule: string) => `${engine.name}: ${rule}`

  test(named('the delay after the fifth failure grows, and never lasts longer than the window'), async (t) => {
    const { db, clock } = await start(engine, t)
    const ada = accountSubject('ada@example.com')
    for (let i = 0; i < 5; i++) assert.equal(await waitS(db, [ada]), 0)
    for (const minutes of [1, 2, 4]) {
      assert.equal(await waitS(db, [ada]), minutes * 60)
      clock.at += minutes * MINUTE_MS - 1
      assert.equal(await waitS(db, [ada]), 1)
      clock.at += 1
      assert.equal(await waitS(db, [ada]), 0)
    }
    assert.equal(await waitS(db, [ada]), 8 * 60)
    assert.equal(await waitS(db, [accountSubject('bo@example.com')]), 0)
    clock.at += 15 * MINUTE_MS
    for (let i = 0; i < 5; i++) assert.equal(await waitS(db, [ada]), 0, 'the count begins again')
  })

  test(named('failures older than 15 minutes count no longer'), async (t) => {
    const { db, clock } = await start(engine, t)
    const ada = accountSubject('ada@example.com')
    for (let i = 0; i < 20; i++) {
      assert.equal(await waitS(db, [ada]), 0)
      clock.at += 4 * MINUTE_MS
    }
  })

  test(named('the words say in how many minutes to try again'), async (t) => {
    const { db, clock } = await start(engine, t)
    const ada = accountSubject('ada@example.com')
    for (let i = 0; i < 5; i++) await countTry(db, [ada])
    for (const minutes of [1, 2]) {
      clock.at += minutes * MINUTE_MS
      await countTry(db, [ada])
    }
    const counted = await countTry(db, [ada])
    assert.ok('refused' in counted)
    assert.equal(counted.refused.message, 'Too many tries. Try again in 4 minutes.')
    assert.deepEqual(counted.refused.headers, { 'retry-after': '240' })
  })

  test(
    named('the 51st failure from an address within 15 minutes is refused; all of an IPv6 network is one'),
    async (t) => {
      const { db, clock } = await start(engine, t)
      for (let i = 0; i < 50; i++) assert.equal(await waitS(db, [addressSubject(`2001:db8:1:2::${i}`)]), 0)
      assert.equal(await waitS(db, [addressSubject('2001:db8:1:2:ffff::1')]), 15 * 60)
      assert.equal(await waitS(db, [addressSubject('2001:db8:1:3::1')]), 0)
      assert.equal(addressSubject('::ffff:192.0.2.1').name, addressSubject('192.0.2.1').name)
      clock.at += 15 * MINUTE_MS
      assert.equal(await waitS(db, [addressSubject('2001:db8:1:2::1')]), 0)
    },
  )

  test(named('two processes share one count'), async (t) => {
    const { db, store } = await start(engine, t)
    const other = await openDatabase(store, 'command')
    t.after(() => other.close())
    const subjects = [accountSubject('ada@example.com'), addressSubject('192.0.2.1')]
    const waits = await Promise.all(Array.from({ length: 12 }, (_, i) => waitS(i % 2 ? db : other, subjects)))
    assert.equal(waits.filter((wait) => wait === 0).length, 5)
    assert.ok((await waitS(other, subjects)) > 0 && (await waitS(db, subjects)) > 0)
  })

  test(named('what no longer counts is erased'), async (t) => {
    const { db, clock } = await start(engine, t)
    await countTry(db, [accountSubject('ada@example.com')])
    clock.at += 10 * MINUTE_MS
    await countTry(db, [accountSubject('bo@example.com')])
    clock.at += 6 * MINUTE_MS
    assert.equal(await forgetOldTries(db), 1)
    assert.equal(await forgetOldTries(db), 0)
    const rows = JSON.stringify(await db.read.selectFrom('sign_in_try').selectAll().execute())
    assert.doesNotMatch(rows, /example\.com/)
  })
}

async function start(engine: Engine, t: TestContext) {
  const clock = { at: Date.parse('2026-05-01T12:00:00Z') }
  t.after(setClock(() => clock.at))
  return { ...(await engine.open(t)), clock }
}

/** Tries once. @returns how many seconds it says to wait; 0 when the try was taken */
async function waitS(db: Database, subjects: Subject[]): Promise<number> {
  const counted = await countTry(db, subjects)
  if ('at' in counted) return 0
  assert.equal(counted.refused.code, 'too_many_tries')
  return Number(counted.refused.headers!['retry-after'])
}
