import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setClock } from '../server/src/clock.ts'
import { loadPlaces } from '../server/src/prospecting/set-actions.ts'
import { eraseEndedUploads } from '../server/src/prospecting/upload-actions.ts'
import type { Answer } from './support/http-client.ts'
import { withKith } from './support/kith.ts'
import { startOverpass, status } from './support/overpass.ts'
import type { Ui } from './support/ui.ts'

const SKOPJE = readFileSync(new URL('../server/src/prospecting/skopje-fast-food.geojson', import.meta.url))
const AREA = 'south=41.98&west=21.40&north=42.01&east=21.46'
const CSV = 'name,latitude,longitude\nOurs,42,21.43\nFar,10,10\n'

const overpass = await startOverpass()
after(() => overpass.close())

withKith(
  (kith) => {
    test('the operator’s places are found by area, category and text, for every org, with their licence', async () => {
      await loadPlaces(kith.db, { name: 'Skopje', bytes: piecesOf(SKOPJE) })
      for (const ui of [await kith.ui(await kith.org()), await kith.ui(await kith.org())]) {
        const { data: sources } = ok(await ui.get('/places/sources'))
        assert.deepEqual(
          sources.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`),
          ['file Skopje', 'overpass OpenStreetMap'],
        )
        const [source] = sources
        const { id, box, ...rest } = source
        assert.deepEqual(rest, {
          ...{ kind: 'file', name: 'Skopje', licence: 'ODbL 1.0', attribution: '© OpenStreetMap contributors' },
          ...{ attribution_url: 'https://www.openstreetmap.org/copyright', places: 51 },
        })
        assert.ok(box.south > 41.9 && box.north < 42.1 && box.west > 21.3 && box.east < 21.6)
        const all = ok(await ui.get(`/places?source=${id}&${AREA}`))
        assert.deepEqual(all.source, source)
        assert.ok(all.meta.count > 20 && all.data.length === all.meta.count && !all.meta.is_cut)
        const metres = all.data.map(({ distance_m }: { distance_m: number }) => distance_m)
        assert.deepEqual(
          metres,
          metres.toSorted((a: number, b: number) => a - b),
        )
        const some = ok(await ui.get(`/places?source=${id}&${AREA}&limit=5`))
        assert.deepEqual([some.data, some.meta], [all.data.slice(0, 5), { count: all.meta.count, is_cut: true }])
        const pizza = ok(await ui.get(`/places?source=${id}&${AREA}&text=PIZZA%20f`))
        assert.deepEqual(pizza.data, [
          {
            ...{
              source_id: 'node/1866179709',
              name: 'Pizza FRESKO',
              category: 'fast_food',
              category_text: 'fast_food',
            },
            ...{ address: 'Македонија 12, 1000 Скопје', phone: '+389 70 567295', email: null, contact: null },
            ...{ website: 'http://www.facebook.com/Picerijafresko', latitude: 41.9930256, longitude: 21.4302496 },
            distance_m: pizza.data[0].distance_m,
          },
        ])
        assert.deepEqual(ok(await ui.get(`/places?source=${id}&${AREA}&category=hotel`)).data, [])
      }
    })

    test('an area that is too large, turned around or half is a 422 that says so; an unknown source is a 404', async () => {
      const { set } = await loadPlaces(kith.db, { name: 'Skopje', bytes: piecesOf(SKOPJE) })
      const ui = await kith.ui(await kith.org())
      const source = `source=file:${set.id}`
      const wrong: [query: string, path: string, code: string][] = [
        [`${source}&south=40&west=20&north=42&east=22`, 'box', 'out_of_range'],
        [`source=overpass&text=a&south=41&west=21&north=41.5&east=21.5`, 'box', 'out_of_range'],
        [`${source}&south=42&west=21&north=41.9&east=21.1`, 'north', 'out_of_range'],
        [`${source}&south=41&west=179.9&north=41.1&east=-179.9`, 'east', 'out_of_range'],
        [`${source}&west=21&north=41&east=22`, 'south', 'required'],
        [`${source}&${AREA}&category=bank`, 'category', 'not_allowed'],
        [`${source}&${AREA}&limit=501`, 'limit', 'out_of_range'],
        [`source=overpass&${AREA}`, 'category', 'required'],
        [AREA, 'source', 'required'],
      ]
      for (const [query, path, code] of wrong) {
        const { status, body } = await ui.get(`/places?${query}`)
        assert.deepEqual([status, body.details?.[0]?.path, body.details?.[0]?.code], [422, path, code], query)
      }
      const large = await ui.get(`/places?${source}&south=40&west=20&north=42&east=22`)
      assert.equal(large.body.message, 'Zoom in to search: this area is too large.')
      for (const id of ['file:none', `file:${crypto.randomUUID()}`, `upload:${set.id}`, 'google']) {
        const { status, body } = await ui.get(`/places?source=${id}&${AREA}`)
        assert.deepEqual([status, body.error], [404, 'not_found'], id)
      }
    })

    test('places are asked of the Overpass server; when it is away the answer says when to try again', async () => {
      const ui = await kith.ui(await kith.org())
      const asked = overpass.questions.length
      const area = `source=overpass&category=fast_food&${AREA}`
      const first = ok(await ui.get(`/places?${area}`))
      assert.ok(first.data.length > 10)
      assert.deepEqual(ok(await ui.get(`/places?${area}`)), first)
      assert.ok(overpass.questions.length <= asked + 1)
      overpass.next(status(429, { 'retry-after': '2' }))
      const { status: code, body, headers } = await ui.get(`/places?source=overpass&text=busy${kith.engine}&${AREA}`)
      assert.deepEqual([code, body.error, headers['retry-after']], [503, 'unavailable', '2'])
      assert.equal(body.message, 'The places server did not answer. Try again in 2 s, or add a places file.')
    })

    test('an uploaded file is its session’s alone: not another session’s, colleague’s or org’s', async () => {
      const org = await kith.org()
      const [ui, colleague, stranger] = [
        await kith.ui(org),
        await kith.ui(org, 'admin'),
        await kith.ui(await kith.org()),
      ]
      const made = await upload(ui, CSV)
      assert.equal(made.status, 201, made.text)
      const { id, ...source } = made.body
      assert.deepEqual(source, {
        ...{ kind: 'upload', name: 'mine.csv', licence: null, attribution: 'mine.csv', attribution_url: null },
        ...{ places: 2, box: { south: 10, west: 10, north: 42, east: 21.43 } },
      })
      assert.deepEqual(await uploadsSeenBy(ui), [id])
      const found = ok(await ui.get(`/places?source=${id}&${AREA}`))
      assert.deepEqual([found.data.length, found.data[0].name, found.meta.count], [1, 'Ours', 1])
      const unknown = await ui.get(`/places?source=upload:${crypto.randomUUID()}&${AREA}`)
      for (const other of [colleague, stranger]) {
        assert.deepEqual(await uploadsSeenBy(other), [])
        const answers = [await other.get(`/places?source=${id}&${AREA}`), await other.delete(`/places/upload/${id}`)]
        assert.equal(
          answers[0]!.text.replace(/"request_id":"[^"]*"/, ''),
          unknown.text.replace(/"request_id":"[^"]*"/, ''),
        )
        assert.deepEqual([answers[1]!.status, answers[1]!.body.error], [404, 'not_found'])
        assert.equal((await other.post('/places/add', { source: id, source_ids: ['x'] })).status, 404)
      }
      assert.equal((await ui.delete(`/places/upload/${id}`)).status, 200)
      assert.deepEqual(await uploadsSeenBy(ui), [])
      assert.equal(await uploadedRows(), 0)
    })

    test('an uploaded file is gone when the session has ended, and after a day', async (t) => {
      const org = await kith.org()
      const [leaving, staying] = [await kith.ui(org), await kith.ui(org)]
      for (const ui of [leaving, staying]) assert.equal((await upload(ui, CSV)).status, 201)
      await leaving.post('/sign-out')
      while ((await eraseEndedUploads(kith.db)) > 0);
      assert.equal(await uploadedRows(), 2)
      const back = setClock(() => Date.now() + 24 * 3_600_000 + 1)
      t.after(back)
      while ((await eraseEndedUploads(kith.db)) > 0);
      assert.equal(await uploadedRows(), 0)
      assert.deepEqual(await uploadsSeenBy(staying), [])
    })

    test('a file without places, one too many, or one too large is refused, and nothing of it is kept', async () => {
      const ui = await kith.ui(await kith.org())
      for (const wrong of [
        '',
        'name\nA\n',
        '{"type":"FeatureCollection","features":[',
        '{"features":[]}',
        'a'.repeat(3e6),
      ]) {
        const { status, body } = await upload(ui, wrong)
        assert.deepEqual([status, body.details?.[0]?.path], [422, 'file'], wrong.slice(0, 50))
      }
      const huge = Buffer.concat([Buffer.from('name,lat,lon\n'), Buffer.alloc(33 * 2 ** 20, ' ')])
      const refused = await upload(ui, huge)
      assert.deepEqual([refused.status, refused.body.error], [413, 'payload_too_large'])
      assert.equal(await uploadedRows(), 0)
      for (let i = 0; i < 3; i++) assert.equal((await upload(ui, CSV)).status, 201)
      const fourth = await upload(ui, CSV)
      assert.deepEqual([fourth.status, fourth.body.details[0].code], [422, 'too_many'])
      assert.equal(await uploadedRows(), 6)
    })

    async function uploadedRows(): Promise<number> {
      const { n } = await kith.db.read
        .selectFrom('uploaded_place')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      return n
    }
  },
  { KITH_PLACES_OVERPASS: overpass.url, KITH_PLACES_CONTACT: 'ops@example.com' },
)

// biome-ignore lint/suspicious/noExplicitAny: tests compare answers whole or reach into them
function ok({ status, body, text }: Answer): any {
  assert.equal(status, 200, text)
  return body
}

function upload(ui: Ui, content: string | Buffer): Promise<Answer> {
  return ui.send('POST', '/places/upload?name=mine.csv', content as string, { 'content-type': 'text/csv' })
}

async function uploadsSeenBy(ui: Ui): Promise<string[]> {
  const { data } = ok(await ui.get('/places/sources'))
  return data.filter(({ kind }: { kind: string }) => kind === 'upload').map(({ id }: { id: string }) => id)
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
