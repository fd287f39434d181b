import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { CompiledQuery, sql } from 'kysely'
import { openEngines } from '../../../test/support/databases.ts'
import { seededRandom } from '../../../test/support/random.ts'
import { until } from '../../../test/support/until.ts'
import { setClock } from '../clock.ts'
import type { Database, Reader } from '../database/engine.ts'
import { foldForSearch } from '../text/search-text.ts'
import { isInside } from './box.ts'
import type { Category } from './categories.ts'
import { distanceBetween } from './position.ts'
import type { Box, Place } from './schema.ts'
import { COUNT_MAX, countIn, placesIn, type Wanted } from './search-store.ts'
import { eraseDeadSets, listSets, loadPlaces, removeSet } from './set-actions.ts'
import { placesOfSet } from './set-store.ts'

const MANY = 200_000
const KINDS: [key: string, value: string, category: Category][] = [
  ['amenity', 'cafe', 'cafe'],
  ['shop', 'bakery', 'shop'],
  ['office', 'lawyer', 'office'],
  ['tourism', 'hotel', 'hotel'],
]

interface Generated extends Pick<Place, 'source_id' | 'name' | 'latitude' | 'longitude'> {
  category: Category
  feature: string
}

/** A town of Germany's size; in it, a district that is as full as one of Berlin's. */
function generated(count: number, seed: number): Generated[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, i) => {
    const isInDistrict = i % 50 === 0
    const latitude = rounded(isInDistrict ? 52.5 + random.whole(400) / 1e4 : 47 + random.whole(8e7) / 1e7)
    const longitude = rounded(isInDistrict ? 13.3 + random.whole(600) / 1e4 : 6 + random.whole(9e7) / 1e7)
    const [key, value, category] = random.of(KINDS)
    const name = `${random.of(['Café', 'ŽITO', 'Лист', 'Haus'])} ${random.whole(1000)}`
    const place = { source_id: `node/${i}`, name, latitude, longitude, category }
    const properties = { name, [key]: value }
    const geometry = { type: 'Point', coordinates: [longitude, latitude] }
    return { ...place, feature: JSON.stringify({ type: 'Feature', id: place.source_id, geometry, properties }) }
  })
}

