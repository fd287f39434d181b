import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scaleAt } from './scale.ts'

test('a round distance that fits', () => {
  const cases: [latitude: number, zoom: number, text: string][] = [
    [0, 0, '5000 km'],
    [0, 10, '5 km'],
    [52.5, 13, '500 m'],
    [52.5, 15, '100 m'],
    [42, 16.4, '50 m'],
    [-80, 10, '1 km'],
  ]
  for (const [latitude, zoom, text] of cases) {
    const scale = scaleAt({ latitude, zoom }, 100)
    assert.equal(scale.text, text)
    assert.ok(scale.px > 35 && scale.px <= 100, `${text} is ${scale.px} px`)
  }
})

test('it is as long as it says: at the equator a tile is 40,075 km at zoom 0', () => {
  assert.deepEqual(scaleAt({ latitude: 0, zoom: 0 }, 512), { text: '20000 km', px: 256 })
  assert.deepEqual(scaleAt({ latitude: 60, zoom: 0 }, 512), { text: '20000 km', px: 511 })
})
