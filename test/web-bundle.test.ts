/** What a browser has to load for each page, in the built web app. `npm test` builds it. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gzipSync } from 'node:zlib'

const KB = 1000
const FIRST_JS_BYTES_MAX = 230 * KB
const FURTHER_JS_BYTES_MAX = 60 * KB
const CSS_BYTES_MAX = 12 * KB
/** What draws the map, and its worker: loaded by itself, after the page. */
const MAP_JS_BYTES_MAX = 310 * KB
const MAP_WORKER_BYTES_MAX = 160 * KB
/** The files of the built-in map, in brotli. */
const MAP_DATA_BYTES_MAX = { cities: 200 * KB, 'countries-50m': 220 * KB }

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const web = join(import.meta.dirname, '../web')
const dist = join(web, 'dist')
const html = readFileSync(join(dist, 'index.html'), 'utf8')
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
const routes = readFileSync(join(web, 'src/app/routes.tsx'), 'utf8')
const pages = [...routes.matchAll(/import\('\.\.\/([\w/-]+\.tsx)'\)/g)].map(([, path]) => `src/${path}`)
const FIRST = 'src/contacts/contacts-page.tsx'

test('every page of the routes is built by itself', () => {
  assert.ok(pages.length >= 16, `only ${pages.length} pages found in routes.tsx`)
  assert.deepEqual(
    pages.filter((page) => !manifest[page]),
    [],
  )
})

describe('the budgets', () => {
  test('the first page loads at most 230 KB of JavaScript, compressed', () => {
    assertAtMost(FIRST_JS_BYTES_MAX, gzipped(loadedBy(FIRST), '.js'))
  })

  for (const page of pages) {
    test(`${page} loads at most 60 KB of JavaScript beyond that of the first page`, () => {
      const already = loadedBy(FIRST)
      const more = [...loadedBy(page)].filter((file) => !already.has(file))
      assertAtMost(FURTHER_JS_BYTES_MAX, gzipped(more, '.js'))
    })

    test(`${page} needs at most 12 KB of CSS, compressed`, () => {
      assertAtMost(CSS_BYTES_MAX, gzipped(loadedBy(page), '.css'))
    })
  }
})

describe('the map', () => {
  const MAP = 'src/prospecting/map/map-canvas.tsx'

  test('no page waits for it', () => {
    const { file } = manifest[MAP]!
    for (const page of pages) assert.ok(!loadedBy(page).has(file), page)
  })

  test('it loads at most 310 KB of JavaScript beyond its page, and a worker of at most 160 KB, compressed', () => {
    const already = loadedBy('src/prospecting/prospecting-page.tsx')
    const more = [...loadedBy(MAP)].filter((file) => !already.has(file))
    assertAtMost(MAP_JS_BYTES_MAX, gzipped(more, '.js'))
    const workers = globSync('assets/maplibre-gl-worker-*.mjs', { cwd: dist })
    assert.equal(workers.length, 1)
    assertAtMost(MAP_WORKER_BYTES_MAX, gzipped(workers, '.mjs'))
  })

  for (const [name, most] of Object.entries(MAP_DATA_BYTES_MAX)) {
    test(`its file of ${name} has at most ${most / KB} KB, compressed`, () => {
      const [path, ...others] = globSync(`assets/${name}-*.json.br`, { cwd: dist })
      assert.deepEqual(others, [])
      assertAtMost(most, readFileSync(join(dist, path!)).length)
    })
  }
})

test('what is beside a file in brotli is that file', () => {
  const compressed = globSync('assets/*.br', { cwd: dist })
  assert.ok(compressed.length > 0)
  for (const path of compressed) {
    const plain = readFileSync(join(dist, path.slice(0, -'.br'.length)))
    assert.ok(plain.equals(brotliDecompressSync(readFileSync(join(dist, path)))), path)
  }
})

test('the page holds no code and no style of its own, which the policy would refuse', () => {
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=/)
})

test('no file of the web app writes HTML or evaluates text', () => {
  const written = globSync('src/**/*.{ts,tsx}', { cwd: web }).filter((path) =>
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/.test(
      readFileSync(join(web, path), 'utf8'),
    ),
  )
  assert.deepEqual(written, [])
})

/** The document, the page, and all that these import at once; not what they import when it is needed. */
function loadedBy(page: string): Set<string> {
  const chunks = new Set<string>()
  const files = new Set<string>()
  const load = (name: string) => {
    if (chunks.has(name)) return
    chunks.add(name)
    const { file, imports = [], css = [] } = manifest[name]!
    for (const path of [file, ...css]) files.add(path)
    for (const other of imports) load(other)
  }
  load('index.html')
  load(page)
  return files
}

function gzipped(files: Iterable<string>, kind: '.js' | '.mjs' | '.css'): number {
  return [...files]
    .filter((path) => path.endsWith(kind))
    .reduce((sum, path) => sum + gzipSync(readFileSync(join(dist, path))).length, 0)
}

function assertAtMost(most: number, bytes: number) {
  assert.ok(bytes <= most, `it is ${(bytes / KB).toFixed(1)} KB`)
}
