import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { withKith } from '../support/kith.ts'
import { openRaw, sendRaw } from '../support/raw-socket.ts'

const GET = 'GET /api/v1/contacts HTTP/1.1\r\n'
const POST = 'POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

withKith((kith) => {
  const malformed: [what: string, bytes: (authorization: string) => string, statuses?: number[]][] = [
    ['a request line that is none', () => 'nonsense\r\n\r\n'],
    ['an unknown HTTP version', () => 'GET / HTTP/3.7\r\nHost: x\r\n\r\n'],
    ['a method in lower case', (auth) => `get /api/v1/contacts HTTP/1.1\r\nHost: x\r\n${auth}\r\n`],
    ['two Content-Lengths', (auth) => `${POST}${auth}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['two equal Content-Lengths', (auth) => `${POST}${auth}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'Content-Length with Transfer-Encoding',
      (auth) => `${POST}${auth}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      'Transfer-Encoding with Content-Length',
      (auth) => `${POST}${auth}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a bare LF after the request line', (auth) => `GET /api/v1/contacts HTTP/1.1\nHost: x\r\n${auth}\r\n`],
    ['a bare LF after a header', (auth) => `${GET}Host: x\n${auth}\r\n`],
    ['a folded header', (auth) => `${GET}Host: x\r\nX-A: a\r\n b\r\n${auth}\r\n`],
    ['a space before the colon', (auth) => `${GET}Host : x\r\n${auth}\r\n`],
    ['a header without a name', (auth) => `${GET}Host: x\r\n: a\r\n${auth}\r\n`],
    ['a NUL in a header', (auth) => `${GET}Host: x\r\nX-A: a\0b\r\n${auth}\r\n`],
    ['an unknown transfer coding', (auth) => `${POST}${auth}Transfer-Encoding: x\r\n\r\n{}`],
    ['chunked not last', (auth) => `${POST}${auth}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a chunk of no size', (auth) => `${POST}${auth}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a Content-Length that is no number', (auth) => `${POST}${auth}Content-Length: 1x\r\n\r\n{}`],
    ['a negative Content-Length', (auth) => `${POST}${auth}Content-Length: -1\r\n\r\n{}`],
    ['headers over 16 KiB', (auth) => `${GET}Host: x\r\n${auth}X-A: ${'a'.repeat(16_400)}\r\n\r\n`, [431]],
    ['many headers over 16 KiB', (auth) => `${GET}Host: x\r\n${auth}${'X-A: aaaaaa\r\n'.repeat(1_500)}\r\n`, [431]],
    ['a request line over 8 KiB', () => `GET /api/v1/${'a'.repeat(8_200)} HTTP/1.1\r\nHost: x\r\n\r\n`, [414, 431]],
    ['a request line over 16 KiB', () => `GET /api/v1/${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, [414, 431]],
    ['no Host', (auth) => `${GET}${auth}\r\n`],
  ]
  for (const [what, bytes, statuses = [400]] of malformed) {
    test(`${what} is ${statuses.join(' or ')} bad_request as JSON, changes nothing, and the connection closes`, async () => {
      const org = await kith.org()
      const before = await org.rows()
      const authorization = `Authorization: Bearer ${org.ownToken.token}\r\n`
      const { status, headers, body, isClosed } = await sendRaw(kith.port, bytes(authorization), 500)
      assert.ok(statuses.includes(status), `${status} ${JSON.stringify(body)}`)
      assert.deepEqual([Object.keys(body), body.error], [['error', 'message'], 'bad_request'])
      assert.match(headers['x-request-id']!, /^[0-9a-f-]{36}$/)
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      const isFramingClear = what === 'no Host' || what === 'a request line over 8 KiB'
      if (!isFramingClear) assert.ok(isClosed, 'the connection is closed')
      assert.deepEqual(await org.rows(), before)
    })
  }

  test('headers just within 16 KiB and a request line just within 8 KiB are read', async () => {
    const org = await kith.org()
    const authorization = `Authorization: Bearer ${org.ownToken.token}\r\n`
    const headers = `${GET}Host: x\r\n${authorization}X-A: ${'a'.repeat(16_000)}\r\n\r\n`
    assert.equal((await sendRaw(kith.port, headers, 0)).status, 200)
    const path = `/api/v1/contacts?q=${'a'.repeat(8_100)}`
    const line = `GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`
    assert.equal((await sendRaw(kith.port, line, 0)).status, 422)
  })

  for (const method of ['TRACE', 'CONNECT', 'OPTIONS', 'PUT']) {
    test(`${method} is refused and nothing of the request is sent back`, async () => {
      const org = await kith.org()
      for (const target of ['/api/v1/contacts', 'example.com:443', '*']) {
        const bytes = `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${org.ownToken.token}\r\n\r\n`
        const { status, text } = await sendRaw(kith.port, bytes, 100)
        assert.ok(status === 0 || (status >= 400 && status < 500), `${target}: ${status}`)
        assert.ok(!text.includes(org.ownToken.token))
      }
    })
  }

  test('two requests in one packet are answered in their order', async () => {
    const org = await kith.org()
    const bearer = `Host: x\r\nAuthorization: Bearer ${org.ownToken.token}\r\n`
    const socket = await openRaw(
      kith.port,
      `${GET}${bearer}\r\nGET /api/v1/x HTTP/1.1\r\n${bearer}Connection: close\r\n\r\n`,
    )
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk))
    await once(socket, 'close')
    assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404'])
  })

  test('a body shorter than its Content-Length changes nothing, whether it stalls or is cut off', async () => {
    const org = await kith.org()
    const before = await org.rows()
    const head = `${POST}Authorization: Bearer ${org.ownToken.token}\r\nContent-Length: 100\r\n\r\n{"full_name": "A"}`
    const cut = await openRaw(kith.port, head)
    cut.destroy()
    const stalled = await openRaw(kith.port, head)
    assert.equal((await org.api.get('/contacts')).status, 200)
    assert.deepEqual(await org.rows(), before)
    stalled.destroy()
  })

  test('slow headers and slow bodies are cut off, with JSON when an answer can be given', async () => {
    const org = await kith.org()
    const bearer = `Authorization: Bearer ${org.ownToken.token}\r\n`
    const [headers, body] = await Promise.all([
      sendRaw(kith.port, `${GET}Host: x\r\nX-A: a`),
      sendRaw(kith.port, `${POST}${bearer}Content-Length: 50\r\n\r\n{`),
    ])
    for (const answer of [headers, body]) {
      assert.ok(answer.isClosed)
      if (answer.status !== 0) assert.deepEqual([answer.status, answer.body.error], [400, 'bad_request'])
    }
    assert.equal((await org.api.get('/contacts')).body.meta.count, 0)
  })
})
