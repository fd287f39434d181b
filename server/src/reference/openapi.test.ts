import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { engines } from '../../../test/support/databases.ts'
import { commandActor } from '../actor.ts'
import { readConfig } from '../config.ts'
import { API_PREFIX, apiDoor } from '../doors/api.ts'
import { EVENT_NAMES } from '../events/names.ts'
import { DETAIL_CODES, STATUS } from '../http/errors.ts'
import { createServer } from '../http/server.ts'
import { createLog } from '../log.ts'
import { createOrg } from '../orgs/actions.ts'
import { BadTokenLimit } from '../rate-limit/bad-token-limit.ts'
import { createLimiter } from '../rate-limit/limiter.ts'
import { Usage } from '../rate-limit/usage.ts'
import { createToken } from '../tokens/actions.ts'
import { LastUses } from '../tokens/last-uses.ts'
import { EVENT_EXAMPLES, OPERATION_EXAMPLES } from './examples.ts'
import type { OpenApiDocument } from './openapi.ts'
import { noteOperations } from './operations.ts'
import { referenceRoutes } from './routes.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

test('the document has no error and no warning by the recommended rules', async (t) => {
  const { document } = await served(t)
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  )
})

test('the paths of the document are the routes of the API', async (t) => {
  const { document, routes } = await served(t)
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.ok(routes.length >= 9)
  assert.deepEqual(described.toSorted(), routes.toSorted())
})

