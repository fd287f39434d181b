import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Headers, Sent } from '../support/http-client.ts'
import { withKithAndNodes } from '../support/kith.ts'
import { sendRaw } from '../support/raw-socket.ts'

const UUID = /^[0-9a-f-]{36}$/

/** What every answer to a request with a good token has, in any order. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': 'application/json; charset=utf-8',
}

withKithAndNodes((kith) => {
  test('an error is JSON with error, message, for validation details, and X-Request-Id', async () => {
    const org = await kith.org()
    const reader = await org.token(['read'])
    const { id } = await org.addContact()
    const wrong = { authorization: 'Bearer kith_x' }
    for (const [call, status, code, keys] of [
      [() => org.api.patch(`/contacts/${id}`, {}), 400, 'no_fields', []],
      [() => kith.client.get('/api/v1/contacts'), 401, 'missing_api_key', []],
      [() => kith.client.get('/api/v1/contacts', wrong), 401, 'invalid_api_key', []],
      [() => reader.api.post('/contacts', { full_name: 'A' }), 403, 'insufficient_scope', []],
      [() => org.api.get('/nothing'), 404, 'not_found', []],
      [() => org.api.send('PUT', '/contacts'), 405, 'method_not_allowed', []],
      [() => org.api.post('/contacts', 'x'.repeat(65_537)), 413, 'payload_too_large', []],
      [() => org.api.post('/contacts', '{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type', []],
      [() => org.api.post('/contacts', {}), 422, 'validation', ['details']],
    ] as [() => Promise<Answer>, number, string, string[]][]) {
      const { headers, body } = await org.refuses([status, code], call)
      assert.deepEqual(Object.keys(body), ['error', 'message', ...keys])
      assert.match(body.message, /^[A-Z].*\.$/)
      assert.match(String(headers['x-request-id']), UUID)
      for (const detail of body.details ?? []) {
        assert.deepEqual(Object.keys(detail), ['path', 'code', 'message'])
        assert.match(detail.message, /^[A-Z].*\.$/i)
      }
    }
  })

  test('the order of checks is token, rate limit, route, scope, body, record', async () => {
    const org = await kith.org({ hourly_limit: 7 })
    const [reader, writer] = [await org.token(['read']), await org.token(['write'])]
    const unknown = `/contacts/${crypto.randomUUID()}`
    const steps: [token: string, method: string, path: string, body: Sent, status: number, code: string][] = [
      ['Bearer wrong', 'PUT', '/nothing', '{', 401, 'invalid_api_key'],
      [bearer(reader), 'POST', '/nothing', '{', 404, 'not_found'],
      [bearer(reader), 'PUT', unknown, '{', 405, 'method_not_allowed'],
      [bearer(reader), 'PATCH', unknown, '{', 403, 'insufficient_scope'],
      [bearer(writer), 'GET', `${unknown}?x=1`, undefined, 403, 'insufficient_scope'],
      [bearer(writer), 'PATCH', unknown, '{', 422, 'validation'],
      [bearer(writer), 'PATCH', unknown, {}, 400, 'no_fields'],
      [bearer(writer), 'PATCH', unknown, { full_name: null }, 404, 'not_found'],
      [bearer(writer), 'PUT', '/nothing', '{', 429, 'rate_limited'],
      ['Bearer wrong', 'PUT', '/nothing', '{', 401, 'invalid_api_key'],
    ]
    for (const [authorization, method, path, body, status, code] of steps) {
      const call = () => kith.client.send(method, `/api/v1${path}`, body, { authorization })
      await org.refuses([status, code], call)
    }
  })

  test('a body that is not JSON, or not an object, is a 422 at the empty path', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const send = [
      (body: Sent) => org.api.post('/contacts', body),
      (body: Sent) => org.api.patch(`/contacts/${id}`, body),
      (body: Sent) => org.api.post('/tasks', body),
    ]
    for (const [body, code] of [
      ['{', 'not_json'],
      ['{"full_name": "A"} x', 'not_json'],
      ["{'full_name': 'A'}", 'not_json'],
      ['{"deal_value": NaN}', 'not_json'],
      ['{"deal_value": Infinity}', 'not_json'],
      ['\ufeff{"full_name": "A", "title": "A"', 'not_json'],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'not_json'],
      ['[]', 'wrong_type'],
      ['"x"', 'wrong_type'],
      ['1', 'wrong_type'],
      ['null', 'wrong_type'],
      ['true', 'wrong_type'],
    ] as [Sent, string][]) {
      for (const call of send) await org.finds([['', code]], () => call(body))
    }
    await org.finds([['', 'not_json']], () => org.api.post('/contacts'))
    await org.finds([['', 'not_json']], () => org.api.post('/contacts', ''))
    await org.finds([['', 'not_json']], () => org.api.post('/tasks', '', { 'content-type': 'text/plain' }))
  })

  test('nesting of at most 20 levels is read, one more refused', async () => {
    const org = await kith.org()
    const nested = (depth: number) => `{"x": ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    await org.finds([['x', 'unknown_field']], () => org.api.post('/tasks', `{"title": "A", ${nested(20).slice(1)}`))
    await org.finds([['', 'out_of_range']], () => org.api.post('/tasks', `{"title": "A", ${nested(21).slice(1)}`))
    await org.finds([['', 'out_of_range']], () => org.api.post('/tasks', '['.repeat(60_000)))
  })

  test('keys such as __proto__ and constructor are unknown fields', async () => {
    const org = await kith.org()
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      await org.finds([[key, 'unknown_field']], () => org.api.post('/contacts', `{"full_name": "A", "${key}": {}}`))
    }
  })

  test('of a key that stands twice in an object the last one counts', async () => {
    const org = await kith.org()
    const { status, body } = await org.api.post('/contacts', '{"full_name": 1, "full_name": "B"}')
    assert.deepEqual([status, body.full_name], [201, 'B'])
  })

  test('every fault is listed, query and body alike, not only the first', async () => {
    const org = await kith.org()
    const body = { title: '', priority: 1, due_at: 'x', status: 'open', nope: 1 }
    const faults: [string, string][] = [
      ['x', 'unknown_field'],
      ['title', 'required'],
      ['priority', 'wrong_type'],
      ['due_at', 'bad_format'],
      ['status', 'not_allowed'],
      ['nope', 'unknown_field'],
    ]
    await org.finds(faults, () => org.api.post('/tasks?x=1', body))
    await org.finds(
      [
        ['limit', 'out_of_range'],
        ['offset', 'bad_format'],
        ['status', 'not_allowed'],
      ],
      () => org.api.get('/tasks?limit=0&offset=x&status=x'),
    )
  })

  test('of more than 100 faults 99 are listed, and the hundredth says how many more', async () => {
    const org = await kith.org()
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]))
    const all = (await org.api.post('/contacts', { full_name: 'A', ...keys(100) })).body.details
    assert.deepEqual([all.length, all[99].code], [100, 'unknown_field'])
    const some = (await org.api.post('/contacts', { full_name: 'A', ...keys(101) })).body.details
    assert.equal(some.length, 100)
    assert.deepEqual([some[99].path, some[99].code], ['', 'too_many'])
    assert.match(some[99].message, /\b2\b/)
  })

  test('no answer to a 64 KiB body is over 32 KiB', async () => {
    const org = await kith.org()
    const long = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}${'"\u0001'.repeat(70)}`, 1]))
    const tags = Array.from({ length: 6_000 }, () => 1)
    for (const body of [long, { full_name: 'A', tags }]) {
      const { status, text } = await org.api.post('/contacts', body)
      assert.deepEqual([status, text.length <= 32 * 1024], [422, true])
    }
  })

  test('a body of 64 KiB is read, one byte more is 413', async () => {
    const org = await kith.org()
    const body = (bytes: number) => '{"full_name": "A"}'.padEnd(bytes, ' ')
    assert.equal((await org.api.post('/contacts', body(65_536))).status, 201)
    await org.refuses([413, 'payload_too_large'], () => org.api.post('/contacts', body(65_537)))
  })

  test('a body in chunks has the same limit', async () => {
    const org = await kith.org()
    const head = `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${org.ownToken.token}\r\n`
    const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    for (const [bytes, status] of [
      [65_536, 201],
      [65_537, 413],
    ] as const) {
      const body = '{"full_name": "A"}'.padEnd(bytes, ' ')
      const answer = await sendRaw(kith.port, `${head}${type}${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`, 0)
      assert.equal(answer.status, status)
    }
    assert.deepEqual(await org.eventNames(), ['contact.created'])
  })

  test('a wrong content type, none, or a compressed body is 415; charset=utf-8 is fine', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    for (const type of ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'APPLICATION/JSON']) {
      const answer = await org.api.post('/contacts', { full_name: 'A' }, { 'content-type': type })
      assert.equal(answer.status, 201, type)
    }
    const wrong = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'json',
      'a/b; c',
    ]
    const headers: Headers[] = [
      ...wrong.map((type) => ({ 'content-type': type })),
      { 'content-type': 'application/merge-patch+json' },
      { 'content-type': '' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]
    for (const header of headers) {
      const code: [number, string] = [415, 'unsupported_media_type']
      await org.refuses(code, () => org.api.post('/contacts', { full_name: 'A' }, header))
      await org.refuses(code, () => org.api.patch(`/contacts/${id}`, { full_name: 'A' }, header))
    }
  })

  test('a content type without a body is no fault; the body of a GET or DELETE is not looked at', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const type = { 'content-type': 'application/json' }
    assert.equal((await org.api.get('/contacts', type)).status, 200)
    assert.equal((await org.api.send('GET', '/contacts', '{', { 'content-type': 'x/y' })).status, 200)
    assert.equal((await org.api.send('GET', '/contacts', 'x'.repeat(70_000))).status, 200)
    assert.equal((await org.api.send('DELETE', `/contacts/${id}`, '{')).status, 200)
  })

  test('a known path with the wrong method is 405 with Allow, which lists HEAD where GET is', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    for (const [path, allow] of [
      ['/contacts', 'GET, HEAD, POST'],
      [`/contacts/${id}`, 'DELETE, GET, HEAD, PATCH'],
      ['/deals', 'GET, HEAD'],
      ['/tasks', 'GET, HEAD, POST'],
      [`/tasks/${id}`, 'PATCH'],
    ] as const) {
      const allowed = allow.split(', ')
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const answer = await org.api.send(method, path)
        if (allowed.includes(method)) assert.notEqual(answer.status, 405, `${method} ${path}`)
        else assert.deepEqual([answer.status, answer.headers.allow], [405, allow], `${method} ${path}`)
      }
    }
  })

  test('HEAD works wherever GET does: the same status and headers, no body', async () => {
    const org = await kith.org()
    const { id } = await org.addContact({ deal_stage: 'lead' })
    await org.addTask()
    for (const path of ['/contacts', `/contacts/${id}`, '/deals', '/tasks', '/contacts?limit=0', '/contacts/x']) {
      const [get, head] = [await org.api.get(path), await org.api.head(path)]
      assert.equal(head.text, '')
      assert.deepEqual([head.status, lasting(head)], [get.status, lasting(get)], path)
    }
  })

  test('a method-override header has no effect', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    for (const name of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
      assert.equal((await org.api.get(`/contacts/${id}`, { [name]: 'DELETE' })).body.id, id)
    }
  })

  test('every answer has the headers of its kind and no others', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const limit = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']
    for (const [call, more] of [
      [() => org.api.get('/contacts'), limit],
      [() => org.api.get(`/contacts/${id}`), limit],
      [() => org.api.get('/deals'), limit],
      [() => org.api.get('/tasks'), limit],
      [() => org.api.post('/contacts', { full_name: 'A' }), [...limit, 'location']],
      [() => org.api.post('/tasks', { title: 'A' }), [...limit, 'location']],
      [() => org.api.patch(`/contacts/${id}`, { phone: '1' }), limit],
      [() => org.api.delete(`/contacts/${id}`), limit],
      [() => org.api.get('/nothing'), limit],
      [() => org.api.post('/contacts', {}), limit],
      [() => org.api.send('PUT', '/contacts'), [...limit, 'allow']],
      [() => kith.client.get('/api/v1/contacts'), ['www-authenticate']],
      [() => kith.client.get('/nothing'), []],
    ] as [() => Promise<Answer>, string[]][]) {
      const { headers } = await call()
      const transport = ['date', 'connection', 'keep-alive', 'content-length', 'x-request-id']
      assert.deepEqual(Object.keys(headers).sort(), [...Object.keys(HEADERS), ...transport, ...more].sort())
      for (const [name, value] of Object.entries(HEADERS)) assert.equal(headers[name], value)
    }
  })

  test('a path outside /api/v1 that is unknown is 404 without a token', async () => {
    for (const path of ['/', '/api', '/api/v2/contacts', '/api/v1x', '/API/V1/contacts', '/%zz', '//api/v1/contacts']) {
      const { status, body } = await kith.client.get(path)
      if (path !== '/') assert.deepEqual([status, body?.error], [404, 'not_found'], path)
    }
  })
})

function bearer({ token }: { token: string }): string {
  return `Bearer ${token}`
}

/** Headers less those that differ from one request to the next. */
function lasting({ headers }: Answer): Record<string, unknown> {
  const changing = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.includes(name)))
}
