import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prefersStale } from './prefer.ts'

test('stale is found among preferences as RFC 7240 writes them', () => {
  for (const header of ['stale', 'Stale', 'wait=10, stale', 'respond-async,stale;x=1', 'stale=""', ' stale ; a="b"']) {
    assert.equal(prefersStale(header), true, header)
  }
  for (const header of [undefined, '', 'stale=yes', 'staleness', 'wait=10; stale', 'note="a, stale, b"', 'un-stale']) {
    assert.equal(prefersStale(header), false, String(header))
  }
})

test('a long header is read in linear time', () => {
  const began = performance.now()
  for (const worst of ['"\\', '\\"', 'stale ', ',', '"', 'stale=', ' '])
    prefersStale(worst.repeat(16_384 / worst.length))
  prefersStale(`stale${' '.repeat(16_000)}=${' '.repeat(16_000)}x`)
  assert.ok(performance.now() - began < 500)
})
