import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/support/until.ts'
import { SqliteCheckpoints } from './sqlite-checkpoints.ts'
import { openSqlite } from './sqlite-open.ts'

const NEVER = Number.POSITIVE_INFINITY

test('the log is emptied when writers have paused', async (t) => {
  const { note, logBytes } = writer(t, { logBytesMax: NEVER, emptyMsMax: NEVER })
  await note('One.')
  assert.ok(logBytes() > 0)
  await until('the log is empty', () => logBytes() === 0)
})

test('a long log begins again while others write, and keeps its space', async (t) => {
  const { note, found } = writer(t, { logBytesMax: 0, emptyMsMax: NEVER })
  while (found.length < 3) await note('Another.')
  for (const { bytes, beginnings, beginningsAfter } of found) {
    assert.ok(bytes > 0)
    assert.equal(beginningsAfter, beginnings + 1)
  }
})

test('a short one is left alone while others write', async (t) => {
  const { note, found, logBytes } = writer(t, { logBytesMax: NEVER, emptyMsMax: NEVER })
  for (const endsAt = performance.now() + 2_000; performance.now() < endsAt; ) await note('Another.')
  assert.deepEqual(found, [])
  assert.ok(logBytes() > 0)
})

test('what was deleted is gone from the log after some time, though others write on', async (t) => {
  const { db, note, found, log } = writer(t, { logBytesMax: NEVER, emptyMsMax: 1_000 })
  await note('Not to be kept.')
  db.exec('delete from note')
  assert.ok(log().includes('Not to be kept.'))
  while (found.length === 0) await note('Another.')
  assert.equal(found[0]!.bytes, 0)
  assert.ok(!log().includes('Not to be kept.'))
})

test('it is emptied as soon as nobody reads what is in it any more', async (t) => {
  const { db, note, logBytes } = writer(t, { logBytesMax: NEVER, emptyMsMax: NEVER })
  await note('One.')
  const reader = openSqlite(db.location()!)
  t.after(() => reader.close())
  reader.exec('begin')
  reader.prepare('select * from note').all()
  await note('Another.')
  await sleep(1_500)
  assert.ok(logBytes() > 0)
  reader.exec('commit')
  await until('the log is empty', () => logBytes() === 0)
})

/** Commits notes, waiting as writers do. */
function writer(t: TestContext, limits: { logBytesMax: number; emptyMsMax: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'kith-checkpoints-'))
  const path = join(folder, 'kith.db')
  const db = openSqlite(path)
  db.exec('pragma wal_autocheckpoint = 0; create table note (text text)')
  const checkpoints = new SqliteCheckpoints(path, limits)
  t.after(async () => {
    await checkpoints.close()
    db.close()
    rmSync(folder, { recursive: true })
  })
  const insert = db.prepare('insert into note (text) values (?)')
  const logBytes = () => statSync(`${path}-wal`).size
  const found: { bytes: number; beginnings: number; beginningsAfter: number }[] = []
  return {
    db,
    /** What a writer has found each time that it had to wait. */
    found,
    logBytes,
    log: () => readFileSync(`${path}-wal`),
    async note(text: string) {
      const hasToWait = checkpoints.passed !== undefined
      await checkpoints.passed
      const [bytes, beginnings] = [logBytes(), beginningsOf(`${path}-wal`)]
      insert.run(text)
      if (hasToWait) found.push({ bytes, beginnings, beginningsAfter: beginningsOf(`${path}-wal`) })
      checkpoints.due()
      await nextTurn()
    },
  }
}

/** How often a log has begun at its start, as its header says. */
function beginningsOf(path: string): number {
  const head = Buffer.alloc(16)
  const fd = openSync(path, 'r')
  readSync(fd, head)
  closeSync(fd)
  return head.readUInt32BE(12)
}
