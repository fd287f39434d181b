import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { seededRandom } from '../../../test/support/random.ts'
import { PlacesReader } from './places-reader.ts'
import type { Place } from './schema.ts'

const SKOPJE = readFileSync(new URL('skopje-fast-food.geojson', import.meta.url))
const ANSWER = readFileSync(new URL('testdata/overpass-answer.json', import.meta.url))
const OSM = {
  licence: 'ODbL 1.0',
  attribution: '© OpenStreetMap contributors',
  attribution_url: 'https://www.openstreetmap.org/copyright',
}

function read(content: string | Uint8Array, pieceBytes = 64 * 1024) {
  const bytes = Buffer.from(content as string)
  const reader = new PlacesReader()
  let places: Place[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    // A reader of files hands over the same memory again and again.
    const piece = Buffer.from(bytes.subarray(at, at + pieceBytes))
    places = places.concat(reader.push(piece))
    piece.fill('#')
  }
  places = places.concat(reader.end())
  return { places, format: reader.format, terms: reader.terms, skipped: reader.skipped }
}

/** @returns the message of the fault, which is about the file */
function faultOf(content: string | Uint8Array): string {
  try {
    read(content)
  } catch (error) {
    const { code, details } = error as { code: string; details: { path: string; message: string }[] }
    assert.deepEqual([code, details[0]!.path], ['validation', 'file'])
    return details[0]!.message
  }
  throw new Error('It was read.')
}

const NOTHING = { address: null, phone: null, website: null, email: null }

test('an export of Overpass as GeoJSON: names as they are, addresses joined, under the ODbL', () => {
  const { places, format, terms, skipped } = read(SKOPJE)
  assert.deepEqual([places.length, format, terms], [51, 'geojson', OSM])
  assert.deepEqual(skipped, { no_name: 0, no_position: 0, broken: 0 })
  assert.deepEqual(places[0], {
    ...{ source_id: 'node/470916907', name: 'Жито Леб', category: 'fast_food', category_text: 'fast_food', ...NOTHING },
    ...{ latitude: 42.0003611, longitude: 21.4268596 },
  })
  assert.deepEqual(places[5], {
    ...{ source_id: 'node/1866179709', name: 'Pizza FRESKO', category: 'fast_food', category_text: 'fast_food' },
    ...{ address: 'Македонија 12, 1000 Скопје', phone: '+389 70 567295', email: null },
    ...{ website: 'http://www.facebook.com/Picerijafresko', latitude: 41.9930256, longitude: 21.4302496 },
  })
})

test('what an Overpass server answers: places without a name are left out', () => {
  const { places, format, terms, skipped } = read(ANSWER)
  assert.deepEqual([places.length, format, terms], [43, 'overpass', OSM])
  assert.deepEqual(skipped, { no_name: 17, no_position: 0, broken: 0 })
  assert.equal(places[5]!.name, 'Pizza FRESKO')
})

