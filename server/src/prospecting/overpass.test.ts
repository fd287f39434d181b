import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { openEngines } from '../../../test/support/databases.ts'
import { type OverpassServer, startOverpass, status } from '../../../test/support/overpass.ts'
import { until } from '../../../test/support/until.ts'
import { setClock } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { createLog } from '../log.ts'
import { VERSION } from '../version.ts'
import { placesOf, searchPlaces } from './actions.ts'
import { createOverpass, eraseOldAnswers } from './overpass.ts'
import { askedBox, overpassQuery } from './overpass-query.ts'
import type { PlaceQuery } from './schema.ts'

const BOX = { south: 41.99, west: 21.42, north: 42.0, east: 21.44 }
const HOUR_MS = 3_600_000

const opened = await openEngines({ after })
const viewer = { orgId: '00000000-0000-7000-8000-000000000000', sessionId: '00000000-0000-7000-8000-000000000001' }

for (const { name, db } of opened) {
  test(`${name}: a server is asked once, in its language, with who asks; the answer is kept for a day`, async (t) => {
    const { overpass, server } = await started(t, db)
    const answer = await overpass.find(BOX, { category: 'fast_food' })
    assert.deepEqual([answer.places.length, answer.isCut], [43, false])
    assert.equal(answer.places[0]!.name, 'Жито Леб')
    const [question] = server.questions
    assert.equal(
      question!.query,
      '[out:json][timeout:20][maxsize:16777216];' +
        'nwr["amenity"="fast_food"]["name"](41.99,21.42,42.00,21.44);out center tags 200;',
    )
    assert.equal(question!.headers['user-agent'], `Kith/${VERSION} (ops@example.com)`)
    assert.equal(question!.headers['content-type'], 'application/x-www-form-urlencoded')

    const again = await overpass.find(BOX, { category: 'fast_food' })
    assert.deepEqual(new Set(again.places.map((place) => place.source_id)).size, 43)
    assert.equal(server.questions.length, 1)
    const later = setClock(() => Date.now() + 23 * HOUR_MS)
    t.after(later)
    await overpass.find(BOX, { category: 'fast_food' })
    assert.equal(server.questions.length, 1)
    await overpass.find(BOX, { category: 'cafe' })
    await overpass.find({ ...BOX, north: 42.01 }, { category: 'fast_food' })
    assert.equal(server.questions.length, 3, 'another category and another area are other questions')
    setClock(() => Date.now() + 25 * HOUR_MS)
    await overpass.find(BOX, { category: 'fast_food' })
    assert.equal(server.questions.length, 4)
    await eraseAll(db)
  })

  test(`${name}: places that were found can be added for a day longer than their answer is given`, async (t) => {
    const { overpass } = await started(t, db)
    await overpass.find(BOX, { text: 'a' })
    const back = setClock(() => Date.now() + 25 * HOUR_MS)
    t.after(back)
    await eraseAll(db)
    const found = await placesOf(db, viewer, 'overpass', ['node/470916907', 'node/1'])
    assert.deepEqual(
      found.places.map(({ source_id, name }) => [source_id, name]),
      [['node/470916907', 'Жито Леб']],
    )
    setClock(() => Date.now() + 49 * HOUR_MS)
    await eraseAll(db)
    assert.deepEqual((await placesOf(db, viewer, 'overpass', ['node/470916907'])).places, [])
    assert.deepEqual(await db.read.selectFrom('overpass_answer').selectAll().execute(), [])
  })

  test(`${name}: whoever looks a little aside is answered from what is kept, and sees only their own area`, async (t) => {
    const { overpass, server } = await started(t, db)
    const search = (box: Partial<PlaceQuery>) =>
      searchPlaces({ db, overpass }, viewer, {
        ...{ source: 'overpass', category: 'fast_food', limit: 200 },
        ...{ south: 41.9912, west: 21.4203, north: 41.9987, east: 21.4391 },
        ...box,
      })
    const one = await search({})
    const aside = await search({ south: 41.9921, east: 21.4399 })
    assert.equal(server.questions.length, 1)
    assert.ok(one.data.length > 3 && aside.data.length > 0 && aside.data.length < 43)
    for (const { latitude } of aside.data) assert.ok(latitude >= 41.9921 && latitude <= 41.9987)
    const metres = one.data.map(({ distance_m }) => distance_m)
    assert.deepEqual(
      metres,
      metres.toSorted((a, b) => a - b),
    )
    assert.deepEqual([one.meta.count, one.meta.is_cut], [one.data.length, false])
    assert.equal((await search({ limit: 1 })).meta.is_cut, true)
    assert.equal(one.source.attribution, '© OpenStreetMap contributors')

    const tooLarge = { code: 'validation', message: 'Zoom in to search: this area is too large.' }
    await assert.rejects(search({ north: 43, east: 21.6 }), tooLarge)
    await assert.rejects(search({ north: 41 }), { code: 'validation' })
    await assert.rejects(search({ category: undefined }), { message: 'Choose a category, or type a part of a name.' })
    await assert.rejects(
      searchPlaces({ db, overpass: undefined }, viewer, { ...BOX, source: 'overpass', text: 'a', limit: 9 }),
      {
        code: 'not_found',
      },
    )
    assert.equal(server.questions.length, 1)
  })
}

