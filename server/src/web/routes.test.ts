import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { readConfig } from '../config.ts'
import { createServer } from '../http/server.ts'
import { createLog } from '../log.ts'
import { webApp } from './routes.ts'

const SCRIPT = 'console.log("a script of the app")\n'.repeat(100)
const PAGE = '<!doctype html><meta property="csp-nonce" nonce="__NONCE__"><script src="/assets/app-1.js"></script>'
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('every screen’s path gets the page, with a policy and a nonce of its own each time', async (t) => {
  const server = await start(t)
  const nonces = new Set<string>()
  for (const path of [
    ...['/', '/contacts', '/contacts?q=a&stage=won', '/contacts/0196ceb0', '/settings/webhooks/1', '/sign-in?to=%2F'],
    ...['/setup', '/invitation', '/reset', '/deals', '/tasks', '/imports/1'],
  ]) {
    const { statusCode, headers, body } = await server.inject({ url: path, headers: HTML })
    assert.equal(statusCode, 200, path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store')
    const nonce = /nonce="([^"]+)"/.exec(body)![1]!
    assert.ok(Buffer.from(nonce, 'base64').length >= 16)
    nonces.add(nonce)
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
        "font-src 'self'; worker-src 'self' blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; " +
        "form-action 'self'; frame-ancestors 'none'",
    )
  }
  assert.equal(nonces.size, 12)
})

test('an unknown path gets the page with 404 for a person, and an error for a program', async (t) => {
  const server = await start(t)
  const person = await server.inject({ url: '/nowhere?a=1', headers: HTML })
  assert.deepEqual([person.statusCode, person.headers['content-type']], [404, 'text/html; charset=utf-8'])
  for (const request of [
    { url: '/nowhere' },
    { url: '/nowhere', headers: HTML, method: 'POST' as const },
    { url: '/assets/none.js', headers: HTML },
    { url: '/api/v2/contacts', headers: HTML },
  ]) {
    const { statusCode, body } = await server.inject(request)
    assert.deepEqual([statusCode, JSON.parse(body).error], [404, 'not_found'], JSON.stringify(request))
  }
})

test('files are kept for ever, compressed where a browser takes it, and called what they are', async (t) => {
  const server = await start(t)
  const plain = await server.inject('/assets/app-1.js')
  assert.equal(plain.body, SCRIPT)
  assert.equal(plain.headers['content-encoding'], undefined)
  const packed = await server.inject({ url: '/assets/app-1.js', headers: { 'accept-encoding': 'gzip, br' } })
  assert.equal(packed.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), SCRIPT)
  for (const { statusCode, headers } of [plain, packed]) {
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers.vary, 'accept-encoding')
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
  const type = async (name: string) => (await server.inject(`/assets/${name}`)).headers['content-type']
  assert.equal(await type('worker-1.mjs'), 'text/javascript; charset=utf-8')
  assert.equal(await type('app-1.css'), 'text/css; charset=utf-8')
})

test('nothing outside of the files is served, however the path is written', async (t) => {
  const server = await start(t)
  for (const path of [
    ...['/assets/../index.html', '/assets/..%2findex.html', '/assets/%2e%2e/index.html', '/assets/..%5cindex.html'],
    ...['/assets//app-1.js', '/assets/', '/assets/%00', '/assets/a/../../index.html'],
  ]) {
    const { statusCode, body } = await server.inject({ url: path })
    assert.equal(statusCode, 404, path)
    assert.equal(JSON.parse(body).error, 'not_found', path)
  }
})

test('without a build there is a page that says how to make one, and it is there as soon as it is made', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-web-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = await serve(t, folder)
  const before = await server.inject({ url: '/contacts', headers: HTML })
  assert.equal(before.statusCode, 503)
  assert.match(before.body, /npm run build --workspace web/)
  await build(folder)
  assert.equal((await server.inject({ url: '/contacts', headers: HTML })).statusCode, 200)
  assert.equal((await server.inject('/assets/app-1.js')).body, SCRIPT)
})

async function start(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'kith-web-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await build(folder)
  return serve(t, folder)
}

async function serve(t: TestContext, folder: string) {
  const web = webApp(folder)
  const server = createServer(readConfig({ env: {} }).http, createLog('silent'), () => false, web.notFound)
  await server.register(web.routes)
  t.after(() => server.close())
  await server.ready()
  return server
}

async function build(folder: string): Promise<void> {
  const assets = join(folder, 'assets')
  await mkdir(assets)
  await writeFile(join(assets, 'app-1.js'), SCRIPT)
  await writeFile(join(assets, 'app-1.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(assets, 'worker-1.mjs'), SCRIPT)
  await writeFile(join(assets, 'app-1.css'), 'body { margin: 0 }')
  await writeFile(join(folder, 'index.html'), PAGE)
}