/** As places are kept. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7
}

async function* fileOf(places: readonly { feature: string }[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < places.length; at += 500) {
    yield Buffer.from(
      places
        .slice(at, at + 500)
        .map(({ feature }) => `${feature}\n`)
        .join(''),
    )
  }
}

const opened = await openEngines({ after })
const everything = { south: -90, west: -180, north: 90, east: 180 }
const district: Box = { south: 52.51, west: 13.32, north: 52.53, east: 13.35 }

for (const { name, db, store } of opened) {
  test(`${name}: a search of 200,000 places finds what a model finds, the nearest first, by the index of positions`, async () => {
    const places = generated(MANY, 1)
    const loaded = await loadPlaces(db, { name: 'Germany', bytes: fileOf(places) })
    assert.deepEqual([loaded.set.places, loaded.format, loaded.isReplaced], [MANY, 'geojson lines', false])
    // Another set in the same area, which no search may come upon.
    const other = await loadPlaces(db, { name: 'Other', bytes: fileOf(generated(5_000, 2)) })
    assert.deepEqual([other.set.licence, other.set.attribution], ['ODbL 1.0', '© OpenStreetMap contributors'])

    const random = seededRandom(3)
    const boxes = Array.from({ length: 20 }, () => {
      const [south, west] = [47 + random.whole(700) / 100, 6 + random.whole(800) / 100]
      return { south, west, north: south + 0.5, east: west + 0.7 }
    })
    const wanted: Wanted[] = [
      { box: district },
      { box: district, category: 'cafe' },
      { box: district, text: 'zito 7' },
      { box: district, text: 'ЛИСТ' },
      { box: district, text: "' or 1 = 1 --" },
      { box: district, category: 'hotel', text: 'cafe' },
      ...boxes.map((box) => ({ box })),
      // One place exactly on the corner counts as inside.
      { box: { ...everything, south: places[1]!.latitude, north: places[1]!.latitude + 1e-7 } },
    ]
    let found = 0
    for (const one of wanted) {
      const expected = nearestFirst(places, one)
      const ids = (await placesIn(db.slow, { setNumber: loaded.set.number }, one, 100)).map((place) => place.source_id)
      assert.deepEqual(new Set(ids), new Set(expected.slice(0, 100)), JSON.stringify(one))
      assert.equal(await countIn(db.slow, { setNumber: loaded.set.number }, one), expected.length)
      found += ids.length
    }
    assert.ok(found > 1_000)
    assert.equal(await countIn(db.slow, { setNumber: loaded.set.number }, { box: everything }), COUNT_MAX)

    const search = async (reader: Reader) => {
      await placesIn(reader, { setNumber: loaded.set.number }, { box: district }, 200)
      await countIn(reader, { setNumber: loaded.set.number }, { box: district })
    }
    const inDistrict = nearestFirst(places, { box: district }).length
    await assertByIndex(db, search, inDistrict)
  })

  test(`${name}: a set that is loaded again is replaced in one step, and keeps its id`, async () => {
    const before = await loadPlaces(db, { name: 'Shops', bytes: fileOf(generated(900, 4)) })
    const next = generated(1_200, 5)
    let seen = 0
    const counting = async function* () {
      for await (const piece of fileOf(next)) {
        const [set] = (await listSets(db.read)).filter((one) => one.name === 'Shops')
        assert.deepEqual([set?.id, set?.places], [before.set.id, 900])
        seen++
        yield piece
      }
    }
    const again = await loadPlaces(db, { name: ' Shops ', bytes: counting() })
    assert.ok(seen > 2)
    assert.deepEqual([again.isReplaced, again.set.id, again.set.places], [true, before.set.id, 1_200])
    await eraseAll(db)
    const counts = await countsBySet(db)
    assert.deepEqual([counts[before.set.number], counts[again.set.number]], [undefined, 1_200])
    assert.equal(await indexRows(db), await allPlaces(db))
    const [first] = await placesOfSet(db.read, again.set.number, [next[0]!.source_id, 'node/none'])
    assert.deepEqual(
      [first?.name, first?.latitude, first?.category],
      [next[0]!.name, next[0]!.latitude, next[0]!.category],
    )
    assert.equal((await placesOfSet(db.read, before.set.number, [next[0]!.source_id])).length, 0)
  })

  test(`${name}: a file that is broken at its 5,000th feature, or empty, changes nothing`, async () => {
    const before = await loadPlaces(db, { name: 'Kept', bytes: fileOf(generated(50, 6)) })
    const sets = await listSets(db.read)
    const broken = generated(6_000, 7)
    broken[4_999] = { ...broken[4_999]!, feature: broken[4_999]!.feature.slice(0, -2) }
    await assert.rejects(loadPlaces(db, { name: 'Kept', bytes: fileOf(broken) }), /at feature 5,000, line 5,000:/)
    const nameless = [{ feature: '{"type":"Feature","properties":{},"geometry":null}' }]
    const why = /^ApiError: There is no place in the file: 1 without a name, 0 without a position\.$/
    await assert.rejects(loadPlaces(db, { name: 'Kept', bytes: fileOf(nameless) }), why)
    await assert.rejects(loadPlaces(db, { name: 'Kept', bytes: fileOf([]) }), /The file is empty/)
    for (const wrong of ['', '   ', 'x'.repeat(101), 'a\nb']) {
      await assert.rejects(loadPlaces(db, { name: wrong, bytes: fileOf(broken) }), /1 to 100 characters/)
    }
    assert.deepEqual(await listSets(db.read), sets)
    await eraseAll(db)
    assert.equal((await countsBySet(db))[before.set.number], 50)
    assert.equal(await rowsOfDeadSets(db), 0)
  })

  test(`${name}: what a process left that was killed while loading is swept, and the set of before stays`, async (t) => {
    await loadPlaces(db, { name: 'Town', bytes: fileOf(generated(80, 8)) })
    const child = loadingForever(store)
    t.after(() => child.kill('SIGKILL'))
    const loading = () => loadingSets(db)
    await until('half of it is there', async () => (await loading()).some(({ rows }) => rows > 1_000))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const [left] = await loading()
    assert.equal(await eraseDeadSets(db), 0, 'it may still go on')
    const inTime = setClock(() => Date.now() + 11 * 60_000)
    t.after(inTime)
    await eraseAll(db)
    assert.equal((await countsBySet(db))[left!.number], undefined)
    assert.deepEqual(await loading(), [])
    const town = (await listSets(db.read)).find((set) => set.name === 'Town')
    assert.equal(town?.places, 80)
    assert.equal(await indexRows(db), await allPlaces(db))
  })

  test(`${name}: a loading that was swept meanwhile ends with a fault, and adds nothing more`, async (t) => {
    let wake = () => {}
    const paused = new Promise<void>((resolve) => (wake = resolve))
    const begun = Promise.withResolvers<void>()
    const slow = async function* () {
      yield* fileOf(generated(500, 9))
      begun.resolve()
      await paused
      yield* fileOf(generated(900, 10).slice(500))
    }
    const loading = loadPlaces(db, { name: 'Slow', bytes: slow() })
    await begun.promise
    const inTime = setClock(() => Date.now() + 11 * 60_000)
    await eraseAll(db)
    inTime()
    t.after(inTime)
    wake()
    await assert.rejects(loading, /stood still for too long/)
    assert.equal(
      (await listSets(db.read)).some((set) => set.name === 'Slow'),
      false,
    )
    assert.equal(await rowsOfDeadSets(db), 0)
  })

  test(`${name}: of several loads of one name at once, one set is left, whole`, async () => {
    const loads = [11, 12, 13].map((seed) =>
      loadPlaces(db, { name: 'Race', bytes: fileOf(generated(seed * 100, seed)) }),
    )
    await Promise.all(loads)
    await eraseAll(db)
    const left = (await listSets(db.read)).filter((set) => set.name === 'Race')
    assert.equal(left.length, 1)
    assert.equal((await countsBySet(db))[left[0]!.number], left[0]!.places)
    assert.equal(await rowsOfDeadSets(db), 0)
    await removeSet(db, left[0]!.id)
    await assert.rejects(removeSet(db, left[0]!.id), { code: 'not_found' })
    await eraseAll(db)
    assert.equal((await countsBySet(db))[left[0]!.number], undefined)
  })

  test(`${name}: of two places with one id the first is taken, and what the file says of itself is kept`, async () => {
    const feature = (name: string) =>
      `{"type":"Feature","id":"a","geometry":{"type":"Point","coordinates":[21,42]},"properties":{"name":"${name}"}}`
    const document = `{"type":"FeatureCollection","licence":"CC0","features":[${feature('One')},${feature('Two')}]}`
    const bytes = (text: string) => fileOf([{ feature: text }])
    const own = await loadPlaces(db, { name: 'Twice', bytes: bytes(document), attribution: 'City of Skopje' })
    assert.deepEqual(own.skipped, { no_name: 0, no_position: 0, broken: 0, repeated: 1 })
    const { places, licence, attribution, attribution_url, south, north, west, east } = own.set
    assert.deepEqual([places, licence, attribution, attribution_url], [1, 'CC0', 'City of Skopje', null])
    assert.deepEqual([south, west, north, east], [42, 21, 42, 21])
    assert.equal((await placesOfSet(db.read, own.set.number, ['a']))[0]!.name, 'One')
    const plain = await loadPlaces(db, { name: 'Mine', bytes: bytes('name,lat,lon\nA,1,2') })
    assert.deepEqual([plain.set.licence, plain.set.attribution], [null, 'Mine'])
    // Whatever is said of it: this is OpenStreetMap's.
    const osm = await loadPlaces(db, {
      ...{ name: 'Theirs', bytes: fileOf(generated(1, 14)), licence: 'Mine alone', attribution: 'Me' },
    })
    assert.deepEqual([osm.set.licence, osm.set.attribution], ['ODbL 1.0', '© OpenStreetMap contributors'])
  })
}

function nearestFirst(places: readonly Generated[], { box, category, text = '' }: Wanted): string[] {
  const centre = { latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2 }
  return places
    .filter((place) => isInside(box, place) && (!category || place.category === category))
    .filter((place) => foldForSearch(place.name).includes(foldForSearch(text)))
    .map((place) => ({ id: place.source_id, metres: distanceBetween(centre, place) }))
    .sort((one, other) => one.metres - other.metres)
    .map(({ id }) => id)
}

/** Whether the statements enter the tables by the index of positions, and look at little more than they find. */
async function assertByIndex(db: Database, search: (reader: Reader) => Promise<unknown>, found: number): Promise<void> {
  if (db.engine === 'postgres') await db.write((tx) => sql`analyze place`.execute(tx))
  const statements = await statementsOf(db, search)
  assert.equal(statements.length, 2)
  for (const statement of statements) {
    const explain = db.engine === 'postgres' ? 'explain (analyze, timing off, summary off)' : 'explain query plan'
    const query = CompiledQuery.raw(`${explain} ${statement.sql}`, [...statement.parameters])
    const { rows } = await db.read.executeQuery<Record<string, unknown>>(query)
    const lines = rows.map((row) => String(row['QUERY PLAN'] ?? row.detail))
    const plan = lines.join('\n')
    if (db.engine === 'sqlite') {
      const entered = lines.filter((line) => /^(SCAN|SEARCH) /.test(line) && !line.includes('counted'))
      assert.match(entered[0]!, /^SCAN b VIRTUAL TABLE INDEX 2:/, plan)
      assert.deepEqual(entered.slice(1), ['SEARCH p USING INTEGER PRIMARY KEY (rowid=?)'], plan)
    } else {
      assert.match(plan, /place_position/, plan)
      assert.doesNotMatch(plan, /Seq Scan/, plan)
      const looked = [...plan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)].map(([, n]) => Number(n))
      assert.ok(
        looked.every((removed) => removed < found / 10),
        plan,
      )
    }
  }
}