const { db } = opened[0]!

const AWAY = /^The places server did not answer\. Try again in \d+ s, or add a places file\.$/

for (const [what, reply] of Object.entries<Parameters<OverpassServer['next']>[0]>({
  'a page instead of an answer': (response) => void response.end('<html><body>Welcome</body></html>'),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': '5000' })
    response.write('{"elements":[{"type":"node","id":1')
    setImmediate(() => response.destroy())
  },
  'half an answer without a length': (response) => void response.end('{"elements":[{"type":"node","id":1}'),
  'an empty one': (response) => void response.end(),
  'one that ran out of time': (response) =>
    void response.end(
      '{"elements":[],"remark":"runtime error: Query timed out in \\"query\\" at line 1 after 21 seconds."}',
    ),
  'another kind of JSON': (response) => void response.end('{"error":"no"}'),
  'an endless one': (response) => {
    const more = () => {
      while (!response.destroyed && response.write(`${' '.repeat(64 * 1024)}`));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  },
  'a redirect': status(302, { location: 'http://127.0.0.1:1/' }),
  'a refusal': status(400),
  'an error': status(500),
})) {
  test(`${what}: the caller is told to try again, nothing is kept, and the next question is asked`, async (t) => {
    const { overpass, server } = await started(t, db)
    server.next(reply)
    await assert.rejects(overpass.find(BOX, { text: what }), (error: Error & { code: string; headers: object }) => {
      assert.deepEqual([error.code, error.headers], ['unavailable', { 'retry-after': '30' }])
      assert.match(error.message, AWAY)
      return true
    })
    assert.equal((await overpass.find(BOX, { text: what })).places.length, 43)
    assert.equal(server.questions.length, 2)
  })
}

for (const [what, reply, seconds] of [
  ['429', status(429), 30],
  ['429 with the time it wants', status(429, { 'retry-after': '7' }), 7],
  ['429 with a time beyond reason', status(429, { 'retry-after': '999999' }), 3600],
  ['429 with a date', status(429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), 30],
  ['504', status(504), 30],
] as const) {
  test(`${what}: the server is left alone for ${seconds} s, and the callers are told so`, async (t) => {
    const { overpass, server } = await started(t, db)
    await overpass.find(BOX, { text: 'kept' })
    server.next(reply)
    const told = (max: number) => (error: Error & { code: string; headers: Record<string, string> }) => {
      const told = Number(error.headers['retry-after'])
      assert.ok(error.code === 'unavailable' && told <= max && told > max - 20, `${told}`)
      return AWAY.test(error.message) && error.message.includes(` ${told} s,`)
    }
    await assert.rejects(overpass.find(BOX, { text: what }), told(seconds))
    await assert.rejects(overpass.find(BOX, { text: 'b' }), told(seconds))
    assert.equal((await overpass.find(BOX, { text: 'kept' })).places.length, 43)
    assert.equal(server.questions.length, 2)
  })
}

test('after a rest that the server asked for it is asked again', async (t) => {
  const { overpass, server } = await started(t, db)
  server.next(status(429, { 'retry-after': '1' }))
  await assert.rejects(overpass.find(BOX, { text: 'soon' }), { code: 'unavailable' })
  const found = () => overpass.find(BOX, { text: 'soon' }).catch(() => undefined)
  assert.equal((await until('it is asked again', found)).places.length, 43)
  assert.equal(server.questions.length, 2)
})

test('a server that never ends its answer, or never takes the connection, is given up at the deadline', async (t) => {
  const { overpass, server } = await started(t, db, { deadlineMs: 300 })
  server.next((response) => void response.writeHead(200).write('{"elements":['))
  await assert.rejects(overpass.find(BOX, { text: 'slow' }), { code: 'unavailable' })
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as { port: number }
  const other = await started(t, db, { deadlineMs: 300, url: `https://127.0.0.1:${port}/` })
  await assert.rejects(other.overpass.find(BOX, { text: 'slow' }), { code: 'unavailable' })
})

