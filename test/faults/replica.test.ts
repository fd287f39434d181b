import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inspectDatabase } from '../../server/src/database/inspection.ts'
import { openDatabase } from '../../server/src/database/open.ts'
import { revokeToken } from '../../server/src/tokens/actions.ts'
import { type Engine, engines } from '../support/databases.ts'
import type { Answer } from '../support/http-client.ts'
import { Kith } from '../support/kith.ts'
import type { Org } from '../support/org.ts'
import { PostgresCluster } from '../support/postgres-cluster.ts'
import { until } from '../support/until.ts'

const LISTS = ['/contacts', '/contacts?q=ada', '/contacts?offset=1000', '/deals', '/tasks']
const STALE = { prefer: 'stale' }

const hooks: (() => void | Promise<void>)[] = []
let primary: PostgresCluster
let standby: PostgresCluster
let kith: Kith
let org: Org

before(async () => {
  const t = { after: (work: () => void | Promise<void>) => void hooks.unshift(work) }
  primary = await PostgresCluster.start(t)
  standby = await primary.standby(t)
  const place: Engine['place'] = async () => ({ engine: 'postgres', url: primary.url, connectionsMax: 2 })
  const settings = { KITH_DATABASE_READ_URL: standby.url }
  kith = new Kith({ ...engines.find(({ name }) => name === 'postgres')!, place }, settings)
  t.after(() => kith.close())
  await kith.open()
  org = await kith.org()
})

after(async () => {
  for (const work of hooks) await work()
})

test('lists and searches come from the replica when asked for stale, and say so; without that they are as they are now', async () => {
  await org.addContact({ full_name: 'Ada before', deal_stage: 'lead' })
  await org.addTask({ title: 'before' })
  await primary.isFollowedBy(standby)
  await whilePaused(async () => {
    await org.addContact({ full_name: 'Ada after', deal_stage: 'lead' })
    await org.addTask({ title: 'after' })
    // A machine that is busy may need so long that the replica counts as too old meanwhile: then all is begun anew.
    for (const path of LISTS) {
      const [stale, now] = [await org.api.get(path, STALE), await org.api.get(path)]
      if (!isFromReplica(stale)) return false
      assert.deepEqual([stale.status, now.status], [200, 200])
      assert.deepEqual([stale.headers.vary, now.headers.vary], ['Prefer', 'Prefer'])
      assert.equal(isFromReplica(now), false)
      assert.equal(now.body.meta.count - stale.body.meta.count, 1, path)
      const head = await org.api.head(path, STALE)
      if (!isFromReplica(head)) return false
      assert.equal(head.text, '')
    }
    return true
  })
})

test('a record by its id and what a token may do are never stale', async () => {
  await whilePaused(async () => {
    const { id } = await org.addContact({ full_name: 'Brand new' })
    const found = await org.api.get(`/contacts/${id}`, STALE)
    assert.deepEqual([found.status, found.headers['preference-applied']], [200, undefined])
    const fresh = await org.token(['read'])
    const list = await fresh.api.get('/contacts', STALE)
    assert.equal(list.status, 200)
    await kith.db.write((tx) => revokeToken(tx, org.actor, fresh.id))
    assert.equal((await fresh.api.get('/contacts', STALE)).body.error, 'revoked_api_key')
    return true
  })
})

test('a replica that is too far behind, or away, is passed over, and taken again by itself', async (t) => {
  await primary.isFollowedBy(standby)
  await standby.query('select pg_wal_replay_pause()')
  const { id } = await org.addContact({ full_name: 'Not there yet' })
  await until('it is too far behind', async () => {
    const list = await org.api.get('/contacts', STALE)
    if (isFromReplica(list)) return false
    assert.equal(list.body.data[0].id, id)
    return true
  })
  await standby.query('select pg_wal_replay_resume()')
  await until('it is taken again', async () => isFromReplica(await org.api.get('/contacts', STALE)))

  await standby.stop('immediate')
  const begun = performance.now()
  const list = await org.api.get('/contacts', STALE)
  t.diagnostic(`answered beside a replica that is away after ${Math.round(performance.now() - begun)} ms`)
  assert.deepEqual([list.status, isFromReplica(list), list.body.data[0].id], [200, false, id])
  await standby.start()
  await until('it is taken again', async () => isFromReplica(await org.api.get('/contacts', STALE)))
})

test('a replica that says nothing is passed over in time', async () => {
  await standby.pause()
  const answers = await Promise.all(Array.from({ length: 20 }, () => org.api.get('/contacts', STALE)))
  for (const answer of answers) assert.deepEqual([answer.status, isFromReplica(answer)], [200, false])
  await standby.resume()
  await until('it is taken again', async () => isFromReplica(await org.api.get('/contacts', STALE)))
})

test('the web app, which shows people what they have just done, is never answered from it', async () => {
  const ui = await kith.ui(org)
  await whilePaused(async () => {
    const { id } = await org.addContact({ full_name: 'Shown at once' })
    const list = await ui.get('/contacts', STALE)
    assert.deepEqual([list.headers['preference-applied'], list.body.data[0].id], [undefined, id])
    return true
  })
})

test('a server starts without its replica', async () => {
  await standby.stop('fast')
  await kith.stop()
  await kith.start()
  assert.equal(isFromReplica(await org.api.get('/contacts', STALE)), false)
  await standby.start()
})

test('a standby alone is refused at start, and by kith doctor, with what to do', async () => {
  const store = { engine: 'postgres', url: standby.url, connectionsMax: 2 } as const
  await assert.rejects(openDatabase(store, 'server'), {
    name: 'StartError',
    message: /names no server that takes writes/,
  })
  const found = await inspectDatabase(store)
  assert.deepEqual(found?.faults, ['It takes no writes, as a standby does: name the primary in KITH_DATABASE_URL.'])
  const { code, value } = await kith.command('doctor')
  assert.equal(code, 0)
  const replica = value.find(({ check }: { check: string }) => check === 'replica')
  assert.match(replica.message, new RegExp(`^127.0.0.1:${standby.port} has what was written until [0-9.]+ s ago\\.$`))
  const both = await openDatabase({ ...store, url: withBoth(standby.url, primary.port) }, 'server')
  await both.write((tx) => tx.insertInto('meta').values({ key: 'both', value: '' }).execute())
  await both.close()
})

/** Runs `work` while the replica stands still, and again if it says that it was not quick enough. */
async function whilePaused(work: () => Promise<boolean>): Promise<void> {
  for (let isDone = false; !isDone; ) {
    await primary.isFollowedBy(standby)
    await standby.query('select pg_wal_replay_pause()')
    try {
      isDone = await work()
    } finally {
      await standby.query('select pg_wal_replay_resume()')
    }
  }
}

function isFromReplica({ headers }: Answer): boolean {
  return headers['preference-applied'] === 'stale'
}

/** The address with another server behind the first. */
function withBoth(url: string, port: number): string {
  return url.replace(/(@[^/]+)/, `$1,127.0.0.1:${port}`)
}
