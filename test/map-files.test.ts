/** The background of the map: what the browser is told of it, its files, and what pages may load for it. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { engines } from './support/databases.ts'
import { Kith, type Settings } from './support/kith.ts'
import type { Ui } from './support/ui.ts'

const TILES = `PMTiles\u0003${'0123456789'.repeat(500)}`
const STYLE = JSON.stringify({
  version: 8,
  glyphs: 'https://glyphs.example.com/{fontstack}/{range}.pbf',
  sources: { streets: { type: 'vector', url: 'pmtiles://streets.pmtiles' } },
  layers: [],
})

const folder = mkdtempSync(join(tmpdir(), 'kith-map-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'streets.pmtiles'), TILES)
writeFileSync(join(folder, 'style.json'), STYLE)
writeFileSync(join(folder, 'secret.txt'), 'sentinel')
mkdirSync(join(folder, '.hidden'))
writeFileSync(join(folder, '.hidden/streets.pmtiles'), 'sentinel')

describe('with a style on disk', () => {
  const { kith, ui } = serving({ KITH_MAP_STYLE: join(folder, 'style.json'), KITH_MAP_HOSTS: 'https://a.example.com' })
  const get = (path: string, headers = {}) => kith.client.with({ cookie: ui().cookie, ...headers }).get(path)

  test('the browser is told where it is', async () => {
    assert.deepEqual((await ui().get('/map')).body, { style_url: '/map/style.json' })
  })

  test('a file is sent whole, with what a browser keeps it by', async () => {
    const style = await get('/map/style.json')
    assert.deepEqual([style.status, style.text], [200, STYLE])
    assert.match(style.headers['content-type']!, /^application\/json/)
    assert.equal(style.headers['cache-control'], 'private, no-cache')
    assert.equal(style.headers['x-content-type-options'], 'nosniff')
    const tiles = await get('/map/streets.pmtiles?v=2')
    assert.deepEqual([tiles.status, tiles.text, tiles.headers['accept-ranges']], [200, TILES, 'bytes'])
    const again = await get('/map/streets.pmtiles', { 'if-none-match': tiles.headers.etag! })
    assert.deepEqual([again.status, again.text], [304, ''])
  })

  test('a range is sent as asked for, and one that is not there refused', async () => {
    const part = await get('/map/streets.pmtiles', { range: 'bytes=8-17' })
    assert.deepEqual([part.status, part.text], [206, '0123456789'])
    assert.equal(part.headers['content-range'], `bytes 8-17/${TILES.length}`)
    const end = await get('/map/streets.pmtiles', { range: 'bytes=-3' })
    assert.deepEqual([end.status, end.text], [206, '789'])
    const beyond = await get('/map/streets.pmtiles', { range: 'bytes=999999-' })
    assert.deepEqual([beyond.status, beyond.body.error], [416, 'bad_request'])
    const head = await kith.client.with({ cookie: ui().cookie }).head('/map/streets.pmtiles')
    assert.deepEqual([head.status, head.headers['content-length']], [200, String(TILES.length)])
  })

  test('nothing is sent that the style does not name', async () => {
    for (const path of [
      ...['/map/secret.txt', '/map/', '/map', '/map/.hidden/streets.pmtiles', '/map/none.pmtiles', '/map/style.json/'],
      ...['/map/../map/secret.txt', '/map/x/../streets.pmtiles', '/map/%2e%2e/secret.txt', '/map/..%2fsecret.txt'],
      ...['/map//streets.pmtiles', '/map/%00', '/map/streets.pmtiles%00', '/map/..%5csecret.txt', '/map/STYLE.JSON'],
    ]) {
      const { status, text } = await get(path)
      assert.equal(status, 404, path)
      assert.doesNotMatch(text, /sentinel/)
    }
  })

  test('nothing is sent to somebody who has not signed in, or has signed out', async () => {
    const { client } = kith
    for (const path of ['/map/style.json', '/map/streets.pmtiles', '/map/secret.txt']) {
      for (const headers of [{ cookie: '' }, { cookie: 'kith=sentinel' }, { cookie: `${ui().cookie}x` }]) {
        const { status, body } = await client.get(path, headers)
        assert.deepEqual([status, body.error], [401, 'not_signed_in'], path)
      }
    }
    const other = await kith.ui(await kith.org())
    const asOther = kith.client.with({ cookie: other.cookie })
    assert.equal((await asOther.get('/map/style.json')).status, 200)
    await other.post('/sign-out')
    assert.equal((await asOther.get('/map/style.json')).status, 401)
  })

  test('pages may load the map from the origins that the style and the setting name, and from no other', async () => {
    const { headers } = await kith.client.get('/prospecting', { accept: 'text/html' })
    const policy = String(headers['content-security-policy'])
    const origins = 'https://glyphs.example.com https://a.example.com'
    assert.match(policy, new RegExp(`; img-src 'self' data: blob: ${origins};`))
    assert.match(policy, new RegExp(`; connect-src 'self' ${origins};`))
    assert.equal(policy.match(/example\.com/g)!.length, 4)
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[^']+'; /)
  })
})

describe('without a style', () => {
  const { kith, ui } = serving({})

  test('the browser is told of none, there are no files, and pages load nothing but their own', async () => {
    assert.deepEqual((await ui().get('/map')).body, { style_url: null })
    assert.equal((await kith.client.get('/map/style.json', { cookie: ui().cookie })).status, 404)
    const { headers } = await kith.client.get('/prospecting', { accept: 'text/html' })
    assert.match(String(headers['content-security-policy']), /; connect-src 'self';/)
  })
})

test('a style that cannot be used ends the start with a sentence, which the doctor says too', async () => {
  const kith = new Kith(engines[0]!, { KITH_MAP_STYLE: join(folder, 'none.json') })
  await assert.rejects(kith.open(), /none\.json, which KITH_MAP_STYLE names, cannot be read \(ENOENT\)/)
  const { code, stdout } = await kith.command('doctor')
  assert.equal(code, 1)
  assert.match(stdout, /none\.json, which KITH_MAP_STYLE names, cannot be read \(ENOENT\)\."/)
  await kith.close()
})

/** A server with these settings for the tests of a suite, and somebody who has signed in. */
function serving(settings: Settings) {
  const kith = new Kith(engines[0]!, settings)
  let person: Ui | undefined
  before(async () => {
    await kith.open()
    person = await kith.ui(await kith.org())
  })
  after(() => kith.close())
  return { kith, ui: () => person! }
}