test('one question at a time; the same one is asked once; more than a few are not let wait', async (t) => {
  const { overpass, server } = await started(t, db)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  server.next(async (response) => {
    await held
    response.end('{"elements":[]}')
  })
  const first = overpass.find(BOX, { text: 'one' })
  await until('the first is asked', () => server.questions.length === 1)
  const same = overpass.find(BOX, { text: 'one' })
  const others = ['two', 'three', 'four'].map((text) => overpass.find(BOX, { text }))
  await until('all wait', async () => {
    const outcome = await Promise.race([overpass.find(BOX, { text: 'five' }).catch(() => 'refused'), sleepTurns()])
    return outcome === 'refused'
  })
  release()
  assert.deepEqual((await first).places, [])
  assert.deepEqual((await same).places, [])
  for (const other of others) assert.equal((await other).places.length, 43)
  assert.equal(server.atOnceMax, 1)
  assert.equal(server.questions.filter(({ query }) => query.includes('"one"')).length, 1)
})

test('what is asked when the server is stopped is given up', async (t) => {
  const { overpass, server } = await started(t, db)
  server.next(() => {})
  const asked = assert.rejects(overpass.find(BOX, { text: 'never' }), { code: 'unavailable' })
  await until('it is asked', () => server.questions.length === 1)
  await overpass.close()
  await asked
})

test('the question for each category, for a text, and for both', () => {
  const box = askedBox({ south: 41.991, west: -0.004, north: 41.999, east: 0.001 })
  assert.deepEqual(box, { south: 41.99, west: -0.01, north: 42, east: 0.01 })
  const asked = (wanted: Parameters<typeof overpassQuery>[1]) =>
    overpassQuery(box, wanted)
      .replace('[out:json][timeout:20][maxsize:16777216];', '')
      .replace('out center tags 200;', '')
  const area = '(41.99,-0.01,42.00,0.01);'
  assert.equal(asked({ category: 'cafe' }), `nwr["amenity"="cafe"]["name"]${area}`)
  assert.equal(asked({ category: 'shop' }), `nwr["shop"]["name"]${area}`)
  const health = `nwr["amenity"~"^(doctors|dentist|clinic|hospital|pharmacy|veterinary)$"]["name"]${area}`
  assert.equal(asked({ category: 'health' }), `(${health}nwr["healthcare"]["name"]${area});`)
  assert.equal(asked({ text: 'Лист 7' }), `nwr["name"~"Лист 7",i]${area}`)
  assert.equal(asked({ category: 'shop', text: 'a' }), `nwr["shop"]["name"~"a",i]${area}`)
})

test('no text is more than a text: whatever it holds, the question stays one', () => {
  const texts: [text: string, written: string][] = [
    ['a"](0,0,1,1);node', 'a\\"\\\\]\\\\(0,0,1,1\\\\);node'],
    ['\\', '\\\\\\\\'],
    ['\\"', '\\\\\\\\\\"'],
    ['.*', '\\\\.\\\\*'],
    ['a|b+c?', 'a\\\\|b\\\\+c\\\\?'],
    ['[^x]{2}$', '\\\\[\\\\^x\\\\]\\\\{2\\\\}\\\\$'],
    ['a\nb', 'a b'],
  ]
  for (const [text, written] of texts) {
    assert.ok(overpassQuery(BOX, { text }).includes(`["name"~"${written}",i](`), overpassQuery(BOX, { text }))
  }
})

test('an address that cannot be asked is refused at the start', () => {
  const made = (url: string) => () => createOverpass({ db, log: createLog('silent'), url, contact: 'a@example.com' })
  assert.throws(made('http://127.0.0.1:22/'), /KITH_PLACES_OVERPASS cannot be used: The port/)
  assert.doesNotThrow(made('http://localhost:8080/api/interpreter'))
})

async function started(t: TestContext, db: Database, options: { deadlineMs?: number; url?: string } = {}) {
  const server = await startOverpass()
  const log = createLog('silent')
  const overpass = createOverpass({ db, log, url: server.url, contact: 'ops@example.com', ...options })
  t.after(async () => {
    await overpass.close()
    await server.close()
  })
  return { overpass, server }
}

async function sleepTurns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
}

async function eraseAll(db: Database): Promise<void> {
  while ((await eraseOldAnswers(db)) > 0);
}
