import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { until } from '../../../test/support/until.ts'
import { openDatabase } from '../database/open.ts'
import { newId } from '../ids.ts'
import { announce, announced } from './announce.ts'

test('a topic of somebody else announces nothing', () => {
  for (const topic of ['deliveries', 'live', '']) assert.equal(announced(topic), undefined)
})

for (const engine of engines) {
  test(`${engine.name}: what is announced is heard once the transaction has committed, and not when it fails`, async (t) => {
    const { db } = await engine.open(t)
    const heard: unknown[] = []
    t.after(db.onHint((topic) => heard.push(announced(topic))))
    const orgId = newId()
    const id = newId()
    await assert.rejects(
      db.write(async (tx) => {
        announce(tx, orgId, 'token', id)
        throw new Error('It fails.')
      }),
    )
    await db.write(async (tx) => {
      announce(tx, orgId, 'task', id)
      announce(tx, orgId, 'org', null)
      assert.deepEqual(heard, [])
    })
    assert.deepEqual(heard, [
      { orgId, kind: 'task', id },
      { orgId, kind: 'org', id: null },
    ])
  })

  if (engine.name !== 'postgres') continue

  test(`${engine.name}: another process hears it too, however many there are at once`, async (t) => {
    const { db, store } = await engine.open(t)
    const other = await openDatabase(store, 'command')
    t.after(() => other.close())
    const heard = new Set<string | null | undefined>()
    t.after(other.onHint((topic) => heard.add(announced(topic)?.id)))
    const orgId = newId()
    const ids = Array.from({ length: 500 }, newId)
    // It may not be listening yet: the last ones are said until they are heard.
    await until('the other process hears all of them', async () => {
      await db.write(async (tx) => {
        for (const id of ids) announce(tx, orgId, 'delivery', id)
      })
      return ids.every((id) => heard.has(id))
    })
  })
}
