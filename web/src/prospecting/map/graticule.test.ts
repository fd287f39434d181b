import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graticule, stepAt } from './graticule.ts'

test('lines come nearer to each other on the ground as the map does, and stay apart on the screen', () => {
  const steps = [0, 2, 5, 8, 11, 14, 17].map(stepAt)
  assert.deepEqual(steps, [30, 30, 5, 0.5, 0.05, 0.005, 0.001])
  for (let zoom = 2; zoom <= 17; zoom += 0.25) {
    const px = (stepAt(zoom) * 512 * 2 ** zoom) / 360
    assert.ok(px >= 110 && px < 300, `${px} px at ${zoom}`)
  }
})

test('lines run through the box and beyond it, at multiples of the step', () => {
  const { coordinates } = graticule({ south: 41.99, west: 21.4, north: 42.01, east: 21.44 }, 14)
  const longitudes = coordinates.filter(([from, to]) => from![0] === to![0]).map(([from]) => from![0]!)
  assert.equal(longitudes[0], 21.36)
  assert.equal(longitudes.at(-1), 21.48)
  assert.equal(longitudes.length, 25)
  assert.ok(longitudes.includes(21.435))
})

test('a map of half the world has the lines of the other half too: it may begin anew at its edge', () => {
  const { coordinates } = graticule({ south: -40, west: 60, north: 40, east: 180 }, 1)
  const longitudes = coordinates.flat().map(([longitude]) => longitude!)
  assert.deepEqual([Math.min(...longitudes), Math.max(...longitudes)], [-180, 180])
})

test('the whole world has lines that end where it does', () => {
  const { coordinates } = graticule({ south: -85, west: -180, north: 85, east: 180 }, 0)
  const all = coordinates.flat()
  assert.ok(all.every(([longitude, latitude]) => Math.abs(longitude!) <= 180 && Math.abs(latitude!) <= 85))
  assert.equal(coordinates.length, 13 + 5)
})
