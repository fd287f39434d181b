import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type City, countryName, findCities } from './cities.ts'
import { packCities, unpackCities } from './packed-cities.ts'

const city = (name: string, country: string, population: number, latitude = 0, longitude = 0): City => ({
  ...{ name, country, population, latitude, longitude },
})

const CITIES = [
  city('São Paulo', 'BR', 10_000_000),
  city('New York City', 'US', 8_100_000),
  city('Paris', 'FR', 2_100_000),
  city('Zürich', 'CH', 340_000),
  city('San José', 'CR', 335_000),
  city('San José', 'US', 330_000),
  city('York', 'GB', 150_000),
  city('Paulo Afonso', 'BR', 100_000),
  city('Villeparisis', 'FR', 25_000),
]

const found = (text: string, max = 10) => findCities(CITIES, text, max).map(({ name, country }) => `${name} ${country}`)

test('a city is found by how its name or a word of it begins: the beginning first, then the larger first', () => {
  assert.deepEqual(found('york'), ['York GB', 'New York City US'])
  assert.deepEqual(found('paulo'), ['Paulo Afonso BR', 'São Paulo BR'])
  assert.deepEqual(found('san'), ['San José CR', 'San José US'])
  assert.deepEqual(found('par'), ['Paris FR'])
})

test('case, accents and white space around do not count', () => {
  for (const text of ['zurich', 'ZÜRICH', '  Zürich ', 'zürich']) assert.deepEqual(found(text), ['Zürich CH'])
})

test('a country after a comma, as its code or how its name begins', () => {
  assert.deepEqual(found('san jose, us'), ['San José US'])
  assert.deepEqual(found('san jose, costa'), ['San José CR'])
  assert.deepEqual(found('san jose, united k'), [])
  assert.deepEqual(found('san jose,'), ['San José CR', 'San José US'])
})

test('at most so many; nothing for no text and for what there is none of', () => {
  assert.deepEqual(found('san', 1), ['San José CR'])
  for (const text of ['', '  ', ',us', 'xyz']) assert.deepEqual(found(text), [])
})

test('a country has its English name, or its code', () => {
  assert.equal(countryName('MK'), 'North Macedonia')
  assert.equal(countryName('ZX'), 'ZX')
})

test('packed and unpacked, cities are the same to a hundredth of a degree and two digits of people', () => {
  const cities = [
    city('Buenos Aires', 'AR', 13_076_300, -34.613152, -58.377232),
    city('Skopje', 'MK', 474_889, 41.996461, 21.431411),
    city('Suva', 'FJ', 77_366, -18.141599, 178.441671),
    city('Bitola', 'MK', 86_528, 41.031111, 21.340278),
    city('Ushuaia', 'AR', 58_028, -54.801912, -68.302951),
  ]
  assert.deepEqual(unpackCities(JSON.parse(JSON.stringify(packCities(cities)))), [
    city('Buenos Aires', 'AR', 13_000_000, -34.61, -58.38),
    city('Skopje', 'MK', 470_000, 42, 21.43),
    city('Bitola', 'MK', 87_000, 41.03, 21.34),
    city('Suva', 'FJ', 77_000, -18.14, 178.44),
    city('Ushuaia', 'AR', 58_000, -54.8, -68.3),
  ])
})
