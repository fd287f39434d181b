/** The door of the web app: who comes in, from where, and that no route of it forgets to say so. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isUuid } from '../server/src/uuid.ts'
import type { Answer, Client, Headers } from './support/http-client.ts'
import { type Kith, withKith } from './support/kith.ts'
import { type Route, uiRoutes } from './support/route-list.ts'
import { OWN_PAGE, underUi } from './support/ui.ts'
import { type Team, UI_ROWS } from './support/ui-rows.ts'

const isChange = ({ method }: Route) => method !== 'GET'

test('every route says who may call it and what it takes and gives, and is known to these tests', async () => {
  const routes = await uiRoutes()
  assert.deepEqual(
    routes.map(({ name, access }) => `${name} ${access}`).sort(),
    Object.entries(UI_ROWS)
      .map(([name, { access }]) => `${name} ${access}`)
      .sort(),
  )
  assert.deepEqual(
    routes.filter(({ hasSchema }) => !hasSchema).map(({ name }) => name),
    [],
  )
  for (const { name, path } of routes) {
    assert.equal(UI_ROWS[name]!.record !== undefined, path.includes(':'), `${name} needs a record for its ids`)
  }
})

withKith((kith) => {
  let routes: Route[]
  before(async () => {
    routes = await uiRoutes()
  })

  /** Calls a route as a page would, with a body that it takes. */
  const call = (client: Client, route: Route, ids: Record<string, string> = {}, headers: Headers = {}) => {
    const { name, method, path, takesUpload } = route
    const { query = '', body } = UI_ROWS[name]!
    const place = path.replaceAll(/:(\w+)/g, (_, key: string) => ids[key] ?? crypto.randomUUID())
    const type: Headers = takesUpload ? { 'content-type': 'text/csv' } : {}
    return client.send(method, `${place}?${query}`, takesUpload ? 'full_name\nEve\n' : body, { ...type, ...headers })
  }

  test('the API’s operations are there, and their events say who it was', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const contact = await ui.post('/contacts', { full_name: 'Ada' }, { 'idempotency-key': 'a key' })
    assert.equal(contact.status, 201, contact.text)
    await ui.post('/contacts', { full_name: 'Ada' }, { 'idempotency-key': 'a key' })
    assert.equal((await ui.get('/contacts')).body.data.length, 2, 'keys are for programs')
    assert.equal((await ui.patch(`/contacts/${contact.body.id}`, { deal_stage: 'won' })).status, 200)
    await ui.post('/tasks', { title: 'Call Ada', contact_id: contact.body.id })
    assert.deepEqual(await org.eventNames(), [
      ...['contact.created', 'contact.created', 'contact.updated', 'deal.stage_changed', 'task.created'],
    ])
    const activities = (await org.rows()).activity!.map((row) => JSON.parse(String(row)).actor)
    assert.deepEqual([...new Set(activities)], [`member:${ui.member.id}`])
  })

  test('whoever has not signed in gets 401 on every route but those for anyone', async () => {
    const stranger = underUi(kith.client.with(OWN_PAGE))
    for (const route of routes) {
      const { status, body } =
        route.access === 'anyone' ? { status: 401, body: { error: 'not_signed_in' } } : await call(stranger, route)
      assert.deepEqual([status, body.error], [401, 'not_signed_in'], route.name)
    }
    const unknown = await stranger.get('/nothing')
    assert.deepEqual([unknown.status, unknown.body.error], [401, 'not_signed_in'])
  })

  test('every answer says how it may be used: no other site’s, not kept, not framed, of its own type', async () => {
    for (const route of routes) {
      if (UI_ROWS[route.name]!.isStream) continue
      const team = await newTeam(kith)
      const ids = await UI_ROWS[route.name]!.record?.(team)
      const { headers } = await call(team.member, route, ids)
      const { 'content-type': type, ...rest } = headers
      assert.match(type!, /; charset=utf-8$/, route.name)
      const policy = rest['content-security-policy']
      assert.equal(policy, "default-src 'none'; frame-ancestors 'none'", route.name)
      assert.equal(rest['cache-control'], 'no-store', route.name)
      assert.equal(rest['x-content-type-options'], 'nosniff', route.name)
      assert.equal(rest['referrer-policy'], 'no-referrer', route.name)
      assert.equal(rest['cross-origin-resource-policy'], 'same-origin', route.name)
      const others = ['server', 'x-powered-by', 'access-control-allow-origin', 'ratelimit-limit'] as const
      for (const name of others) assert.equal(rest[name], undefined, route.name)
    }
  })

  test('a member gets 403 on every route that is for admins, and nothing changes', async () => {
    const admins = routes.filter(({ access }) => access === 'admin')
    assert.ok(admins.length > 5)
    for (const route of admins) {
      const team = await newTeam(kith)
      const ids = await UI_ROWS[route.name]!.record?.(team)
      const answer = await team.org.refuses([403, 'forbidden'], () => call(team.member, route, ids))
      assert.equal(answer.body.message, 'Only an admin can do this.', route.name)
    }
  })

  test('another org’s record is answered as one that never existed, byte for byte, and does not change', async () => {
    const ours = await newTeam(kith)
    for (const route of routes) {
      const record = UI_ROWS[route.name]!.record
      if (!record) continue
      const theirs = await newTeam(kith)
      const ids = await record(theirs)
      const others = Object.fromEntries(
        Object.entries(ids).map(([key, value]) => [key, isUuid(value) ? crypto.randomUUID() : value]),
      )
      const before = await theirs.org.rows()
      const [foreign, never] = [await call(ours.admin, route, ids), await call(ours.admin, route, others)]
      assert.deepEqual([foreign.status, foreign.body.error], [404, 'not_found'], `${route.name}: ${foreign.text}`)
      assert.deepEqual(seen(foreign, ids), seen(never, others), route.name)
      assert.deepEqual(await theirs.org.rows(), before, route.name)
      const own = await call(theirs.admin, route, ids)
      assert.notEqual(own.status, 404, `${route.name}: its own org finds it`)
    }
  })

  test('no change is let in from another site, a sibling, or a form', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin')
    const json = { cookie: ui.cookie, 'content-type': 'application/json' }
    const own = { cookie: ui.cookie, 'sec-fetch-site': 'same-origin' }
    const forged: [status: number, headers: Headers][] = [
      [403, { ...json }],
      [403, { ...json, 'sec-fetch-site': 'cross-site' }],
      [403, { ...json, 'sec-fetch-site': 'same-site' }],
      [403, { ...json, 'sec-fetch-site': 'none' }],
      [403, { ...json, 'sec-fetch-site': '', origin: 'null' }],
      [403, { ...json, origin: 'https://evil.example' }],
      [403, { ...json, origin: `http://evil.${new URL(kith.url).host}` }],
      [403, { ...json, origin: `${kith.url}.evil.example` }],
      [403, { ...json, origin: kith.url, 'sec-fetch-site': 'cross-site' }],
      [415, { ...own, 'content-type': 'application/x-www-form-urlencoded' }],
      [415, { ...own, 'content-type': 'multipart/form-data; boundary=a' }],
      [415, { ...own, 'content-type': 'text/plain' }],
      [415, { ...own, 'content-type': 'text/plain; application/json' }],
    ]
    const client = underUi(kith.client)
    for (const [status, headers] of forged) {
      const code = status === 403 ? 'forbidden' : 'unsupported_media_type'
      await org.refuses([status, code], () => client.post('/contacts', { full_name: 'Eve' }, headers))
    }
    for (const route of routes.filter(isChange)) {
      const answer = await call(client, route, undefined, { ...json, 'sec-fetch-site': 'cross-site' })
      assert.deepEqual([answer.status, answer.body.error], [403, 'forbidden'], route.name)
    }
    const fromOwnPage = await client.post('/contacts', { full_name: 'Ada' }, { ...json, origin: kith.url })
    assert.equal(fromOwnPage.status, 201, 'a browser without Sec-Fetch-Site says its origin')
  })

  test('reading changes nothing, whatever it is asked with', async () => {
    const team = await newTeam(kith)
    const contact = await team.org.addContact()
    const before = await team.org.rows()
    for (const route of routes) {
      if (isChange(route) || UI_ROWS[route.name]!.isStream) continue
      await call(team.admin, route, { id: contact.id })
    }
    assert.deepEqual(await team.org.rows(), before)
  })

  test('a token opens no route of the web app, and a cookie none of the API', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin')
    const authorization = `Bearer ${org.ownToken.token}`
    const program = underUi(kith.client.with({ ...OWN_PAGE, authorization }))
    for (const route of routes) {
      if (route.access === 'anyone') continue
      assert.equal((await call(program, route)).status, 401, route.name)
    }
    assert.equal((await program.get('/contacts', { cookie: `kith=${org.ownToken.token}` })).status, 401)
    for (const path of ['/contacts', '/deals', '/tasks']) {
      const { status, body } = await kith.client.get(`/api/v1${path}`, { ...OWN_PAGE, cookie: ui.cookie })
      assert.deepEqual([status, body.error], [401, 'missing_api_key'])
    }
    const secret = ui.cookie.split('=')[1]
    assert.equal((await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${secret}` })).status, 401)
  })

  test('unknown paths and methods are told from each other, a body over 64 KiB is refused', async () => {
    const ui = await kith.ui(await kith.org())
    assert.deepEqual((await ui.get('/nothing')).body.error, 'not_found')
    const wrong = await ui.send('PUT', '/sessions', {})
    assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET, HEAD'])
    const large = await ui.post('/contacts', { full_name: 'a'.repeat(64 * 1024) })
    assert.deepEqual([large.status, large.body.error], [413, 'payload_too_large'])
  })

  test('the web app’s requests are not counted by the rate limit', async () => {
    const org = await kith.org({ hourly_limit: 2 })
    const ui = await kith.ui(org)
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await ui.get('/contacts')
      assert.deepEqual([status, headers['ratelimit-limit']], [200, undefined])
    }
    assert.equal((await org.api.get('/contacts')).headers['ratelimit-remaining'], '1')
  })
})

async function newTeam(kith: Kith): Promise<Team> {
  const org = await kith.org()
  return { kith, org, admin: await kith.ui(org, 'admin'), member: await kith.ui(org) }
}

/** Status, body and headers, less what differs between any two requests, and the ids where the answer repeats them. */
function seen({ status, text, headers }: Answer, askedFor: Record<string, string>): unknown {
  const { date, 'x-request-id': requestId, ...rest } = headers
  assert.ok(date && requestId)
  const same = Object.values(askedFor).reduce((words, id) => words.replaceAll(id, '(id)'), text)
  return { status, text: same, headers: rest }
}
