import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../support/http-client.ts'
import { withKithAndNodes } from '../support/kith.ts'
import type { Fields } from '../support/org.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const WHOLE = {
  full_name: 'Ada Lovelace',
  company: 'Analytical Engines',
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  location: 'London',
  deal_stage: 'lead',
  deal_value: 48_200.5,
  label: 'hot',
  tags: ['fintech', 'berlin'],
}

const UNSET = {
  full_name: null,
  company: null,
  email: null,
  phone: null,
  location: null,
  deal_stage: null,
  deal_value: null,
  label: null,
  tags: [],
}

withKithAndNodes((kith) => {
  test('POST answers 201 with Location and the whole created contact, and emits contact.created', async () => {
    const org = await kith.org()
    const { status, headers, body } = await org.api.post('/contacts', WHOLE)
    assert.equal(status, 201)
    assert.match(body.id, ID)
    assert.match(body.created_at, TIME)
    assert.deepEqual(body, { id: body.id, ...WHOLE, created_at: body.created_at, updated_at: body.created_at })
    assert.equal(headers.location, `/api/v1/contacts/${body.id}`)
    assert.deepEqual(await org.eventNames(), ['contact.created'])
    const { full_name, email } = await kith.db.read
      .selectFrom('contact')
      .selectAll()
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([full_name, email], ['Ada Lovelace', 'ada@example.com'])
  })

  for (const name of ['full_name', 'company']) {
    test(`${name} alone is enough, and every field is always present: unset is null, tags []`, async () => {
      const org = await kith.org()
      const { id, created_at, updated_at, ...fields } = await org.addContact({ full_name: null, [name]: 'A' })
      assert.deepEqual(fields, { ...UNSET, [name]: 'A' })
      assert.deepEqual(Object.keys({ id, ...fields, created_at, updated_at }), [
        ...['id', ...Object.keys(UNSET), 'created_at', 'updated_at'],
      ])
    })
  }

  test('without full_name and company a contact is refused at the empty path', async () => {
    const org = await kith.org()
    for (const body of [{ email: 'a@example.com' }, { full_name: null }, { full_name: ' ', company: '' }, {}]) {
      await org.finds([['', 'required']], () => org.api.post('/contacts', body))
    }
  })

  test('each limit is taken at its size and refused one over', async () => {
    const org = await kith.org()
    for (const [field, max] of [
      ['full_name', 200],
      ['company', 200],
      ['phone', 50],
      ['location', 200],
      ['deal_stage', 64],
      ['label', 64],
    ] as const) {
      const most = '\u{1f600}'.repeat(max)
      assert.equal((await org.addContact({ full_name: 'A', [field]: most }))[field], most)
      await org.finds([[field, 'too_long']], () => org.api.post('/contacts', { full_name: 'A', [field]: `${most}x` }))
    }
    const address = `${'a'.repeat(254 - '@example.com'.length)}@example.com`
    assert.equal((await org.addContact({ email: address })).email, address)
    await org.finds([['email', 'too_long']], () => org.api.post('/contacts', { full_name: 'A', email: `a${address}` }))
  })

  test('an email must look like an address', async () => {
    const org = await kith.org()
    for (const email of ['ada', 'ada@', '@example.com', 'ada@example', 'a da@example.com', 'a@b@example.com']) {
      await org.finds([['email', 'bad_format']], () => org.api.post('/contacts', { full_name: 'A', email }))
    }
  })

  test('deal_value is finite with an absolute value of at most 1e15, and comes back as sent', async () => {
    const org = await kith.org()
    for (const value of [1e15, -1e15, 0, 0.1, 1e-7, 123_456_789.123_456_78, 5e-324]) {
      const { id } = await org.addContact({ deal_value: value })
      assert.equal((await org.api.get(`/contacts/${id}`)).body.deal_value, value)
    }
    const { text } = await org.api.post('/contacts', '{"full_name": "A", "deal_value": -0}')
    assert.match(text, /"deal_value":0,/)
    for (const value of ['1000000000000000.2', '-1000000000000001', '1e16', '1e400', '-1e400']) {
      const body = `{"full_name": "A", "deal_value": ${value}}`
      await org.finds([['deal_value', 'out_of_range']], () => org.api.post('/contacts', body))
    }
  })

  test('at most 50 tags of at most 64 characters each, trimmed, repeats and empty ones dropped, order kept', async () => {
    const org = await kith.org()
    const { tags } = await org.addContact({ tags: [' b ', 'a', '', 'b', '  ', 'c', 'a'] })
    assert.deepEqual(tags, ['b', 'a', 'c'])
    const fifty = Array.from({ length: 50 }, (_, at) => `t${at}`)
    assert.deepEqual((await org.addContact({ tags: [...fifty, ...fifty, ''] })).tags, fifty)
    await org.finds([['tags', 'out_of_range']], () =>
      org.api.post('/contacts', { full_name: 'A', tags: [...fifty, 'x'] }),
    )
    const long = 'x'.repeat(64)
    assert.deepEqual((await org.addContact({ tags: [long] })).tags, [long])
    await org.finds([['tags/1', 'too_long']], () =>
      org.api.post('/contacts', { full_name: 'A', tags: ['a', `${long}x`] }),
    )
    await org.finds([['tags/0', 'wrong_type']], () => org.api.post('/contacts', { full_name: 'A', tags: [1] }))
    assert.deepEqual((await org.addContact({ tags: null })).tags, [])
  })

  test('strings are trimmed, and an empty string means null', async () => {
    const org = await kith.org()
    const contact = await org.addContact({ full_name: '\u00a0 Ada\t\n', phone: '', label: '  ', company: '\ufeff' })
    assert.deepEqual([contact.full_name, contact.phone, contact.label, contact.company], ['Ada', null, null, null])
  })

  test('no string may hold a NUL or a lone surrogate', async () => {
    const org = await kith.org()
    for (const text of ['a\\u0000b', '\\ud800', 'x\\udc00y']) {
      for (const field of ['full_name', 'company', 'phone', 'location', 'deal_stage', 'label']) {
        const body = `{"full_name": "A", "${field}": "${text}"}`
        await org.finds([[field, 'bad_format']], () => org.api.post('/contacts', body))
      }
      await org.finds([['tags/0', 'bad_format']], () =>
        org.api.post('/contacts', `{"company": "A", "tags": ["${text}"]}`),
      )
    }
  })

  test('nothing is coerced in a body', async () => {
    const org = await kith.org()
    const faults: [Fields, string][] = [
      [{ full_name: 12 }, 'full_name'],
      [{ full_name: true }, 'full_name'],
      [{ full_name: ['x'] }, 'full_name'],
      [{ full_name: {} }, 'full_name'],
      [{ full_name: 'A', deal_value: '12' }, 'deal_value'],
      [{ full_name: 'A', deal_value: false }, 'deal_value'],
      [{ full_name: 'A', tags: 'a' }, 'tags'],
      [{ full_name: 'A', tags: { 0: 'a' } }, 'tags'],
      [{ full_name: 'A', tags: [null] }, 'tags/0'],
    ]
    for (const [body, path] of faults) await org.finds([[path, 'wrong_type']], () => org.api.post('/contacts', body))
  })

  test('GET answers the whole contact', async () => {
    const org = await kith.org()
    const contact = await org.addContact(WHOLE)
    const { status, body } = await org.api.get(`/contacts/${contact.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, contact)
  })

  test('a path id that is no UUID, in upper case, escaped badly or followed by a slash is 404', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const ids = [
      '1',
      'x',
      id.toUpperCase(),
      `${id}/`,
      `${id}x`,
      `{${id}}`,
      '%zz',
      '%00',
      '%',
      `${id}%20`,
      '%e2%28%a1',
      'x'.repeat(101),
    ]
    for (const wrong of ids) {
      await org.refuses([404, 'not_found'], () => org.api.get(`/contacts/${wrong}`))
      await org.refuses([404, 'not_found'], () => org.api.patch(`/contacts/${wrong}`, { full_name: 'B' }))
      await org.refuses([404, 'not_found'], () => org.api.delete(`/contacts/${wrong}`))
    }
  })

  test('PATCH changes only the fields that are sent and answers the whole updated contact', async () => {
    const org = await kith.org()
    const before = await org.addContact(WHOLE)
    const { status, body } = await org.api.patch(`/contacts/${before.id}`, { phone: '1', tags: ['x'] })
    assert.equal(status, 200)
    assert.deepEqual(body, { ...before, phone: '1', tags: ['x'], updated_at: body.updated_at })
    assert.ok(body.updated_at > String(before.updated_at))
    assert.deepEqual((await org.api.get(`/contacts/${before.id}`)).body, body)
  })

  test('null clears a field; tags: null sets []', async () => {
    const org = await kith.org()
    const before = await org.addContact(WHOLE)
    const cleared = { ...UNSET, full_name: 'Ada Lovelace', tags: null }
    const { body } = await org.api.patch(`/contacts/${before.id}`, cleared)
    assert.deepEqual(body, { ...before, ...UNSET, full_name: 'Ada Lovelace', updated_at: body.updated_at })
  })

  test('updated_at moves on every successful PATCH, also when nothing differs', async () => {
    const org = await kith.org()
    const { id } = await org.addContact(WHOLE)
    const times = [] as string[]
    for (let i = 0; i < 5; i++) times.push((await org.api.patch(`/contacts/${id}`, WHOLE)).body.updated_at)
    assert.deepEqual(times, [...new Set(times)].sort())
  })

  test('one name must remain after a PATCH, judged after the record is found', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    await org.finds([['', 'required']], () => org.api.patch(`/contacts/${id}`, { full_name: null }))
    await org.finds([['', 'required']], () => org.api.patch(`/contacts/${id}`, { full_name: '', company: ' ' }))
    assert.equal((await org.api.patch(`/contacts/${id}`, { full_name: null, company: 'B' })).status, 200)
    const unknown = `/contacts/${crypto.randomUUID()}`
    await org.refuses([404, 'not_found'], () => org.api.patch(unknown, { company: null, full_name: null }))
    await org.finds([['phone', 'wrong_type']], () => org.api.patch(unknown, { phone: 1 }))
  })

  test('PATCH with an empty body is 400 no_fields: {}, no body at all, whatever its type', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const path = `/contacts/${id}`
    await org.refuses([400, 'no_fields'], () => org.api.patch(path, {}))
    await org.refuses([400, 'no_fields'], () => org.api.patch(path, ' { } '))
    await org.refuses([400, 'no_fields'], () => org.api.patch(path))
    await org.refuses([400, 'no_fields'], () => org.api.patch(path, ''))
    await org.refuses([400, 'no_fields'], () => org.api.patch(path, '', { 'content-type': 'text/plain' }))
    await org.refuses([400, 'no_fields'], () => org.api.patch(`/contacts/${crypto.randomUUID()}`, {}))
  })

  test('an unknown field in a body is a 422 that names it, a server-set one is not_allowed', async () => {
    const org = await kith.org()
    const contact = await org.addContact(WHOLE)
    const path = `/contacts/${contact.id}`
    for (const send of [
      (body: object) => org.api.post('/contacts', body),
      (body: object) => org.api.patch(path, body),
    ]) {
      await org.finds([['name', 'unknown_field']], () => send({ full_name: 'B', name: 'x' }))
      await org.finds([['Full_name', 'unknown_field']], () => send({ full_name: 'B', Full_name: 'x' }))
      for (const field of ['id', 'created_at', 'updated_at']) {
        await org.finds([[field, 'not_allowed']], () => send({ full_name: 'B', [field]: contact[field] }))
      }
    }
  })

  test('DELETE answers {id, deleted: true}; a second DELETE is 404', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const { status, body } = await org.api.delete(`/contacts/${id}`)
    assert.deepEqual([status, body], [200, { id, deleted: true }])
    await org.refuses([404, 'not_found'], () => org.api.delete(`/contacts/${id}`))
    await org.refuses([404, 'not_found'], () => org.api.get(`/contacts/${id}`))
    await org.refuses([404, 'not_found'], () => org.api.patch(`/contacts/${id}`, { full_name: 'B' }))
  })

  test('DELETE is hard: its activities go with it, its tasks stay without it', async () => {
    const org = await kith.org()
    const { id } = await org.addContact(WHOLE)
    await org.api.patch(`/contacts/${id}`, { deal_stage: 'won' })
    const task = await org.addTask({ contact_id: id })
    assert.ok((await org.rows()).activity!.length > 0)
    await org.api.delete(`/contacts/${id}`)
    const { contact, activity } = await org.rows()
    assert.deepEqual({ contact, activity }, { contact: [], activity: [] })
    const { data } = (await org.api.get('/tasks')).body
    const { updated_at } = data[0]
    assert.deepEqual(data, [{ ...task, contact_id: null, updated_at }])
    assert.ok(updated_at > String(task.updated_at))
  })

  test('the list shows exactly six fields of each, newest first, and meta {count, limit, offset}', async () => {
    const org = await kith.org()
    const made = [] as Fields[]
    for (const full_name of ['A', 'B', 'C']) made.unshift(await org.addContact({ ...WHOLE, full_name }))
    const shown = made.map(({ id, full_name, company, deal_stage, deal_value, label }) => {
      return { id, full_name, company, deal_stage, deal_value, label }
    })
    const { status, body } = await org.api.get('/contacts')
    assert.deepEqual([status, body], [200, { data: shown, meta: { count: 3, limit: 50, offset: 0 } }])
    assert.deepEqual(Object.keys(body.data[0]), ['id', 'full_name', 'company', 'deal_stage', 'deal_value', 'label'])
    const page = (await org.api.get('/contacts?limit=1&offset=1')).body
    assert.deepEqual(page, { data: [shown[1]], meta: { count: 3, limit: 1, offset: 1 } })
    const beyond = (await org.api.get('/contacts?offset=3')).body
    assert.deepEqual(beyond, { data: [], meta: { count: 3, limit: 50, offset: 3 } })
  })

  test('meta.count is the number that match over all pages, with each filter and all together', async () => {
    const org = await kith.org()
    for (const [full_name, deal_stage, label] of [
      ['Ann One', 'lead', 'hot'],
      ['Ann Two', 'lead', null],
      ['Bob', 'won', 'hot'],
      ['Ann Three', null, 'hot'],
    ]) {
      await org.addContact({ full_name, deal_stage, label })
    }
    for (const [query, names] of [
      ['stage=lead', ['Ann Two', 'Ann One']],
      ['label=hot', ['Ann Three', 'Bob', 'Ann One']],
      ['q=ann', ['Ann Three', 'Ann Two', 'Ann One']],
      ['q=ann&label=hot', ['Ann Three', 'Ann One']],
      ['q=ann&label=hot&stage=lead', ['Ann One']],
      ['stage=lead&label=cold', []],
      ['stage=LEAD', []],
      ['stage=lea', []],
      ['label=&stage=&q=', ['Ann Three', 'Bob', 'Ann Two', 'Ann One']],
    ] as const) {
      const { body } = await org.api.get(`/contacts?${query}`)
      assert.deepEqual(namesOf(body), names, query)
      assert.equal(body.meta.count, names.length, query)
      const first = (await org.api.get(`/contacts?${query}&limit=1`)).body
      assert.deepEqual([namesOf(first), first.meta.count], [names.slice(0, 1), names.length], query)
    }
  })

  test('q matches any part of full_name or company, ignoring case and accents, and never across the two', async () => {
    const org = await kith.org()
    await org.addContact({ full_name: 'Zoë Müller', company: 'ŁÓDŹ Ltd' })
    await org.addContact({ full_name: '100%_\\Sure', company: 'Straße' })
    await org.addContact({ full_name: null, company: 'Ålesund AS' })
    for (const [q, count] of [
      ['zoe', 1],
      ['ZOË', 1],
      ['e m', 1],
      ['ULL', 1],
      ['dz', 1],
      ['ódź', 1],
      ['aLeSUnd', 1],
      ['100%', 1],
      ['%_\\', 1],
      ['%', 1],
      ['_', 1],
      ['\\', 1],
      ['1%S', 0],
      ['müllerłódź', 0],
      ['müller łódź', 0],
      ['Sure Straße', 0],
      ['  zoe  ', 1],
    ] as const) {
      const { body } = await org.api.get(`/contacts?q=${encodeURIComponent(q)}`)
      assert.equal(body.meta?.count, count, `${q}: ${JSON.stringify(body)}`)
    }
  })

  test('q also finds what was changed, and no longer what is gone', async () => {
    const org = await kith.org()
    const { id } = await org.addContact({ full_name: 'Before' })
    await org.api.patch(`/contacts/${id}`, { full_name: 'Behind', company: 'Now' })
    const count = async (q: string) => (await org.api.get(`/contacts?q=${q}`)).body.meta.count
    assert.deepEqual([await count('before'), await count('behind'), await count('now')], [0, 1, 1])
    await org.api.delete(`/contacts/${id}`)
    assert.deepEqual([await count('behind'), await count('now')], [0, 0])
  })

  test('limit is 1 to 200, offset 0 to 1e9, q at most 200 characters; one over is 422 at that key', async () => {
    const org = await kith.org()
    await org.addContact()
    for (const query of ['limit=1', 'limit=200', 'offset=0', 'offset=1000000000', `q=${'%C3%A4'.repeat(200)}`]) {
      assert.equal((await org.api.get(`/contacts?${query}`)).status, 200, query)
    }
    await faultsOfQueries(org, '/contacts', [
      ['limit=0', 'limit', 'out_of_range'],
      ['limit=201', 'limit', 'out_of_range'],
      ['offset=1000000001', 'offset', 'out_of_range'],
      ['offset=-1', 'offset', 'bad_format'],
      [`q=${'a'.repeat(201)}`, 'q', 'too_long'],
      [`label=${'a'.repeat(65)}`, 'label', 'too_long'],
      [`stage=${'a'.repeat(65)}`, 'stage', 'too_long'],
    ])
  })

  test('a query value out of form, a repeated key, an unknown key and a bad escape are 422 at that key', async () => {
    const org = await kith.org()
    await org.addContact()
    await faultsOfQueries(org, '/contacts', [
      ['limit=', 'limit', 'bad_format', 'required'],
      ['offset=', 'offset', 'bad_format', 'required'],
      ['limit=1e1', 'limit', 'bad_format'],
      ['limit=%2B5', 'limit', 'bad_format'],
      ['limit=+5', 'limit', 'bad_format'],
      ['limit=0x5', 'limit', 'bad_format'],
      ['limit=1.5', 'limit', 'bad_format'],
      ['limit=abc', 'limit', 'bad_format'],
      ['limit=1&limit=1', 'limit', 'not_allowed'],
      ['q=a&q=b', 'q', 'not_allowed'],
      ['x=1', 'x', 'unknown_field'],
      ['Limit=1', 'Limit', 'unknown_field'],
      ['limit[]=1', 'limit[]', 'unknown_field'],
      ['__proto__=1', '__proto__', 'unknown_field'],
      ['token=x', 'token', 'unknown_field'],
      ['q=%zz', 'q', 'bad_format'],
      ['q=%ff', 'q', 'bad_format'],
      ['q=%00', 'q', 'bad_format'],
      ['label=%ed%a0%80', 'label', 'bad_format'],
    ])
  })

  test('where an endpoint takes no parameters any key is 422', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    await org.finds([['limit', 'unknown_field']], () => org.api.get(`/contacts/${id}?limit=1`))
    await org.finds([['x', 'unknown_field']], () => org.api.post('/contacts?x=1', { full_name: 'A' }))
    await org.finds([['x', 'unknown_field']], () => org.api.patch(`/contacts/${id}?x`, { full_name: 'B' }))
    await org.finds([['x', 'unknown_field']], () => org.api.delete(`/contacts/${id}?x=1`))
  })

  test('of two ids made by one process the later is the greater', async () => {
    const org = await kith.org()
    const ids = [] as string[]
    for (let i = 0; i < 20; i++) ids.push((await org.addContact()).id)
    assert.deepEqual(ids, ids.toSorted())
  })

  test('a strict pipeline takes only its stages, on create and when the stage moves', async () => {
    const org = await kith.org()
    const old = await org.addContact({ deal_stage: 'elsewhere' })
    const set = await kith.command('org', 'set', org.id, '--stages', 'new,old', '--strict-stages', 'on')
    assert.equal(set.code, 0, set.stderr)
    assert.equal((await org.addContact({ deal_stage: 'new' })).deal_stage, 'new')
    await org.finds([['deal_stage', 'not_allowed']], () => org.api.post('/contacts', { ...WHOLE, deal_stage: 'lead' }))
    const path = `/contacts/${old.id}`
    assert.equal((await org.api.patch(path, { deal_stage: 'elsewhere', phone: '1' })).status, 200)
    await org.finds([['deal_stage', 'not_allowed']], () => org.api.patch(path, { deal_stage: 'lead' }))
    assert.equal((await org.api.patch(path, { deal_stage: null })).status, 200)
    await kith.command('org', 'set', org.id, '--strict-stages', 'off')
    assert.equal((await org.api.patch(path, { deal_stage: 'lead' })).status, 200)
  })
})

function namesOf({ data }: { data: { full_name: string }[] }): string[] {
  return data.map(({ full_name }) => full_name)
}

type Refusing = { api: Client; finds(faults: [string, string][], call: () => ReturnType<Client['get']>): Promise<void> }

async function faultsOfQueries(org: Refusing, path: string, faults: string[][]): Promise<void> {
  for (const [query, key, code] of faults) await org.finds([[key!, code!]], () => org.api.get(`${path}?${query}`))
}
