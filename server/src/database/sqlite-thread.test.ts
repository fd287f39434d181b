import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SqliteThread } from './sqlite-thread.ts'

/** Some seconds: longer than the end waits. */
const LONG = 'with recursive n (i) as (select 1 union all select i + 1 from n limit 20000000) select max(i) from n'

test('a query that is cut off by the end, or comes after it, is answered as unavailable', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-thread-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const thread = new SqliteThread(join(folder, 'kith.db'))
  assert.deepEqual(await thread.run('select 1 as one, 2 as two'), [{ one: 1, two: 2 }])
  const cut = assert.rejects(thread.run(LONG), { code: 'unavailable' })
  await thread.close()
  await cut
  await assert.rejects(thread.run('select 1'), { code: 'unavailable' })
})
