import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKithAndNodes } from '../support/kith.ts'
import type { Fields } from '../support/org.ts'

const STATUSES = ['open', 'done', 'completed', 'cancelled']
const DUE = '2026-05-14T09:30:00.000Z'

withKithAndNodes((kith) => {
  test('POST answers 201 with Location and the created task, open, and emits task.created', async () => {
    const org = await kith.org()
    const contact = await org.addContact()
    const input = { title: 'Call Ada', priority: 'high', category: 'call', due_at: DUE, contact_id: contact.id }
    const { status, headers, body } = await org.api.post('/tasks', input)
    assert.equal(status, 201)
    const { id, created_at } = body
    const rest = { status: 'open', completed_at: null, created_at, updated_at: created_at }
    assert.deepEqual(body, { id, ...input, ...rest })
    assert.equal(headers.location, `/api/v1/tasks/${id}`)
    assert.deepEqual(await org.eventNames(), ['contact.created', 'task.created'])
  })

  test('a title is enough; what is unset is null', async () => {
    const org = await kith.org()
    const { id, created_at, updated_at, ...fields } = await org.addTask({ title: ' x ' })
    assert.deepEqual(fields, {
      title: 'x',
      priority: null,
      category: null,
      due_at: null,
      contact_id: null,
      status: 'open',
      completed_at: null,
    })
  })

  test('a title is required, 1 to 500 characters', async () => {
    const org = await kith.org()
    for (const body of [{}, { priority: 'high' }, { title: null }, { title: '' }, { title: '  ' }]) {
      await org.finds([['title', 'required']], () => org.api.post('/tasks', body))
    }
    const most = '\u{1f4de}'.repeat(500)
    assert.equal((await org.addTask({ title: most })).title, most)
    await org.finds([['title', 'too_long']], () => org.api.post('/tasks', { title: `${most}x` }))
    const { id } = await org.addTask()
    await org.finds([['title', 'required']], () => org.api.patch(`/tasks/${id}`, { title: null }))
    await org.finds([['title', 'required']], () => org.api.patch(`/tasks/${id}`, { title: '' }))
  })

  test('priority and category take any name of at most 64 characters', async () => {
    const org = await kith.org()
    for (const field of ['priority', 'category']) {
      const most = 'x'.repeat(64)
      assert.equal((await org.addTask({ [field]: most }))[field], most)
      await org.finds([[field, 'too_long']], () => org.api.post('/tasks', { title: 'A', [field]: `${most}x` }))
      await org.finds([[field, 'wrong_type']], () => org.api.post('/tasks', { title: 'A', [field]: 1 }))
    }
  })

  test('due_at takes any offset and is stored and shown as UTC with milliseconds, further digits cut', async () => {
    const org = await kith.org()
    for (const [sent, shown] of [
      ['2026-05-14T09:30:00Z', DUE],
      ['2026-05-14T11:30:00+02:00', DUE],
      ['2026-05-13T23:30:00.000-10:00', DUE],
      ['2026-05-14T09:30:00.1239Z', '2026-05-14T09:30:00.123Z'],
      ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ] as const) {
      const task = await org.addTask({ due_at: sent })
      assert.equal(task.due_at, shown)
      assert.deepEqual((await org.api.patch(`/tasks/${task.id}`, { due_at: sent })).body.due_at, shown)
    }
  })

  test('a date alone, no offset, 24:00, :60 and days that do not exist are 422', async () => {
    const org = await kith.org()
    for (const due_at of [
      '2026-05-14',
      '2026-05-14T09:30:00',
      '2026-05-14T24:00:00Z',
      '2026-05-14T09:60:00Z',
      '2026-05-14T23:59:60Z',
      '2026-02-30T00:00:00Z',
      '2025-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '10000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      'tomorrow',
      '1778751000',
    ]) {
      await org.finds([['due_at', 'bad_format']], () => org.api.post('/tasks', { title: 'A', due_at }))
    }
    await org.finds([['due_at', 'wrong_type']], () => org.api.post('/tasks', { title: 'A', due_at: 1_778_751_000 }))
  })

  test('contact_id must name a contact of the org, malformed ones too', async () => {
    const org = await kith.org()
    const other = await (await kith.org()).addContact()
    const task = await org.addTask()
    for (const contact_id of [other.id, crypto.randomUUID(), 'x', '1', other.id.toUpperCase()]) {
      await org.finds([['contact_id', 'not_found']], () => org.api.post('/tasks', { title: 'A', contact_id }))
      await org.finds([['contact_id', 'not_found']], () => org.api.patch(`/tasks/${task.id}`, { contact_id }))
    }
  })

  test('status and what the server sets may not be sent on create', async () => {
    const org = await kith.org()
    for (const [field, value] of [
      ['status', 'open'],
      ['id', crypto.randomUUID()],
      ['completed_at', null],
      ['created_at', DUE],
      ['updated_at', DUE],
    ] as const) {
      await org.finds([[field, 'not_allowed']], () => org.api.post('/tasks', { title: 'A', [field]: value }))
    }
    const { id } = await org.addTask()
    for (const field of ['id', 'completed_at', 'created_at', 'updated_at']) {
      await org.finds([[field, 'not_allowed']], () => org.api.patch(`/tasks/${id}`, { title: 'B', [field]: DUE }))
    }
    await org.finds([['name', 'unknown_field']], () => org.api.patch(`/tasks/${id}`, { name: 'B' }))
  })

  test('PATCH changes the fields that are sent and answers the whole updated task', async () => {
    const org = await kith.org()
    const contact = await org.addContact()
    const before = await org.addTask({ priority: 'low', due_at: DUE })
    const { status, body } = await org.api.patch(`/tasks/${before.id}`, { priority: null, contact_id: contact.id })
    assert.equal(status, 200)
    assert.deepEqual(body, { ...before, priority: null, contact_id: contact.id, updated_at: body.updated_at })
    assert.ok(body.updated_at > String(before.updated_at))
    assert.deepEqual((await org.api.get('/tasks')).body.data, [body])
  })

  test('any move of status is allowed; completed_at is set on entering done or completed and null again', async () => {
    const org = await kith.org()
    for (const from of STATUSES) {
      for (const to of STATUSES) {
        const { id } = await org.addTask()
        const before = (await org.api.patch(`/tasks/${id}`, { status: from })).body
        const { status, body } = await org.api.patch(`/tasks/${id}`, { status: to })
        assert.deepEqual([status, body.status], [200, to], `${from} to ${to}`)
        const isComplete = to === 'done' || to === 'completed'
        assert.equal(
          body.completed_at,
          isComplete ? (before.completed_at ?? body.updated_at) : null,
          `${from} to ${to}`,
        )
      }
    }
  })

  test('status is one of four', async () => {
    const org = await kith.org()
    const { id } = await org.addTask()
    for (const status of ['Done', 'closed']) {
      await org.finds([['status', 'not_allowed']], () => org.api.patch(`/tasks/${id}`, { status }))
      await org.finds([['status', 'not_allowed']], () => org.api.get(`/tasks?status=${status}`))
    }
    await org.finds([['status', 'required']], () => org.api.patch(`/tasks/${id}`, { status: '' }))
  })

  test('PATCH with an empty body is 400 no_fields: {}, and no body at all', async () => {
    const org = await kith.org()
    const { id } = await org.addTask()
    await org.refuses([400, 'no_fields'], () => org.api.patch(`/tasks/${id}`, {}))
    await org.refuses([400, 'no_fields'], () => org.api.patch(`/tasks/${id}`))
  })

  test('a path id that names no task is 404, and a task has no GET or DELETE', async () => {
    const org = await kith.org()
    const { id } = await org.addTask()
    for (const wrong of [crypto.randomUUID(), 'x', id.toUpperCase(), `${id}/`]) {
      await org.refuses([404, 'not_found'], () => org.api.patch(`/tasks/${wrong}`, { title: 'B' }))
    }
    for (const method of ['GET', 'DELETE', 'HEAD', 'PUT']) {
      const { status, headers } = await org.api.send(method, `/tasks/${id}`)
      assert.deepEqual([status, headers.allow], [405, 'PATCH'], method)
    }
  })

  test('tasks come by due_at ascending, none last, ties by id ascending', async () => {
    const org = await kith.org()
    const made = [] as Fields[]
    const times = [DUE, null, '2026-05-14T09:29:59.999Z', '9999-12-31T00:00:00Z', null, DUE, '0001-01-01T00:00:00Z']
    for (const due_at of times) made.push(await org.addTask({ due_at }))
    const all = (await org.api.get('/tasks')).body
    assert.deepEqual(all, {
      data: [6, 2, 0, 5, 3, 1, 4].map((at) => made[at]),
      meta: { count: 7, limit: 50, offset: 0 },
    })
    const page = (await org.api.get('/tasks?limit=2&offset=4')).body
    assert.deepEqual(page, { data: all.data.slice(4, 6), meta: { count: 7, limit: 2, offset: 4 } })
  })

  test('status filters; limit and offset are as for contacts; an empty status is 422', async () => {
    const org = await kith.org()
    const made = new Map<string, string>()
    for (const status of STATUSES) {
      const { id } = await org.addTask()
      made.set(status, id)
      if (status !== 'open') await org.api.patch(`/tasks/${id}`, { status })
    }
    for (const [status, id] of made) {
      const { data, meta } = (await org.api.get(`/tasks?status=${status}`)).body
      assert.deepEqual([data.map((task: Fields) => task.id), meta.count], [[id], 1])
    }
    for (const [query, key, code] of [
      ['limit=0', 'limit', 'out_of_range'],
      ['limit=201', 'limit', 'out_of_range'],
      ['offset=1000000001', 'offset', 'out_of_range'],
      ['status=', 'status', 'required'],
      ['status=open&status=done', 'status', 'not_allowed'],
      ['contact_id=x', 'contact_id', 'unknown_field'],
    ] as const) {
      await org.finds([[key, code]], () => org.api.get(`/tasks?${query}`))
    }
  })
})
