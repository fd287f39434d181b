import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { MultiPolygon } from 'geojson'
import { type CountriesTopology, middleOf, unrolled, worldOf } from './world.ts'

const path = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
const topology: CountriesTopology = JSON.parse(readFileSync(path, 'utf8'))

test('the middle of an outline, whichever way around it runs, and its size on the ground', () => {
  const outline = [
    [10, 0],
    [14, 0],
    [14, 2],
    [10, 2],
    [10, 0],
  ]
  for (const line of [outline, outline.toReversed()]) {
    const { longitude, latitude, size } = middleOf(line)
    assert.deepEqual(
      [longitude, latitude, size].map((number) => number.toFixed(2)),
      ['12.00', '1.00', '8.00'],
    )
  }
  const far = outline.map(([x, y]) => [x!, y! + 59])
  assert.equal(middleOf(far).size.toFixed(2), '4.00')
  assert.deepEqual(
    middleOf([
      [1, 2],
      [1, 2],
      [1, 2],
    ]),
    { longitude: 1, latitude: 2, size: 0 },
  )
})

test('an outline that runs on over the line where the days meet runs out of the map', () => {
  const line = [
    [179, 60],
    [-179, 60],
    [-179, 65],
    [179, 65],
    [179, 60],
  ]
  assert.deepEqual(unrolled(line), [
    [179, 60],
    [181, 60],
    [181, 65],
    [179, 65],
    [179, 60],
  ])
  const around = [
    [-120, -70],
    [0, -80],
    [120, -70],
    [-120, -70],
  ]
  assert.deepEqual(unrolled(around), [...around.slice(0, 3), [240, -70], [240, -90], [-120, -90], [-120, -70]])
  const plain = [
    [1, 1],
    [2, 1],
    [2, 2],
    [1, 1],
  ]
  assert.deepEqual(unrolled(plain), plain)
})

test('each country of the world has land and its name on it; borders are lines that two of them share', () => {
  const { land, borders, names } = worldOf(topology)
  assert.ok(land.features.length > 230)
  assert.equal(names.features.length, land.features.length)
  assert.ok(borders.coordinates.length > 100)
  for (const { properties, geometry } of land.features) {
    const outlines = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
    for (const outline of outlines) {
      const jumps = outline.filter(
        ([longitude], at) => Math.abs(longitude! - (outline[at - 1]?.[0] ?? longitude!)) > 180,
      )
      assert.ok(jumps.length <= (properties.name === 'Antarctica' ? 1 : 0), properties.name)
    }
  }
  const at = (name: string) => names.features.find(({ properties }) => properties.name === name)!
  const within = (name: string, [west, south, east, north]: number[]) => {
    const [longitude, latitude] = at(name).geometry.coordinates as [number, number]
    assert.ok(
      longitude > west! && longitude < east! && latitude > south! && latitude < north!,
      `${name} ${longitude} ${latitude}`,
    )
  }
  const antarctica = land.features.find(({ properties }) => properties.name === 'Antarctica')!
  const [coast, ...holes] = (antarctica.geometry as MultiPolygon).coordinates.find(([line]) => line!.length > 2000)!
  assert.deepEqual(holes, [])
  assert.equal(coast!.filter(([, latitude]) => latitude === -90).length, 2)
  within('France', [-1, 44, 6, 49])
  within('Macedonia', [20.5, 41, 23, 42.3])
  within('United States of America', [-115, 35, -90, 45])
  assert.ok(at('Russia').properties.size > at('Germany').properties.size)
  assert.ok(at('Germany').properties.size > at('Luxembourg').properties.size)
})
