import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openEngines } from '../../../test/support/databases.ts'
import { ApiError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import type { Database, Tx } from './engine.ts'
import { hint } from './hints.ts'
import { openDatabase } from './open.ts'

for (const engine of await openEngines({ after })) {
  const { db, store } = engine

  test(`${engine.name}: what a write has done is there when it resolves, also after opening anew`, async (t) => {
    const own = await engine.open(t)
    const key = newId()
    assert.equal(await own.db.write((tx) => put(tx, key).then(() => 'done')), 'done')
    assert.equal(await has(own.db, key), true)
    await own.db.close()
    const again = await openDatabase(own.store, 'server')
    try {
      assert.equal(await has(again, key), true)
    } finally {
      await again.close()
    }
  })

  test(`${engine.name}: a write that throws leaves nothing and throws the same`, async () => {
    const key = newId()
    const refusal = new ApiError('not_found', 'There is no such thing.')
    const write = db.write(async (tx) => {
      await put(tx, key)
      throw refusal
    })
    await assert.rejects(write, (error) => error === refusal)
    assert.equal(await has(db, key), false)
  })

  test(`${engine.name}: of writes at once those that throw take nobody with them`, async () => {
    const keys = Array.from({ length: 40 }, newId)
    const writes = keys.map((key, i) =>
      db.write(async (tx) => {
        await put(tx, key)
        if (i % 3 === 0) throw new Error('refused')
        if (i % 3 === 1) await put(tx, key)
      }),
    )
    const outcomes = await Promise.allSettled(writes)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      keys.map((_, i) => (i % 3 === 2 ? 'fulfilled' : 'rejected')),
    )
    for (const [i, key] of keys.entries()) assert.equal(await has(db, key), i % 3 === 2)
  })

  test(`${engine.name}: whatever a write refuses after a change, what was written beside it is there once`, async () => {
    const [kept, refused] = [newId(), newId()]
    let runs = 0
    const outcomes = await Promise.allSettled([
      db.write(async (tx) => {
        runs++
        await put(tx, kept)
      }),
      db.write(async (tx) => {
        await put(tx, refused)
        throw new Error('refused')
      }),
      db.write((tx) => has({ read: tx }, refused)),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))),
      [undefined, 'Error: refused', false],
    )
    assert.equal(await has(db, kept), true)
    assert.equal(runs, engine.name.startsWith('sqlite') ? 2 : 1)
  })

  test(`${engine.name}: a write sees what it has written itself, a read beside it does not`, async () => {
    const key = newId()
    await db.write(async (tx) => {
      await put(tx, key)
      assert.equal(await has({ read: tx }, key), true)
      assert.equal(await has(db, key), false)
    })
  })

  test(`${engine.name}: whoever is refused because of another's write finds that write committed`, async () => {
    const key = newId()
    const outcomes = Array.from({ length: 2 }, () =>
      db
        .write((tx) => put(tx, key))
        .then(
          () => 'written',
          async () => has(db, key),
        ),
    )
    assert.deepEqual(new Set(await Promise.all(outcomes)), new Set(['written', true]))
  })

  test(`${engine.name}: hints are heard after the commit, once for each topic, and never for what was rolled back`, async () => {
    const heard: { topic: string; isThere: boolean }[] = []
    const key = newId()
    const stop = db.onHint(async (topic) => {
      heard.push({ topic, isThere: await has(db, key) })
    })
    await db
      .write(async (tx) => {
        hint(tx, 'rolled back')
        throw new Error('refused')
      })
      .catch(() => {})
    await db.write(async (tx) => {
      hint(tx, 'deliveries')
      hint(tx, 'deliveries')
      await put(tx, key)
    })
    await until(() => heard.length > 0)
    stop()
    await db.write(async (tx) => hint(tx, 'unheard'))
    assert.deepEqual(heard, [{ topic: 'deliveries', isThere: true }])
  })

  test(`${engine.name}: a closed database is unavailable, and may be closed twice`, async (t) => {
    const own = await engine.open(t)
    const write = own.db.write((tx) => put(tx, 'last'))
    await Promise.all([own.db.close(), own.db.close()])
    await write
    await assert.rejects(
      own.db.write((tx) => put(tx, 'too late')),
      { code: 'unavailable' },
    )
  })

  test(`${engine.name}: counts are numbers, times their one written form, bytes Uint8Array`, async () => {
    const id = newId()
    const created_at = '2026-05-14T09:30:00.120Z'
    await db.write(async (tx) => {
      const org = { id, name: 'Ada', plan: 'pro' as const, hourly_limit: 5_000, strict_stages: 0, created_at }
      await tx.insertInto('org').values(org).execute()
      const subscription = { org_id: id, id, url: 'https://example.org', events: '[]', note: null, created_at }
      await tx
        .insertInto('subscription')
        .values({ ...subscription, secret: new Uint8Array([0, 255, 10]) })
        .execute()
    })
    const row = await db.read
      .selectFrom('subscription')
      .select(['secret', 'created_at', sql<number>`count(*) over ()`.as('n')])
      .where('org_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([...row.secret], [0, 255, 10])
    assert.ok(row.secret instanceof Uint8Array)
    assert.deepEqual([row.created_at, row.n], [created_at, 1])
  })

  if (store.engine === 'sqlite') continue

  test('postgres: writes that conflict are run again until each has been done', async () => {
    const id = await addOrg(db, 0)
    let runs = 0
    const writes = Array.from({ length: 4 }, () =>
      db.write(async (tx) => {
        runs++
        await sql`set transaction isolation level serializable`.execute(tx)
        const { hourly_limit: before } = await orgLimit(tx, id)
        await sleep(20)
        await tx
          .updateTable('org')
          .set({ hourly_limit: before + 1 })
          .where('id', '=', id)
          .execute()
      }),
    )
    await Promise.all(writes)
    assert.equal((await orgLimit(db.read, id)).hourly_limit, 4)
    assert.ok(runs > 4, `${runs} runs`)
  })

  test('postgres: writes that lock in a circle are run again', async () => {
    const ids = [await addOrg(db, 0), await addOrg(db, 0)]
    let runs = 0
    const both = (order: string[]) =>
      db.write(async (tx) => {
        runs++
        for (const id of order) {
          await tx
            .updateTable('org')
            .set((eb) => ({ hourly_limit: eb('hourly_limit', '+', 1) }))
            .where('id', '=', id)
            .execute()
          await sleep(50)
        }
      })
    await Promise.all([both(ids), both(ids.toReversed())])
    assert.ok(runs > 2, `${runs} runs`)
    for (const id of ids) assert.equal((await orgLimit(db.read, id)).hourly_limit, 2)
  })

  test('postgres: a connection lost in the middle of the work is replaced and the work run again', async () => {
    const key = newId()
    let runs = 0
    await db.write(async (tx) => {
      await put(tx, key)
      if (++runs === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    })
    assert.equal(runs, 2)
    assert.equal(await has(db, key), true)
  })

  test('postgres: a lost COMMIT is unavailable and never run again', async () => {
    const key = newId()
    let runs = 0
    const write = db.write(async (tx) => {
      runs++
      await put(tx, key)
      await sql`create temporary table lost (n int unique deferrable initially deferred) on commit drop`.execute(tx)
      await sql`create function pg_temp.lose() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end'`.execute(tx)
      await sql`create constraint trigger lose after insert on lost deferrable initially deferred
        for each row execute function pg_temp.lose()`.execute(tx)
      await sql`insert into lost values (1)`.execute(tx)
    })
    await assert.rejects(write, { code: 'unavailable' })
    assert.equal(runs, 1)
    assert.equal(await has(db, key), false)
  })

  test('postgres: without the server a write is unavailable, with Retry-After, and works again once it is back', async (t) => {
    const target = new URL((store as { url: string }).url)
    const sockets = new Set<Socket>()
    const wire = createServer((socket) => {
      const onward = connect(Number(target.port), target.hostname)
      for (const end of [socket, onward]) sockets.add(end.on('error', () => {}))
      socket.pipe(onward).pipe(socket)
    })
    await once(wire.listen(0, '127.0.0.1'), 'listening')
    const port = (wire.address() as AddressInfo).port
    const url = new URL(target)
    url.port = String(port)
    const own = await openDatabase({ engine: 'postgres', url: url.href, connectionsMax: 2 }, 'server')
    t.after(() => own.close())
    t.after(() => void wire.close())

    const closed = once(wire.close(), 'close')
    for (const socket of sockets) socket.destroy()
    await closed
    const key = newId()
    const refused = await own.write((tx) => put(tx, key)).catch((error) => error)
    assert.deepEqual([refused.code, refused.headers], ['unavailable', { 'retry-after': '1' }])
    await once(wire.listen(port, '127.0.0.1'), 'listening')
    await own.write((tx) => put(tx, key))
    assert.equal(await has(db, key), true)
  })

  test('postgres: hints reach other processes', async (t) => {
    const other = await openDatabase(store, 'server')
    t.after(() => other.close())
    const heard = new Set<string>()
    other.onHint((topic) => heard.add(topic))
    await until(async () => {
      await db.write(async (tx) => hint(tx, 'deliveries'))
      return heard.has('deliveries')
    })
  })
}

async function put(tx: Tx, key: string): Promise<void> {
  await tx.insertInto('meta').values({ key, value: '' }).execute()
}

async function has(db: Pick<Database, 'read'>, key: string): Promise<boolean> {
  return (await db.read.selectFrom('meta').select('key').where('key', '=', key).execute()).length === 1
}

function addOrg(db: Database, hourly_limit: number): Promise<string> {
  return db.write(async (tx) => {
    const id = newId()
    const org = { id, name: 'Ada', plan: 'pro' as const, hourly_limit, strict_stages: 0 }
    await tx
      .insertInto('org')
      .values({ ...org, created_at: '2026-05-14T09:30:00.000Z' })
      .execute()
    return id
  })
}

function orgLimit(db: Database['read'], id: string) {
  return db.selectFrom('org').select('hourly_limit').where('id', '=', id).executeTakeFirstOrThrow()
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10)
}
