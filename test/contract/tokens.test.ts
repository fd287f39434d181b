import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Answer } from '../support/http-client.ts'
import { withKithAndNodes } from '../support/kith.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { until } from '../support/until.ts'

withKithAndNodes(
  (kith) => {
    test('no Authorization header is 401 missing_api_key', async () => {
      const { status, headers, body } = await kith.client.get('/api/v1/contacts')
      assert.deepEqual([status, body.error], [401, 'missing_api_key'])
      assert.equal(headers['www-authenticate'], 'Bearer')
    })

    test('no such token, and a header that is not a well-formed Bearer, is 401 invalid_api_key', async () => {
      const { ownToken } = await kith.org()
      const { token } = ownToken
      const mistyped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
      for (const authorization of [
        ...['', 'Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer ${token} x`, `Bearer "${token}"`],
        ...[`Bearer ${mistyped}`, `Bearer ${token.toLowerCase()}`, `Bearer ${token}x`, `Bearer ${token.slice(0, 12)}`],
        ...[`Bearer x, Bearer ${token}`, `Bearer\t${token}`],
      ]) {
        const text = `GET /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`
        const { status, headers, body } = await sendRaw(kith.port, text, 0)
        assert.deepEqual([status, body?.error], [401, 'invalid_api_key'], authorization)
        assert.equal(headers['www-authenticate'], 'Bearer')
      }
      assert.equal((await kith.client.get('/api/v1/contacts', { authorization: `bearer ${token}` })).status, 200)
    })

    test('two Authorization headers are refused', async () => {
      const { ownToken, id } = await kith.org()
      const line = `Authorization: Bearer ${ownToken.token}\r\n`
      const { status, body } = await sendRaw(
        kith.port,
        `GET /api/v1/contacts HTTP/1.1\r\nHost: x\r\n${line}${line}\r\n`,
        0,
      )
      assert.deepEqual([status, body.error], [401, 'invalid_api_key'])
      assert.ok(id)
    })

    test('a token in the query or the body is not accepted', async () => {
      const { ownToken } = await kith.org()
      for (const key of ['token', 'access_token', 'api_key']) {
        const query = await kith.client.get(`/api/v1/contacts?${key}=${ownToken.token}`)
        const body = await kith.client.post('/api/v1/contacts', { full_name: 'A', [key]: ownToken.token })
        assert.deepEqual([query.body.error, body.body.error], ['missing_api_key', 'missing_api_key'])
      }
      const cookie = await kith.client.get('/api/v1/contacts', { cookie: `token=${ownToken.token}` })
      assert.equal(cookie.body.error, 'missing_api_key')
    })

    test('no answer before a valid token tells anything: paths, methods, bodies and limits all give 401 first', async () => {
      const seen = new Set<string>()
      for (const [method, path, body] of [
        ['GET', '/api/v1/contacts', undefined],
        ['GET', '/api/v1/nothing', undefined],
        ['GET', '/api/v1', undefined],
        ['GET', '/api/v1/', undefined],
        ['GET', '/api/v1/contacts/%zz', undefined],
        ['GET', `/api/v1/contacts/${'x'.repeat(8_000)}`, undefined],
        ['PUT', '/api/v1/contacts', undefined],
        ['OPTIONS', '/api/v1/contacts', undefined],
        ['POST', '/api/v1/contacts', '{'],
        ['POST', '/api/v1/contacts', 'x'.repeat(70_000)],
        ['PATCH', '/api/v1/tasks/x', {}],
        ['PROPFIND', '/api/v1/contacts', undefined],
      ] as const) {
        const { status, headers, text } = await kith.client.send(method, path, body)
        const { date, 'x-request-id': _, connection, 'keep-alive': kept, ...rest } = headers
        seen.add(JSON.stringify([status, rest, text]))
        assert.equal(status, 401, `${method} ${path}`)
      }
      assert.equal(seen.size, 1)
    })

    test('a revoked token is 401 revoked_api_key from the next request on', async () => {
      const org = await kith.org()
      const { id, api } = await org.token()
      assert.equal((await api.get('/contacts')).status, 200)
      const { value } = await kith.command('token', 'revoke', id, '--org', org.id)
      assert.deepEqual(value, { id, revoked: true })
      for (let i = 0; i < 50; i++) {
        const { headers } = await org.refuses([401, 'revoked_api_key'], () => api.get('/contacts'))
        assert.equal(headers['www-authenticate'], 'Bearer')
      }
      await org.refuses([401, 'revoked_api_key'], () => api.post('/contacts', { full_name: 'A' }))
      assert.equal((await org.api.get('/contacts')).status, 200)
    })

    test('read is needed for every GET and write for every change; a token has one or both', async () => {
      const org = await kith.org()
      const [reader, writer] = [(await org.token(['read'])).api, (await org.token(['write'])).api]
      const { id } = await org.addContact()
      const task = await org.addTask()
      const reads = ['/contacts', `/contacts/${id}`, '/deals', '/tasks', '/contacts/x']
      for (const path of reads) {
        await org.refuses([403, 'insufficient_scope'], () => writer.get(path))
        assert.equal((await writer.head(path)).status, 403)
        assert.notEqual((await reader.get(path)).status, 403, path)
      }
      const changes: [string, string, object?][] = [
        ['POST', '/contacts', { full_name: 'A' }],
        ['POST', '/tasks', { title: 'A' }],
        ['PATCH', `/contacts/${id}`, { full_name: 'B' }],
        ['PATCH', `/tasks/${task.id}`, { title: 'B' }],
        ['DELETE', `/contacts/${id}`],
      ]
      for (const [method, path, body] of changes) {
        await org.refuses([403, 'insufficient_scope'], () => reader.send(method, path, body))
        assert.equal(Math.floor((await writer.send(method, path, body)).status / 100), 2, `${method} ${path}`)
      }
    })

    test('a token is shown whole once, afterwards only its first 12 characters; of it a hash is stored', async () => {
      const org = await kith.org()
      const made = await kith.command('token', 'create', 'Website', '--org', org.id, '--scopes', 'read')
      const { id, token, ...rest } = made.value
      assert.deepEqual(rest, { name: 'Website', prefix: token.slice(0, 12), scopes: ['read'] })
      assert.match(token, /^kith_[0-9A-Za-z]{38}$/)
      const list = await kith.command('token', 'list', '--org', org.id)
      const listed = list.value.find((one: { id: string }) => one.id === id)
      assert.deepEqual(listed, {
        id,
        name: 'Website',
        prefix: token.slice(0, 12),
        scopes: ['read'],
        created_at: listed.created_at,
        last_used_at: null,
        revoked_at: null,
      })
      assert.ok(!list.stdout.includes(token.slice(0, 13)))
      const row = await kith.db.read.selectFrom('api_token').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      assert.equal(row.hash, createHash('sha256').update(token).digest('hex'))
      assert.ok(!JSON.stringify(row).includes(token.slice(0, 13)))
    })

    test('more tokens of no key a minute from one address than the setting says are 429; good ones go on', async () => {
      const org = await kith.org()
      const attempt = () => kith.client.get('/api/v1/contacts', { authorization: 'Bearer kith_wrong' })
      const limited = await until('the limit is reached', async () => {
        const answer = await attempt()
        if (answer.status === 401) return undefined
        return answer
      })
      assert.deepEqual([limited.status, limited.body.error], [429, 'rate_limited'])
      assert.match(String(limited.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
      const good: Answer = await org.api.get('/contacts')
      assert.equal(good.status, 200)
      assert.equal((await kith.client.get('/api/v1/contacts')).body.error, 'missing_api_key')
    })

    test('last_used_at is kept, to the minute, through a stop of the server', async () => {
      const org = await kith.org()
      const earliest = new Date().toISOString()
      await org.api.get('/contacts')
      assert.equal((await kith.stop()).code, 0)
      const [token] = (await kith.command('token', 'list', '--org', org.id)).value
      assert.match(token.last_used_at, /:00\.000Z$/)
      assert.ok(token.last_used_at >= `${earliest.slice(0, 16)}:00.000Z`)
      await kith.start()
    })
  },
  { KITH_BAD_TOKENS_PER_MINUTE: '100' },
)
