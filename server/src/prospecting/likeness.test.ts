import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContactInput } from '../contacts/schema.ts'
import { contactOfPlace } from './contact-of-place.ts'
import { isSamePhone, phoneEnd, phonesOf } from './phone.ts'
import { originOf } from './place-origin.ts'
import { bandOf, distanceBetween, nearTo, stripsAround } from './position.ts'
import type { Place } from './schema.ts'
import { isSimilar, similarity, trigramsOf } from './similar-name.ts'
import { websiteKey } from './website.ts'

test('two writings of a telephone number are one number; two numbers are not', () => {
  const same: [string, string][] = [
    ['+389 70 567295', '+38970567295'],
    ['+389 2 312-34-56', '02 3123 456'],
    ['00389 2 3123456', '(02) 3123456'],
    ['+44 (0)20 7946 0000', '020 7946 0000'],
    ['+1 415 555 0100', '(415) 555-0100'],
    ['+34 912 345 678', '912345678'],
    ['+39 06 6982 0000', '06 6982 0000'],
    ['+354 551 2345', '+3545512345'],
    ['551 2345', '551-2345'],
    ['tel:+49-30-123456', '+49 30 123456'],
  ]
  for (const [one, other] of same) assert.ok(areSame(one, other), `${one} and ${other}`)
  const different: [string, string][] = [
    ['+389 70 567295', '+389 70 567296'],
    ['+389 70 567295', '+381 70 567295'],
    ['+354 551 2345', '551 2345'],
    ['+49 30 123456', '+49 40 123456'],
    ['020 7946 0000', '7946 0000'],
  ]
  for (const [one, other] of different) assert.ok(!areSame(one, other), `${one} and ${other}`)
})

function areSame(one: string, other: string): boolean {
  const [a, b] = [phonesOf(one)[0]!, phonesOf(other)[0]!]
  const answers = [isSamePhone(a, b), isSamePhone(b, a)]
  assert.equal(answers[0], answers[1])
  // What the index finds by is the same wherever the number is.
  if (answers[0]) assert.equal(phoneEnd(a), phoneEnd(b))
  return answers[0]!
}

test('a text holds several numbers, or none that can be compared', () => {
  assert.deepEqual(
    phonesOf('+389 70 567295; 02 3123 456').map(({ digits }) => digits),
    ['38970567295', '23123456'],
  )
  for (const none of ['112', '', 'ask for Ada', '020 7946 0000 ext 5', null]) assert.deepEqual(phonesOf(none), [])
})

test('a website is its host and path, without what differs from link to link', () => {
  const same = [
    'https://www.example.com/',
    'http://example.com',
    'Example.com',
    'https://m.example.com/?utm_source=x#top',
  ]
  for (const text of same) assert.equal(websiteKey(text), 'example.com', text)
  assert.equal(websiteKey('http://www.facebook.com/Picerijafresko'), 'facebook.com/picerijafresko')
  assert.notEqual(websiteKey('https://facebook.com/a'), websiteKey('https://facebook.com/b'))
  for (const none of ['', 'none', 'javascript:alert(1)', 'http://', null]) assert.equal(websiteKey(none), undefined)
})

test('names are alike whatever their case, accents and small words are', () => {
  const like = (one: string, other: string) => similarity(trigramsOf(one), trigramsOf(other))
  const areAlike = (one: string, other: string) => isSimilar(trigramsOf(one), trigramsOf(other))
  for (const [one, other] of [
    ['Café Amélie', 'CAFE AMELIE'],
    ['Burger King', 'Burger King Skopje'],
    ['Лесковачка Вили', 'Лесковачка  вили'],
    ['Pizza Pempele', 'Pizzeria Pempele'],
  ] as const) {
    assert.ok(areAlike(one, other), `${one} and ${other}: ${like(one, other)}`)
  }
  for (const [one, other] of [
    ['Burger King', 'Burger Friends'],
    ['Жито Леб', 'Лесковачка Вили'],
    ['Fast food 7', 'four seasons'],
    ['—', '…'],
  ] as const) {
    assert.ok(!areAlike(one, other), `${one} and ${other}: ${like(one, other)}`)
  }
  assert.equal(like('Burger King', 'burger king'), 1)
})

