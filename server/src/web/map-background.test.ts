import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StartError } from '../start-error.ts'
import { loadMapBackground } from './map-background.ts'

const TILES = 'https://tiles.example.com'

test('without a style there is the world that the web app brings along, and no other origin', () => {
  assert.deepEqual(loadMapBackground({ background: { from: 'nowhere' }, origins: [] }), {
    styleUrl: null,
    origins: [],
    files: null,
  })
})

test('a style elsewhere is loaded from its own origin and those of the setting', () => {
  const url = 'https://maps.example.com/calm.json?key=1'
  const { styleUrl, origins, files } = loadMapBackground({ background: { from: 'address', url }, origins: [TILES] })
  assert.equal(styleUrl, url)
  assert.deepEqual(origins, ['https://maps.example.com', TILES])
  assert.equal(files, null)
})

test('a file of tiles is served, and nothing beside it', (t) => {
  const folder = folderWith(t, { 'old town.pmtiles': 'PMTiles\u0003…', 'other.pmtiles': 'PMTiles\u0003…' })
  const { styleUrl, origins, files } = load(join(folder, 'old town.pmtiles'))
  assert.equal(styleUrl, '/map/old%20town.pmtiles')
  assert.deepEqual(origins, [])
  assert.equal(files!.folder, folder)
  assert.deepEqual(
    served(files, ['/old town.pmtiles', '/other.pmtiles', '/', '/old town.pmtiles/', '/oldxtown.pmtiles']),
    ['/old town.pmtiles'],
  )
})

test('of a style, the files are served that it names, and the origins allowed that it names', (t) => {
  const folder = folderWith(t, {
    'style.json': JSON.stringify({
      version: 8,
      sprite: [
        { id: 'default', url: 'sprites/light' },
        { id: 'more', url: `${TILES}/sprites/more` },
      ],
      glyphs: 'fonts/{fontstack}/{range}.pbf',
      sources: {
        streets: { type: 'vector', url: 'pmtiles://streets.pmtiles' },
        far: { type: 'vector', url: `pmtiles://${TILES}/far.pmtiles` },
        hills: { type: 'raster-dem', tiles: ['./hills/{z}/{x}/{y}{ratio}.webp', 'https://a.example.com/{z}/{x}/{y}'] },
        shops: { type: 'geojson', data: '/map/shops.geojson?v=2' },
        drawn: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
      },
    }),
  })
  const { styleUrl, origins, files } = load(join(folder, 'style.json'), ['https://b.example.com'])
  assert.equal(styleUrl, '/map/style.json')
  assert.deepEqual(origins, [TILES, 'https://a.example.com', 'https://b.example.com'])
  const wanted = [
    ...['/style.json', '/sprites/light.json', '/sprites/light.png', '/sprites/light@2x.json', '/sprites/light@2x.png'],
    ...['/fonts/Noto Sans Regular/0-255.pbf', '/streets.pmtiles', '/shops.geojson'],
    ...['/hills/3/1/2.webp', '/hills/3/1/2@2x.webp'],
  ]
  assert.deepEqual(served(files, wanted), wanted)
  const others = [
    ...['/far.pmtiles', '/sprites/light', '/sprites/more.json', '/sprites/light.json.bak', '/hills/3/1/x.webp'],
    ...['/fonts/Noto/..pbf', '/fonts/../0-255.pbf', '/fonts/.git/0-255.pbf', '/fonts/a/b/0-255.pbf', '/kith.key', '/'],
  ]
  assert.deepEqual(served(files, others), [])
})

test('what cannot be used ends the start, and says which file and why', (t) => {
  const folder = folderWith(t, {
    'no.json': 'no JSON',
    'no.pmtiles': 'PMTiles\u0002 of an older version',
    'short.pmtiles': 'PM',
    'outside.json': '{"sprite":"../sprites/light"}',
    'address.json': '{"glyphs":"https://a;b/{fontstack}"}',
  })
  mkdirSync(join(folder, 'folder.json'))
  const faults: [file: string, fault: RegExp][] = [
    ['none.json', /none\.json, which KITH_MAP_STYLE names, cannot be read \(ENOENT\)\.$/],
    ['none.pmtiles', /cannot be read \(ENOENT\)\.$/],
    ['folder.json', /cannot be read \(EISDIR\)\.$/],
    ['no.json', /is not JSON\.$/],
    ['no.pmtiles', /is not a PMTiles file of version 3\.$/],
    ['short.pmtiles', /is not a PMTiles file of version 3\.$/],
    ['outside.json', /uses \.\.\/sprites\/light, which is not in its folder\.$/],
    ['address.json', /has an address that cannot be used: https:\/\/a;b\/\{fontstack\}$/],
  ]
  for (const [file, message] of faults) {
    assert.throws(
      () => load(join(folder, file)),
      (error) => error instanceof StartError && message.test(error.message),
      file,
    )
  }
})

function load(path: string, origins: string[] = []) {
  return loadMapBackground({ background: { from: 'file', path }, origins })
}

function served(files: { isServed(path: string): boolean } | null, paths: string[]): string[] {
  return paths.filter((path) => files!.isServed(path))
}

function folderWith(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-map-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, 'latin1')
  return folder
}
