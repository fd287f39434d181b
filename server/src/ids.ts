import { randomBytes } from 'node:crypto'
import { now } from './clock.ts'
import { isUuid } from './uuid.ts'

const TIME_MAX = 2 ** 48 - 1
const COUNTER_BITS = 26
const COUNTER_MAX = 2 ** COUNTER_BITS - 1
const LOW_BITS = 14
const LOW_MASK = 2 ** LOW_BITS - 1

let timeMs = -1
let timeText = ''
let counter = COUNTER_MAX
let newest: string | undefined

/**
 * A new UUIDv7, lower case. Each is greater, as text and as bytes, than all that this process made or was told of
 * before, also when the clock goes back.
 *
 * Layout: 48 bits of Unix milliseconds, then a counter of 26 bits (the 12 of `rand_a` and the first 14 of `rand_b`),
 * then 48 random bits. The counter begins each millisecond at a random place in its lower half; when it is full, the
 * time in the id runs ahead of the clock.
 *
 * @throws RangeError when the time no longer fits in 48 bits
 * @see RFC 9562 §5.7 and §6.2, methods 1 and 2
 */
export function newId(): string {
  const clockMs = now()
  if (clockMs > timeMs) startTime(clockMs)
  else if (counter === COUNTER_MAX) startTime(timeMs + 1)
  else counter++
  const high = HEX3[counter >>> LOW_BITS]!
  const low = HEX4[counter & LOW_MASK]!
  newest = `${timeText}-7${high}-${low}-${randomHex(12)}`
  return newest
}

/** Smaller than every id of this time or later, and greater than every one of before. @param time ISO 8601 */
export function firstIdAt(time: string): string {
  const hex = Math.min(TIME_MAX, Math.max(0, Date.parse(time)))
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The newest id that this process made. */
export function lastId(): string | undefined {
  return newest
}

/**
 * Makes every later id greater than this one, however far in the future its time is.
 *
 * @throws RangeError when `id` is not a UUID in its canonical lower-case form
 */
export function raiseIdFloor(id: string): void {
  if (!isUuid(id)) throw new RangeError(`not an id: ${id}`)
  const floorMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  if (floorMs < timeMs) return
  const floorCounter = counterOf(id)
  if (floorMs === timeMs) {
    counter = Math.max(counter, floorCounter)
  } else {
    setTime(floorMs)
    counter = floorCounter
  }
}

function startTime(ms: number): void {
  setTime(ms)
  counter = Number.parseInt(randomHex(7), 16) & (COUNTER_MAX >>> 1)
}

function setTime(ms: number): void {
  if (ms > TIME_MAX) throw new RangeError('the time no longer fits in an id')
  const hex = ms.toString(16).padStart(12, '0')
  timeMs = ms
  timeText = `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** The counter of an id of ours. Another kind of UUID counts as a full one, so that the next id takes a later time. */
function counterOf(id: string): number {
  const low = Number.parseInt(id.slice(19, 23), 16)
  if (id[14] !== '7' || low >>> LOW_BITS !== 0b10) return COUNTER_MAX
  return (Number.parseInt(id.slice(15, 18), 16) << LOW_BITS) | (low & LOW_MASK)
}

const HEX3 = Array.from({ length: 2 ** 12 }, (_, number) => number.toString(16).padStart(3, '0'))
const HEX4 = Array.from({ length: 2 ** LOW_BITS }, (_, number) => (0x8000 | number).toString(16))

let pool = ''
let poolAt = 0

/** Random hex digits, taken from the system's generator a thousand ids at a time: one by one costs ten times as much. */
function randomHex(digits: number): string {
  if (poolAt + digits > pool.length) {
    pool = randomBytes(6 * 1024).toString('hex')
    poolAt = 0
  }
  poolAt += digits
  return pool.slice(poolAt - digits, poolAt)
}