test('in whatever pieces a file comes, the same places are read', () => {
  const lines = `${SKOPJE.toString().split('"features": ')[1]!.trim().slice(0, -1)}`
  const features: object[] = JSON.parse(lines)
  const sequence = features.map((feature) => `\u001e${JSON.stringify(feature)}\n`).join('')
  const csv = `name;lat;lon\n${read(SKOPJE)
    .places.map(({ name, latitude, longitude }) => `"${name.replaceAll('"', '""')}";${latitude};${longitude}\n`)
    .join('')}`
  for (const content of [SKOPJE.toString(), ANSWER.toString(), sequence, csv]) {
    const whole = read(content)
    assert.ok(whole.places.length > 40)
    for (const pieceBytes of [1, 7, 100, 4096]) assert.deepEqual(read(content, pieceBytes), whole)
  }
})

test('ways, relations and outlines lie in the middle of what is known of them', () => {
  const tags = { name: 'A', shop: 'yes' }
  const elements = [
    { type: 'way', id: 1, center: { lat: 42, lon: 21 }, tags },
    { type: 'relation', id: 2, bounds: { minlat: 40, minlon: 20, maxlat: 44, maxlon: 22 }, tags },
    { type: 'way', id: 3, nodes: [1, 2], tags },
  ]
  const answer = read(JSON.stringify({ version: 0.6, elements }))
  assert.deepEqual(
    answer.places.map(({ source_id, latitude, longitude }) => [source_id, latitude, longitude]),
    [
      ['way/1', 42, 21],
      ['relation/2', 42, 21],
    ],
  )
  assert.equal(answer.skipped.no_position, 1)
  const shapes = [
    { type: 'Point', coordinates: [21, 42, 300] },
    { type: 'LineString', coordinates: [[20, 41], [22, 43]] }, // biome-ignore format: reads as a shape
    { type: 'Polygon', coordinates: [[[20, 41], [22, 41], [22, 43], [20, 43], [20, 41]]] }, // biome-ignore format: reads as a shape
    { type: 'MultiPolygon', coordinates: [[[[20, 41], [21, 42]]], [[[22, 43], [21, 42]]]] }, // biome-ignore format: reads as a shape
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [20, 41] }, { type: 'Point', coordinates: [22, 43] }] }, // biome-ignore format: reads as a shape
  ]
  for (const geometry of shapes) {
    const [place] = read(JSON.stringify({ type: 'Feature', id: 'a', geometry, properties: { name: 'A' } })).places
    assert.deepEqual([place?.latitude, place?.longitude], [42, 21], geometry.type)
  }
  const nowhere = [null, {}, { type: 'Point', coordinates: [] }, { type: 'Point', coordinates: ['a', 'b'] }, 7]
  // Metres, as a map projection has them, are no degrees.
  for (const geometry of [...nowhere, { type: 'Point', coordinates: [2_337_709, 5_160_979] }]) {
    const { places, skipped } = read(JSON.stringify({ type: 'Feature', geometry, properties: { name: 'A' } }))
    assert.deepEqual([places.length, skipped.no_position], [0, 1], JSON.stringify(geometry))
  }
})

test('what other tools write of OpenStreetMap is known as such', () => {
  const geometry = { type: 'Point', coordinates: [21, 42] }
  const written: [properties: object, id: string][] = [
    [{ '@id': 'way/7', name: 'A', amenity: 'cafe', phone: '1' }, 'way/7'],
    [{ full_id: 'n7', osm_type: 'node', name: 'A', amenity: 'cafe', phone: '1' }, 'node/7'],
    [{ type: 'node', id: 7, tags: { name: 'A', amenity: 'cafe', phone: '1' } }, 'node/7'],
  ]
  for (const [properties, id] of written) {
    const { places, terms } = read(JSON.stringify({ type: 'Feature', geometry, properties }))
    const { source_id, name, category, phone } = places[0]!
    assert.deepEqual([source_id, name, category, phone, terms], [id, 'A', 'cafe', '1', OSM])
  }
  const columns = {
    osm_id: '7',
    name: 'A',
    shop: null,
    other_tags: '"shop"=>"bakery","addr:city"=>"A \\"B\\"","x"=>""',
  }
  const [place] = read(JSON.stringify({ type: 'Feature', geometry, properties: columns })).places
  assert.deepEqual([place?.category, place?.category_text, place?.address], ['shop', 'bakery', 'A "B"'])
})

test('an extract of Overture Maps, one feature a line', () => {
  const feature = {
    type: 'Feature',
    id: '08f39480d9b0a5ab03a9c7a3b4d2f1e0',
    geometry: { type: 'Point', coordinates: [13.4, 52.5] },
    properties: {
      names: { primary: 'Café Kranzler', common: null },
      categories: { primary: 'coffee_shop', alternate: ['cafe'] },
      addresses: [{ freeform: 'Kurfürstendamm 18', locality: 'Berlin', postcode: '10719', country: 'DE' }],
      phones: ['+493088626890', '+49301'],
      websites: ['https://kranzler.example/'],
      emails: null,
      confidence: 0.97,
      sources: [{ dataset: 'meta', license: 'CDLA-Permissive-2.0' }],
    },
  }
  const other = { ...feature, id: 'x', properties: { ...feature.properties, sources: [{ license: 'Apache-2.0' }] } }
  const { places, format, terms } = read(`${JSON.stringify(feature)}\n${JSON.stringify(other)}\n`)
  assert.equal(format, 'geojson lines')
  assert.deepEqual(terms, {
    licence: 'Apache-2.0, CDLA-Permissive-2.0',
    attribution: 'Overture Maps Foundation',
    attribution_url: 'https://docs.overturemaps.org/attribution/',
  })
  assert.deepEqual(places[0], {
    source_id: feature.id,
    name: 'Café Kranzler',
    category: 'cafe',
    category_text: 'coffee_shop',
    address: 'Kurfürstendamm 18, 10719 Berlin',
    phone: '+493088626890',
    website: 'https://kranzler.example/',
    email: null,
    latitude: 52.5,
    longitude: 13.4,
  })
  assert.equal(places.length, 2)
})

test('a list of one’s own, as GeoJSON: its own words for its own columns, its own licence', () => {
  const properties = {
    Name: ' Bäckerei\n Müller ',
    Kategorie: 'Bakery',
    Straße: 'Hauptstr. 1',
    PLZ: 10115,
    Ort: 'Berlin',
  }
  const features = [{ type: 'Feature', geometry: { type: 'Point', coordinates: ['13.4', '52.5'] }, properties }]
  const document = { type: 'FeatureCollection', features, license: 'CC BY 4.0', attribution: 'Stadt Berlin' }
  const { places, terms } = read(JSON.stringify(document))
  const { source_id, ...place } = places[0]!
  assert.deepEqual(place, {
    ...{ ...NOTHING, name: 'Bäckerei Müller', category: 'shop', category_text: 'Bakery' },
    ...{ address: 'Hauptstr. 1, 10115 Berlin', latitude: 52.5, longitude: 13.4 },
  })
  assert.match(source_id, /^[\w-]{22}$/)
  assert.equal(read(JSON.stringify(document, null, 2)).places[0]!.source_id, source_id)
  assert.deepEqual(terms, { licence: 'CC BY 4.0', attribution: 'Stadt Berlin', attribution_url: null })
})

test('CSV in any of its dialects, with a decimal comma, a quoted line break and Windows-1252', () => {
  const comma =
    'Id,Name,Type,Lat,Lon,Address,Phone,URL,Mail\n7,"A ""B""\nC",Restaurant,42.5,21.25,x 1,1,h.example,a@b\n'
  assert.deepEqual(read(comma).places, [
    {
      ...{ source_id: '7', name: 'A "B" C', category: 'restaurant', category_text: 'Restaurant', address: 'x 1' },
      ...{ phone: '1', website: 'h.example', email: 'a@b', latitude: 42.5, longitude: 21.25 },
    },
  ])
  const german = 'Firma;Breitengrad;Längengrad;Straße;Hausnummer;PLZ;Stadt\r\nCafé Süß;52,5;13,4;Allee;3;10115;Köln\r\n'
  for (const bytes of [Buffer.from(german), Buffer.from(german, 'latin1'), Buffer.from(`\ufeff${german}`, 'utf16le')]) {
    const { places, terms } = read(bytes)
    const { name, address, latitude, longitude } = places[0]!
    assert.deepEqual([name, address, latitude, longitude], ['Café Süß', 'Allee 3, 10115 Köln', 52.5, 13.4])
    assert.deepEqual(terms, { licence: null, attribution: null, attribution_url: null })
  }
  const { places, skipped } = read('name,lat,lon\n,1,2\nA,,2\nB,91,2\nC,1,x\n"D,1,2\nE,-1.5,-2.5\n')
  assert.deepEqual(
    places.map(({ name, latitude, longitude }) => [name, latitude, longitude]),
    [['E', -1.5, -2.5]],
  )
  assert.deepEqual(skipped, { no_name: 1, no_position: 3, broken: 1 })
})

test('a file that is broken in the middle is refused with where and why', () => {
  const features = Array.from({ length: 6_000 }, (_, i) => {
    return `{"type":"Feature","id":"node/${i}","geometry":{"type":"Point","coordinates":[21,42]},"properties":{"name":"A"}}`
  })
  const fileWith = (fifth: string) =>
    `{"type":"FeatureCollection",\n"features":[\n${features.with(4_999, fifth).join(',\n')}\n]}\n`
  const good = features[4_999]!
  assert.equal(read(fileWith(good)).places.length, 6_000)
  const where = 'The file is broken at feature 5,000, line 5,002: '
  for (const broken of [good.replace('"A"', 'A'), good.replace(':"node', '"node'), `${good.slice(0, -1)},}`]) {
    assert.ok(faultOf(fileWith(broken)).startsWith(where), faultOf(fileWith(broken)))
  }
  // An open quotation mark lets what is left be one text: no place can be told from it, and the beginning can.
  assert.ok(faultOf(fileWith(good.replace('"A"', '"A'))).startsWith(where))
  assert.equal(faultOf(fileWith(`"x"`)), `${where}it does not begin with {.`)
  assert.equal(
    faultOf(fileWith(`${good}\n${good}`)),
    'The file is broken at feature 5,001, line 5,003: a comma is missing before it.',
  )
  const cut = fileWith(good).slice(0, -100)
  assert.equal(faultOf(cut), 'The file is broken at feature 6,000, line 6,002: the file ends in the middle of it.')
  assert.match(faultOf(`${fileWith(good)} x`), /^The file is broken behind its features, line 6,003: /)
})

test('what is none of these formats is refused in words that say which it is, or what is missing', () => {
  assert.equal(faultOf(''), 'The file is empty.')
  assert.match(faultOf(Buffer.from('504b0304deadbeef', 'hex')), /Excel workbook or another ZIP archive/)
  assert.equal(
    faultOf('name,latitude\nA,1\n'),
    'The file has no column for longitude (called longitude, lon, lng or the like). Its first row is: name, latitude.',
  )
  assert.match(faultOf('{"type":"Topology","arcs":[]}['), /^The file is broken at feature 2, line 1: /)
  assert.match(faultOf(Buffer.concat([Buffer.from('name,lat,lon\n'), Buffer.alloc(100)])), /not a text file/)
  const late = Buffer.concat([Buffer.from(`name,lat,lon\n${'A,1,2\n'.repeat(200_000)}`), Buffer.from([0xe4, 0x0a])])
  assert.match(faultOf(late), /^The file begins as UTF-8, and does not go on so\./)
})

test('hostile content is neither run nor believed', () => {
  const geometry = { type: 'Point', coordinates: [21, 42] }
  const feature = (properties: string) =>
    `{"type":"Feature","geometry":${JSON.stringify(geometry)},"properties":${properties}}`
  const [polluted] = read(
    feature('{"__proto__":{"name":"A"},"constructor":{"name":"B"},"name":"C\\u0000\\ud800\\u0007D"}'),
  ).places
  assert.equal(polluted?.name, 'C \ufffd D')
  assert.equal(({} as { name?: string }).name, undefined)
  const [long] = read(feature(JSON.stringify({ name: '𝒳'.repeat(1000), phone: 'x'.repeat(1000), website: {} }))).places
  assert.deepEqual([[...long!.name].length, long!.phone?.length, long!.website], [200, 500, null])
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const nested = `{"type":"Feature","geometry":{"coordinates":${deep}},"properties":{"name":"A"}}`
  assert.equal(read(nested).skipped.no_position, 1)
  const endless = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"${'A'.repeat(9 * 2 ** 20)}`
  assert.equal(faultOf(endless), 'The file is broken at feature 1, line 1: it does not end.')
})

test('any bytes are read or refused', () => {
  const random = seededRandom(7)
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(SKOPJE.subarray(0, 3_000))
    for (let flips = random.whole(20); flips >= 0; flips--) bytes[random.whole(bytes.length)] = random.whole(256)
    try {
      read(bytes, 1 + random.whole(500))
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'validation', String((error as Error).stack))
    }
  }
})