test('every operation tells its scope, and every error that it may answer with', async (t) => {
  const { document } = await served(t)
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method} ${path}`
      const scope = method === 'get' ? 'read' : 'write'
      assert.deepEqual([operation['x-required-scope'], operation.security], [scope, [{ token: [scope] }]], name)
      const statuses = Object.keys(operation.responses as object).map(Number)
      const always = [400, 401, 403, 422, 429, 500, 503]
      const withBody = operation.requestBody ? [413, 415] : []
      const withRecord = path.includes('{') || method === 'post' ? [404] : []
      const expected = [method === 'post' ? 201 : 200, ...always, ...withBody, ...withRecord]
      assert.deepEqual(statuses, expected.toSorted(), name)
    }
  }
})

test('the codes of errors and of details are those of the program', async (t) => {
  const { document } = await served(t)
  const schemas = document.components.schemas as Record<string, { properties: Record<string, { enum: string[] }> }>
  assert.deepEqual(schemas.Error!.properties.error!.enum, Object.keys(STATUS))
  assert.deepEqual(schemas.Detail!.properties.code!.enum, [...DETAIL_CODES])
})

test('the codes of docs/api-decisions.md are those of the program', async () => {
  const text = await readFile(new URL('../../../docs/api-decisions.md', import.meta.url), 'utf8')
  const errors = section(text, '| `error` |').map(([code, statuses]) => [
    code!.slice(1, -1),
    Number.parseInt(statuses!, 10),
  ])
  assert.deepEqual(Object.fromEntries(errors), STATUS)
  const details = section(text, '| `code` |').map(([code]) => code!.slice(1, -1))
  assert.deepEqual(details.toSorted(), DETAIL_CODES.toSorted())
})

test('what only the server sets is not described as an input', async (t) => {
  const { document } = await served(t)
  const schemas = document.components.schemas as Record<string, { properties: object; additionalProperties?: boolean }>
  for (const name of ['ContactInput', 'TaskInput', 'TaskPatch']) {
    const fields = Object.keys(schemas[name]!.properties)
    assert.ok(!fields.some((field) => ['id', 'created_at', 'updated_at', 'completed_at'].includes(field)), name)
    assert.equal(schemas[name]!.additionalProperties, false)
  }
  assert.ok(!('status' in schemas.TaskInput!.properties))
})

test('every schema with a name stands there once', async (t) => {
  const { document } = await served(t)
  assert.ok(!JSON.stringify(document).includes('"$id"'))
})

test('every operation and every event has examples, and they fit their schemas', async (t) => {
  const { document, validate } = await served(t)
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  assert.deepEqual(
    operations.map(({ operationId }) => operationId as string).toSorted(),
    Object.keys(OPERATION_EXAMPLES).toSorted(),
  )
  assert.deepEqual(Object.keys(document.webhooks), [...EVENT_NAMES])
  assert.deepEqual(Object.keys(EVENT_EXAMPLES), [...EVENT_NAMES])
  const found = contentsOf(document)
  for (const { schema, example, examples } of found) {
    const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
    for (const value of values) assert.deepEqual(validate(schema, value), [], JSON.stringify(value))
  }
  assert.ok(found.length > 20)
})

test('what the API answers fits the document', async (t) => {
  const { document, validate, call } = await served(t)
  const fits = (path: string, method: string, status: number, body: unknown) => {
    const responses = document.paths[`${API_PREFIX}${path}`]![method]!.responses as Record<string, Answer>
    assert.deepEqual(validate(resolve(document, responses[status]!).content['application/json'].schema, body), [])
  }
  const contact = await call('POST', '/contacts', OPERATION_EXAMPLES.createContact!.request)
  assert.equal(contact.status, 201)
  fits('/contacts', 'post', 201, contact.body)
  const { id } = contact.body as { id: string }
  const task = await call('POST', '/tasks', { title: 'Call Ada', contact_id: id, due_at: '2026-05-18T10:00:00+02:00' })
  fits('/tasks', 'post', 201, task.body)
  fits('/contacts', 'get', 200, (await call('GET', '/contacts')).body)
  fits('/contacts/{id}', 'get', 200, (await call('GET', `/contacts/${id}`)).body)
  fits('/deals', 'get', 200, (await call('GET', '/deals')).body)
  fits('/tasks', 'get', 200, (await call('GET', '/tasks')).body)
  const refused = await call('PATCH', `/contacts/${id}`, { email: 'nobody', nickname: 'A' })
  assert.equal(refused.status, 422)
  fits('/contacts/{id}', 'patch', 422, refused.body)
  fits('/contacts/{id}', 'patch', 200, (await call('PATCH', `/contacts/${id}`, { label: null })).body)
  fits('/contacts/{id}', 'delete', 200, (await call('DELETE', `/contacts/${id}`)).body)
  fits('/contacts/{id}', 'get', 404, (await call('GET', `/contacts/${id}`)).body)
})

test('a document that has not changed is not sent again', async (t) => {
  const { url } = await served(t)
  const first = await fetch(`${url}/openapi.json`)
  assert.equal(first.headers.get('content-type'), 'application/json; charset=utf-8')
  const again = await fetch(`${url}/openapi.json`, { headers: { 'if-none-match': first.headers.get('etag')! } })
  assert.deepEqual([again.status, await again.text()], [304, ''])
})

test('the page and all that it loads come from here, without inline code', async (t) => {
  const { url } = await served(t)
  const page = await fetch(`${url}/docs`)
  const html = await page.text()
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  const csp = page.headers.get('content-security-policy')!
  assert.match(csp, /default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; .*frame-ancestors 'none'/)
  for (const name of ['x-content-type-options', 'referrer-policy', 'cross-origin-resource-policy']) {
    assert.ok(page.headers.has(name), name)
  }
  assert.ok(!/<script>|<script [^>]*>[^<]|<style|https?:/.test(html))
  const links = [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, link]) => link!)
  assert.equal(links.length, 4)
  for (const link of links) {
    const file = await fetch(url + link)
    assert.deepEqual(
      [file.status, file.headers.get('cache-control'), file.headers.get('content-encoding')],
      [200, 'public, max-age=31536000, immutable', 'gzip'],
    )
    assert.ok((await file.text()).length > 50)
  }
  assert.equal((await fetch(`${url}/docs/${encodeURIComponent('../package.json')}`)).status, 404)
  assert.equal((await fetch(`${url}/docs/?from=mail`)).status, 200)
})

interface Content {
  schema: object
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Answer {
  $ref?: string
  content: { 'application/json': Content }
}

/** Starts a server with the API and its reference. */
async function served(t: TestContext) {
  const { db } = await engines[0]!.open(t)
  const log = createLog('silent')
  const limiter = createLimiter({ db, nodeId: 'test', log })
  const server = createServer(readConfig({ env: {} }).http, log, () => false)
  t.after(() => Promise.all([server.close(), limiter.close()]))
  const operations = noteOperations(server, API_PREFIX)
  const parts = { db, limiter, badTokens: new BadTokenLimit(600), lastUses: new LastUses(), usage: new Usage() }
  await server.register(apiDoor(parts), { prefix: API_PREFIX })
  await server.register(referenceRoutes({ operations, baseUrl: null }))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const token = await db.write(async (tx) => {
    const { id } = await createOrg(tx, { name: 'Test' })
    return (await createToken(tx, commandActor(id), { name: 'Test', scopes: ['read', 'write'] })).token
  })

  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  return {
    url,
    document,
    routes: routesOf(server.printRoutes({ commonPrefix: false })),
    /** @returns what does not fit */
    validate(schema: object, value: unknown) {
      const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
      return check(value) ? [] : check.errors
    },
    async call(method: string, path: string, body?: object) {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
      const answer = await fetch(`${url}${API_PREFIX}${path}`, { method, headers, body: body && JSON.stringify(body) })
      return { status: answer.status, body: await answer.json() }
    },
  }
}

/** The routes of the API as the framework prints them, HEAD and OPTIONS left out: `GET /api/v1/contacts/{id}`. */
function routesOf(tree: string): string[] {
  const routes: string[] = []
  const path: string[] = []
  for (const line of tree.split('\n')) {
    const found = /^(?<indent>.*?)[└├]── (?<part>\S*) \((?<methods>[^)]*)\)$/.exec(line)?.groups
    if (!found) continue
    path.length = found.indent!.length / 4
    path.push(found.part!)
    const full = path.join('').replaceAll(/:(\w+)/g, '{$1}')
    if (!full.startsWith(`${API_PREFIX}/`)) continue
    for (const method of found.methods!.split(', ')) {
      if (METHODS.includes(method)) routes.push(`${method} ${full}`)
    }
  }
  return routes
}

/** The rows of the table that has this beginning, cell by cell. */
function section(text: string, head: string): string[][] {
  const [, , ...rows] = text.slice(text.indexOf(head)).split('\n\n', 1)[0]!.split('\n')
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function resolve(document: OpenApiDocument, answer: Answer): Answer {
  if (!answer.$ref) return answer
  return document.components.responses[answer.$ref.split('/').at(-1)!] as Answer
}

/** Every place of the document that has a schema beside examples of it. */
function contentsOf(part: unknown): Content[] {
  if (part === null || typeof part !== 'object') return []
  const { schema, example, examples } = part as Content
  const here = schema && (example !== undefined || examples) ? [part as Content] : []
  return [...here, ...Object.values(part).flatMap(contentsOf)]
}
