import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from './turns.ts'

test('on SQLite a batch has twice the rows while there is time, and fewer once one took too long', () => {
  const turns = new Turns('sqlite')
  const few = turns.rowsMax
  turns.begin()
  assert.equal(turns.isUp, false)
  turns.end(few)
  assert.equal(turns.rowsMax, 2 * few)
  for (let i = 0; i < 10; i++) {
    turns.begin()
    turns.end(turns.rowsMax)
  }
  const many = turns.rowsMax
  turns.begin()
  useProcessor(60)
  assert.equal(turns.isUp, true)
  turns.end(many)
  assert.ok(turns.rowsMax < many / 2, `${turns.rowsMax} of ${many}`)
  assert.ok(turns.rowsMax >= few)
})

test('the few rows of an unfinished batch change nothing', () => {
  const turns = new Turns('sqlite')
  const before = turns.rowsMax
  turns.begin()
  turns.end(1)
  assert.equal(turns.rowsMax, before)
})

test('on PostgreSQL a batch holds nobody, and is as large as it may be', () => {
  const turns = new Turns('postgres')
  const before = turns.rowsMax
  turns.begin()
  useProcessor(60)
  assert.equal(turns.isUp, false)
  turns.end(1)
  assert.equal(turns.rowsMax, before)
})

function useProcessor(ms: number): void {
  const since = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(since)
    if (user + system >= ms * 1000) return
  }
}
