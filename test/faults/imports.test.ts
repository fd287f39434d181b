import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CSV, done, reached, state } from '../support/imports.ts'
import { withKith } from '../support/kith.ts'
import { until } from '../support/until.ts'

const ROWS = 2_000

withKith((kith) => {
  test('an import, and its undoing, that kills broke off go on by themselves: no row is lost, none is there twice', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const names = Array.from({ length: ROWS }, (_, at) => `Person ${at}`)
    const text = `Name\n${names.join('\n')}\n`
    const { id } = done(await ui.post('/imports/upload?name=a.csv', text, CSV), 201)
    const restart = async () => {
      await kith.kill()
      await kith.start()
    }
    done(await ui.post(`/imports/${id}/check`, {}))
    await restart()
    await reached(ui, id, 'checked')
    done(await ui.post(`/imports/${id}/run`, { skip_problems: false }))
    for (const part of [0.1, 0.4]) {
      const isThere = async () => (await state(ui, id)).counts.rows_added > part * ROWS
      await until('a part of it is there', isThere, 60_000)
      await restart()
    }
    const over = await reached(ui, id, 'done')
    assert.equal(over.counts.rows_added, ROWS)
    const rows = await kith.db.read
      .selectFrom('contact')
      .select('full_name')
      .where('org_id', '=', org.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ full_name }) => full_name),
      names,
    )
    const created = (await org.eventNames()).filter((name) => name === 'contact.created')
    assert.equal(created.length, ROWS)

    done(await ui.post(`/imports/${id}/undo`, {}))
    const count = async () => (await org.api.get('/contacts')).body.meta.count as number
    await until('a part of it is gone', async () => (await count()) < 0.8 * ROWS, 60_000)
    await restart()
    const gone = await reached(ui, id, 'undone')
    assert.deepEqual([gone.undone, await count()], [{ removed: ROWS, restored: 0, kept: 0 }, 0])
  })
})
