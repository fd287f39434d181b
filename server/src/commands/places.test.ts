import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { progressLine } from './import-progress.ts'
import { program } from './test-program.ts'

const SKOPJE = new URL('../prospecting/skopje-fast-food.geojson', import.meta.url).pathname

async function folder(t: TestContext) {
  const kith = await program(t)
  const place = dirname(kith.data)
  await mkdir(place, { recursive: true })
  const file = async (name: string, content: string) => {
    await writeFile(join(place, name), content)
    return join(place, name)
  }
  return { kith, file }
}

test('kith places load, list and remove', async (t) => {
  const { kith } = await folder(t)
  const { id, ...loaded } = await kith.json(['places', 'load', SKOPJE])
  const terms = { licence: 'ODbL 1.0', attribution: '© OpenStreetMap contributors' }
  const skipped = { no_name: 0, no_position: 0, broken: 0, repeated: 0 }
  const expected = { name: 'skopje-fast-food', format: 'geojson', places: 51, ...terms, skipped, replaced: false }
  assert.deepEqual(loaded, expected)
  const again = await kith.json(['places', 'load', SKOPJE])
  assert.deepEqual(again, { id, ...expected, replaced: true })
  const [listed, ...others] = await kith.json(['places', 'list'])
  const { loaded_at, ...rest } = listed
  assert.deepEqual([rest, others], [{ id, name: 'skopje-fast-food', places: 51, ...terms }, []])
  assert.ok(Math.abs(Date.parse(loaded_at) - Date.now()) < 60_000)

  const unsure = await kith.run(['places', 'remove', id])
  assert.deepEqual([unsure.code, unsure.stdout], [2, ''])
  assert.match(unsure.stderr, /^kith: This removes "skopje-fast-food" for all orgs\. Say --yes to do it\./)
  assert.equal((await kith.json(['places', 'list'])).length, 1)
  assert.deepEqual(await kith.json(['places', 'remove', id, '--yes']), {
    ...{ id, name: 'skopje-fast-food', places: 51, removed: true },
  })
  assert.deepEqual(await kith.json(['places', 'list']), [])
  const gone = await kith.run(['places', 'remove', id, '--yes', '--json'])
  assert.deepEqual([gone.code, JSON.parse(gone.stderr).error], [1, 'not_found'])
})

test('kith places load says for people what it took, what it left out, and whose the data is', async (t) => {
  const { kith, file } = await folder(t)
  const csv = await file('shops.csv', 'name,lat,lon\nA,42,21\n,42,21\nB,x,y\n')
  const terms = ['--name', 'Shops', '--licence', 'CC BY 4.0', '--attribution', 'City of Skopje']
  const { code, stdout, stderr } = await kith.run(['places', 'load', csv, ...terms])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(
    stdout,
    /name +Shops\nformat +csv\nplaces +1\nlicence +CC BY 4\.0\nattribution +City of Skopje\nreplaced +no\n/,
  )
  assert.match(stdout, /\nLeft out: 1 without a name, 1 without a position\.\n$/)
})

test('kith places load fails with 1 and says why; what is there stays', async (t) => {
  const { kith, file } = await folder(t)
  await kith.json(['places', 'load', SKOPJE, '--name', 'Town'])
  const feature = (i: number) => `{"type":"Feature","id":${i},"geometry":null,"properties":{"name":"A"}}`
  const lines = Array.from({ length: 5_100 }, (_, i) => (i === 4_999 ? feature(i).slice(0, -1) : feature(i)))
  const broken = await file('broken.geojson', `${lines.join('\n')}\n`)
  const nobody = await file('nobody.csv', 'company,city\nA,B\n')
  const cases: [path: string, reason: RegExp][] = [
    [broken, /The file is broken at feature 5,000, line 5,000: /],
    [nobody, /The file has no column for latitude .* and longitude .*Its first row is: company, city\./],
    [join(dirname(broken), 'none.csv'), /none\.csv: there is no such file\./],
    [dirname(broken), /it is a folder, and must be a file\./],
  ]
  for (const [path, reason] of cases) {
    const { code, stdout, stderr } = await kith.run(['places', 'load', path, '--name', 'Town'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, reason)
  }
  const [town, ...others] = await kith.json(['places', 'list'])
  assert.deepEqual([town.name, town.places, others], ['Town', 51, []])
  assert.equal((await kith.run(['places', 'load'])).code, 2)
  assert.equal((await kith.run(['places', 'load', SKOPJE, '--name', 'x'.repeat(101)])).code, 1)
})

test('the progress of a loading counts places', () => {
  const shown = { bytesRead: 50, rows_read: 1_000 }
  const line = progressLine({
    first: { bytesRead: 0, rows_read: 0 },
    progress: shown,
    bytes: 100,
    what: 'places',
    elapsedMs: 1000,
  })
  assert.match(line, /50 % {2}1,000 places {2}1,000 places\/s {2}0:01 left$/)
})