test('the strips around a place hold all that is near it, on every latitude', () => {
  for (let i = 0; i < 20_000; i++) {
    const place = { latitude: -88 + (i * 176) / 20_000, longitude: ((i * 7919) % 3590) / 10 - 179.5 }
    const angle = i
    const reach = 149 / 111_195
    const near = {
      latitude: place.latitude + reach * Math.sin(angle),
      longitude:
        place.longitude + (reach * Math.cos(angle)) / Math.cos(((place.latitude + 0.001) * Math.PI) / 180) / 1.01,
    }
    if (distanceBetween(place, near) > 150) continue
    const isIn = stripsAround([place], 150).some(
      ({ band, west, east }) => band === bandOf(near.latitude) && near.longitude >= west && near.longitude <= east,
    )
    assert.ok(isIn, JSON.stringify({ place, near }))
  }
})

test('the strips around several places hold what is near any of them once', () => {
  const [place, next] = [
    { latitude: 42.0005, longitude: 21 },
    { latitude: 42.0006, longitude: 21.003 },
  ]
  const strips = stripsAround([place, next, { latitude: 42.0005, longitude: 21.5 }], 150)
  const inBand = strips.filter(({ band }) => band === bandOf(42.0005))
  assert.equal(inBand.length, 2)
  assert.ok(inBand[0]!.west < 21 && inBand[0]!.east > 21.003)
  assert.deepEqual(nearTo([place, next], 150)({ latitude: 42.001, longitude: 21 }), [place])
  assert.deepEqual(nearTo([place, next], 150)({ latitude: 42.0005, longitude: 21.0015 }), [place, next])
})

test('the distance between two places is that on the ground, over the date line too', () => {
  const berlin = { latitude: 52.52, longitude: 13.405 }
  assert.ok(Math.abs(distanceBetween(berlin, { latitude: 52.521, longitude: 13.405 }) - 111) < 1)
  assert.ok(Math.abs(distanceBetween(berlin, { latitude: 52.52, longitude: 13.406 }) - 67.7) < 1)
  const fiji = distanceBetween({ latitude: 0, longitude: 179.9995 }, { latitude: 0, longitude: -179.9995 })
  assert.ok(Math.abs(fiji - 111) < 1)
})

test("ids of OpenStreetMap and Overture are the same place in every source; others are a source's own", () => {
  const [file, other] = [{ id: 'file:1' }, { id: 'overpass' }]
  for (const id of ['node/1', 'way/22', 'relation/333', '08f194db-1234-4a5b-8c9d-0123456789ab']) {
    assert.equal(originOf(file, id), originOf(other, id), id)
  }
  assert.notEqual(originOf(file, '17'), originOf(other, '17'))
})

const PLACE: Place = {
  source_id: 'node/1',
  name: 'Burger King',
  category: 'fast_food',
  category_text: 'fast_food',
  address: 'Makedonija 1, Skopje',
  phone: '+389 70 567295',
  website: 'https://example.com',
  email: 'info@example.com',
  latitude: 42,
  longitude: 21,
}

test('a place becomes a contact: what is too long is cut between characters, what is refused is left out', () => {
  const of = (place: Partial<Place>, common: ContactInput = {}) => contactOfPlace({ ...PLACE, ...place }, common)
  assert.deepEqual(of({}, { label: 'hot', tags: ['map'] }), {
    company: 'Burger King',
    location: 'Makedonija 1, Skopje',
    phone: '+389 70 567295',
    email: 'info@example.com',
    label: 'hot',
    tags: ['map'],
  })
  assert.equal(of({ name: '🍔'.repeat(201) })?.company, '🍔'.repeat(200))
  assert.equal(of({ phone: `+389 70 567295;${'+389 70 567296;'.repeat(4)}` })?.phone, '+389 70 567295')
  assert.equal(of({ email: 'a@example.com; b@example.com' })?.email, 'a@example.com')
  assert.deepEqual(of({ email: 'none', phone: '1'.repeat(60), address: null }), { company: 'Burger King' })
  assert.equal(of({ name: 'a\u0000b' }), undefined)
})