async function statementsOf(db: Database, search: (reader: Reader) => Promise<unknown>): Promise<CompiledQuery[]> {
  const statements: CompiledQuery[] = []
  const watched = db.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  })
  const executor = watched.getExecutor()
  const compileQuery = executor.compileQuery.bind(executor)
  executor.compileQuery = (node, queryId) => {
    const query = compileQuery(node, queryId)
    statements.push(query)
    return query
  }
  await search(watched)
  return statements
}

async function eraseAll(db: Database): Promise<void> {
  while ((await eraseDeadSets(db)) > 0);
}

async function countsBySet(db: Database): Promise<Record<number, number | undefined>> {
  const rows = await db.read
    .selectFrom('place')
    .select(({ fn }) => ['set_number', fn.countAll<number>().as('n')])
    .groupBy('set_number')
    .execute()
  return Object.fromEntries(rows.map(({ set_number, n }) => [set_number, n]))
}

async function allPlaces(db: Database): Promise<number> {
  return Object.values(await countsBySet(db)).reduce<number>((sum, n) => sum + n!, 0)
}

/** On SQLite the index of positions is a table of its own. */
async function indexRows(db: Database): Promise<number> {
  if (db.engine === 'postgres') return allPlaces(db)
  const { n } = await db.read
    .selectFrom('place_box')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

async function loadingSets(db: Database): Promise<{ number: number; rows: number }[]> {
  const counts = await countsBySet(db)
  const sets = await db.read.selectFrom('place_set').select('number').where('state', '=', 'loading').execute()
  return sets.map(({ number }) => ({ number, rows: counts[number] ?? 0 }))
}

/** Places whose set is not one to search. */
async function rowsOfDeadSets(db: Database): Promise<number> {
  const live = new Set((await listSets(db.read)).map(({ number }) => number))
  const counts = await countsBySet(db)
  return Object.entries(counts).reduce((sum, [number, n]) => sum + (live.has(Number(number)) ? 0 : n!), 0)
}

/** A process that loads places without end into the set "Town". */
function loadingForever(place: (typeof opened)[number]['store']) {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url))
  const text = `
    import { openDatabase } from ${url('../database/open.ts')}
    import { loadPlaces } from ${url('./set-actions.ts')}
    async function* bytes() {
      for (let i = 0; ; i++) yield Buffer.from(
        JSON.stringify({ type: 'Feature', id: i, geometry: { type: 'Point', coordinates: [21, 42] }, properties: { name: 'A' } }) + '\\n')
    }
    const db = await openDatabase(JSON.parse(process.argv[1]), 'command')
    await loadPlaces(db, { name: 'Town', bytes: bytes() })`
  return spawn(process.execPath, ['--input-type=module', '--eval', text, JSON.stringify(place)], { stdio: 'ignore' })
}
