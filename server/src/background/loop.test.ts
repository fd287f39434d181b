import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { startLoop } from './loop.ts'

const LONG_MS = 600_000

test('a step is called again at once while it reports work done', { timeout: 5_000 }, async () => {
  let left = 50
  const { promise, resolve } = Promise.withResolvers<void>()
  const loop = startLoop({ name: 'test', step, idleMs: LONG_MS, restMsMax: LONG_MS }, silent())
  await promise
  await loop.stop()
  assert.equal(left, 0)

  async function step() {
    if (left === 0) {
      resolve()
      return 0
    }
    left--
    return 1
  }
})

test('a nudge ends the rest, and one that comes during a step is not lost', { timeout: 5_000 }, async () => {
  const steps = counter()
  const loop = startLoop({ name: 'test', step, idleMs: LONG_MS, restMsMax: LONG_MS }, silent())
  await steps.reached(1)
  loop.nudge()
  await steps.reached(3)
  await delay(20)
  assert.equal(steps.count(), 3)
  await loop.stop()

  async function step() {
    steps.add()
    if (steps.count() === 2) loop.nudge()
    return 0
  }
})

test('a failing step is logged with its count and rests longer each time, also when nudged', async () => {
  const starts: number[] = []
  const failures: number[] = []
  const log = silent((fields) => failures.push(fields.failures as number))
  const steps = counter()
  const loop = startLoop({ name: 'test', step, idleMs: 20, restMsMax: 80 }, log)
  await steps.reached(5)
  await loop.stop()
  const rests = starts.slice(1).map((start, at) => start - starts[at]!)
  assert.deepEqual(failures.slice(0, 4), [1, 2, 3, 4])
  for (const [at, atLeast] of [40, 80, 80, 80].entries()) assert.ok(rests[at]! >= atLeast - 2, `${rests}`)

  async function step(): Promise<number> {
    starts.push(performance.now())
    steps.add()
    setImmediate(() => loop.nudge())
    throw new Error('away')
  }
})

test('after a success the rests are short again', { timeout: 5_000 }, async () => {
  const steps = counter()
  const starts: number[] = []
  const loop = startLoop({ name: 'test', step, idleMs: 10, restMsMax: LONG_MS }, silent())
  await steps.reached(6)
  await loop.stop()
  assert.ok(starts[5]! - starts[4]! < 300)

  async function step(): Promise<number> {
    starts.push(performance.now())
    steps.add()
    if (steps.count() < 4) throw new Error('away')
    return 0
  }
})

test('stop aborts the signal, resolves when the step has ended, and no step follows', async () => {
  const steps = counter()
  let hasEnded = false
  const loop = startLoop({ name: 'test', step, idleMs: 0, restMsMax: 1 }, silent())
  await steps.reached(1)
  await loop.stop()
  assert.ok(hasEnded)
  await delay(20)
  assert.equal(steps.count(), 1)

  async function step(signal: AbortSignal) {
    steps.add()
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await delay(10)
    hasEnded = true
    return 1
  }
})

function counter() {
  let count = 0
  const waiting: [number, () => void][] = []
  return {
    count: () => count,
    add() {
      count++
      for (const [wanted, resolve] of waiting) if (count >= wanted) resolve()
    },
    reached: (wanted: number) =>
      new Promise<void>((resolve) => {
        if (count >= wanted) resolve()
        else waiting.push([wanted, resolve])
      }),
  }
}

function silent(onError: (fields: Record<string, unknown>) => void = () => {}): Log {
  return { error: onError } as unknown as Log
}
