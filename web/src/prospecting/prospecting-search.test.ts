import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prospectingSearch, searchedBox, viewIn, viewSearch } from './prospecting-search.ts'

test('an address is read back as it was written', () => {
  const search = {
    source: 'overpass',
    category: 'cafe',
    text: 'Коффе',
    lat: 42,
    lon: 21.43,
    zoom: 13.5,
    box: '41.95,21.35,42.05,21.55',
    contacts: true,
  } as const
  assert.deepEqual(prospectingSearch({ ...search }), search)
  assert.deepEqual(viewIn(search), { latitude: 42, longitude: 21.43, zoom: 13.5 })
  assert.deepEqual(searchedBox(search), { south: 41.95, west: 21.35, north: 42.05, east: 21.55 })
})

test('what makes no sense in an address is left out', () => {
  assert.deepEqual(
    prospectingSearch({
      source: {},
      category: 'castle',
      text: '  ',
      lat: 95,
      lon: 'x',
      zoom: 3,
      box: '1,2',
      contacts: 1,
    }),
    {},
  )
  assert.deepEqual(prospectingSearch({ lat: 42, lon: 21 }), {}, 'a view needs its zoom')
  assert.equal(prospectingSearch({ category: 'toString' }).category, undefined)
})

test('a number that is looked for is a text', () => {
  assert.equal(prospectingSearch({ text: 7 }).text, '7')
})

test('a view is rounded to what can be seen', () => {
  assert.deepEqual(viewSearch({ latitude: 42.000361123, longitude: 21.42685960001, zoom: 13.4567 }), {
    lat: 42.00036,
    lon: 21.42686,
    zoom: 13.46,
  })
})
