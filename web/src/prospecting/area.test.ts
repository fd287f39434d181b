import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  boxAround,
  boxFrom,
  boxText,
  coordinatesFrom,
  isSameView,
  knownRadius,
  RADII_M,
  radiusAt,
  radiusOf,
  sideOf,
  startView,
  USUAL_SIDE_PX,
  viewOf,
  zoomFor,
} from './area.ts'

const BERLIN = { latitude: 52.52, longitude: 13.405 }
const SKOPJE = { south: 41.95, west: 21.35, north: 42.05, east: 21.55 }

test('a box around a place reaches as far to each side, in metres and not in degrees', () => {
  const box = boxAround(BERLIN, 1_000)
  assert.ok(Math.abs((box.north - box.south) * 111_320 - 2_000) < 5)
  assert.ok(Math.abs((box.east - box.west) * 111_320 * Math.cos((52.52 * Math.PI) / 180) - 2_000) < 5)
  assert.ok(Math.abs(radiusOf(box) - 1_000) < 3)
})

test('a radius becomes a zoom and is the same radius again, wherever it is', () => {
  for (const latitude of [0, 42, -33.9, 64.1]) {
    for (const radiusM of RADII_M) {
      const view = { latitude, longitude: 10, zoom: zoomFor(radiusM, latitude, 600) }
      assert.equal(knownRadius(radiusAt(view, 600)), radiusM)
    }
  }
})

test('another radius is none to choose from', () => {
  assert.deepEqual([knownRadius(1_400), knownRadius(990)], [undefined, 1_000])
})

test('the side of a map follows from what it shows', () => {
  const view = { ...BERLIN, zoom: zoomFor(2_000, BERLIN.latitude, 700) }
  assert.ok(Math.abs(sideOf(boxAround(BERLIN, radiusAt(view, 700)), view) - 700) < 2)
})

test('a view of a box shows all of it, and of a large one a part in its middle', () => {
  const whole = viewOf(SKOPJE, USUAL_SIDE_PX)
  assert.ok(Math.abs(whole.latitude - 42) < 1e-9 && Math.abs(whole.longitude - 21.45) < 1e-9)
  const shown = boxAround(whole, radiusAt(whole, USUAL_SIDE_PX))
  assert.ok(shown.west <= SKOPJE.west && shown.east >= SKOPJE.east && shown.south <= SKOPJE.south)
  assert.equal(knownRadius(radiusAt(viewOf(SKOPJE, USUAL_SIDE_PX, 2_000), USUAL_SIDE_PX)), 2_000)
})

test('a box is written into the address and read from it', () => {
  assert.equal(boxText(SKOPJE), '41.95,21.35,42.05,21.55')
  assert.deepEqual(boxFrom('41.95,21.35,42.05,21.55'), SKOPJE)
  for (const wrong of ['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '42,21,41,22', '42,22,43,21', '-95,1,2,3', ',,,', 7]) {
    assert.equal(boxFrom(wrong), undefined, String(wrong))
  }
})

test('views are the same when they differ by less than the eye sees', () => {
  const view = { ...BERLIN, zoom: 13 }
  assert.ok(isSameView(view, { ...view, longitude: view.longitude + 0.00001, zoom: 13.01 }))
  assert.ok(!isSameView(view, { ...view, zoom: 13.5 }))
  assert.ok(!isSameView(view, { ...view, latitude: view.latitude + 0.001 }))
})

test('coordinates are read as people write them, and nothing else is', () => {
  assert.deepEqual(coordinatesFrom('42.0, 21.43'), { latitude: 42, longitude: 21.43 })
  assert.deepEqual(coordinatesFrom(' -33.9 151.2 '), { latitude: -33.9, longitude: 151.2 })
  for (const wrong of ['Berlin', '42', '95, 10', '10, 200', '1,2,3']) assert.equal(coordinatesFrom(wrong), undefined)
})

test('the map begins at all of a small source, whoever looks', () => {
  assert.deepEqual(startView(SKOPJE, undefined, 480), viewOf(SKOPJE, 480))
  assert.deepEqual(startView(SKOPJE, BERLIN, 480), viewOf(SKOPJE, 480))
})

test('the map begins in the city of whoever looks, where the source is large or everywhere', () => {
  const germany = { south: 47, west: 6, north: 55, east: 15 }
  const italy = { south: 36, west: 6, north: 47, east: 18 }
  const near = { ...BERLIN, zoom: zoomFor(2_000, BERLIN.latitude, 480) }
  assert.deepEqual(startView(null, BERLIN, 480), near)
  assert.deepEqual(startView(germany, BERLIN, 480), near)
  assert.equal(startView(germany, undefined, 480), undefined)
  const middle = startView(italy, BERLIN, 480)!
  assert.deepEqual([middle.latitude, middle.longitude], [41.5, 12])
  assert.equal(knownRadius(radiusAt(middle, 480)), 2_000)
})
