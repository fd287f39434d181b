import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import test from 'node:test'
import { setClock } from './clock.ts'
import { lastId, newId, raiseIdFloor } from './ids.ts'
import { isUuid } from './uuid.ts'

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

function timeText(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** Stands still at the moment that the newest id carries, so that tests do not depend on each other's floor. */
function stillClock(aheadMs: number): { ms: number; restore: () => void } {
  const clock = { ms: timeOf(newId()) + aheadMs, restore: () => {} }
  clock.restore = setClock(() => clock.ms)
  return clock
}

test('an id is a UUIDv7, lower case, that carries the time of the clock', (t) => {
  const clock = stillClock(5)
  t.after(clock.restore)
  const id = newId()
  assert.match(id, V7)
  assert.equal(timeOf(id), clock.ms)
  assert.equal(lastId(), id)
})

test('of two ids the later is the greater, with many in one millisecond', (t) => {
  const clock = stillClock(5)
  t.after(clock.restore)
  let before = newId()
  for (let n = 0; n < 100_000; n++) {
    const id = newId()
    assert.ok(id > before, `${id} after ${before}`)
    before = id
  }
  assert.equal(timeOf(before), clock.ms)
  assert.match(before, V7)
})

test('of two ids the later is the greater when the clock goes back', (t) => {
  const clock = stillClock(5)
  t.after(clock.restore)
  const before = newId()
  clock.ms -= 86_400_000
  const id = newId()
  assert.ok(id > before)
  assert.equal(timeOf(id), timeOf(before))
})

test('the random part of an id differs from id to id', () => {
  const tails = new Set(Array.from({ length: 10_000 }, () => newId().slice(24)))
  assert.equal(tails.size, 10_000)
})

test('a later id is greater than the floor, and than ids made before it was raised', (t) => {
  const clock = stillClock(5)
  t.after(clock.restore)
  const made = newId()
  const hourAhead = clock.ms + 3_600_000
  const floors = [
    made,
    '00000000-0000-7000-8000-000000000000',
    `${timeText(hourAhead)}-7000-8000-000000000000`,
    `${timeText(hourAhead)}-7000-8000-ffffffffffff`,
    `${timeText(hourAhead)}-7123-bfff-ffffffffffff`,
    `${timeText(hourAhead)}-7fff-bfff-ffffffffffff`,
    `${timeText(hourAhead + 9)}-4000-8000-000000000000`,
    `${timeText(hourAhead + 10)}-7000-f000-ffffffffffff`,
  ]
  let before = made
  for (const floor of floors) {
    raiseIdFloor(floor)
    const id = newId()
    assert.match(id, V7)
    assert.ok(id > floor, `${id} after floor ${floor}`)
    assert.ok(id > before, `${id} after ${before}`)
    before = id
  }
})

test('a full counter takes the next millisecond', (t) => {
  const clock = stillClock(5)
  t.after(clock.restore)
  raiseIdFloor(`${newId().slice(0, 13)}-7fff-bffe-000000000000`)
  const last = newId()
  const next = newId()
  assert.match(last, /-7fff-bfff-/)
  assert.deepEqual([timeOf(last), timeOf(next)], [clock.ms, clock.ms + 1])
})

test('what is not an id cannot be a floor', () => {
  const before = newId()
  assert.throws(() => raiseIdFloor('tomorrow'), RangeError)
  assert.ok(newId() > before)
})

test('only a canonical lower-case UUID is an id', () => {
  const id = newId()
  const cases: [string, boolean][] = [
    [id, true],
    ['00000000-0000-0000-0000-000000000000', true],
    [id.toUpperCase(), false],
    [`${id}\n`, false],
    [` ${id}`, false],
    [id.slice(1), false],
    [`${id}0`, false],
    [`{${id}}`, false],
    [id.replaceAll('-', ''), false],
    [id.replace('-', '0'), false],
    [`g${id.slice(1)}`, false],
    ['', false],
    ['-'.repeat(36), false],
  ]
  for (const [text, expected] of cases) assert.equal(isUuid(text), expected, JSON.stringify(text))
})

test('an id takes well under a microsecond', (t) => {
  for (let n = 0; n < 50_000; n++) newId()
  const startedAt = performance.now()
  for (let n = 0; n < 100_000; n++) newId()
  const microsecondsEach = (performance.now() - startedAt) / 100
  t.diagnostic(`${microsecondsEach.toFixed(3)} µs`)
  assert.ok(microsecondsEach < 5, `${microsecondsEach} µs`)
})
