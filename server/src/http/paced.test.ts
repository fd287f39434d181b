import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { paced } from './paced.ts'

const pace = { windowMs: 200, bytesPerSMin: 1000 }

test('pieces that come fast enough are passed on, however long they are worked on', async () => {
  async function* fast() {
    for (let at = 0; at < 5; at++) yield Buffer.alloc(300)
  }
  let bytes = 0
  for await (const piece of paced(fast(), pace)) {
    bytes += piece.length
    await delay(100)
  }
  assert.equal(bytes, 1500)
})

test('an upload that stalls, and one that drips, are given up', async () => {
  async function* stalled() {
    yield Buffer.alloc(10)
    await new Promise(() => {})
  }
  async function* dripping() {
    for (;;) {
      yield Buffer.alloc(1)
      await delay(5)
    }
  }
  for (const stream of [stalled(), dripping()]) {
    await assert.rejects(Array.fromAsync(paced(stream, pace)), { code: 'bad_request', message: /too slowly/ })
  }
})
