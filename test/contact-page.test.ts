/** What the page of one contact works with: its history, notes of people, and the views that lead to it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKith } from './support/kith.ts'

withKith((kith) => {
  async function seat() {
    const org = await kith.org()
    const ada = await kith.ui(org, 'member', { name: 'Ada' })
    const grace = await kith.ui(org, 'admin', { name: 'Grace' })
    const contact = await org.addContact({ full_name: 'Zoë Quill' })
    return { org, ada, grace, contact }
  }

  test('notes stand in the history with their author, newest first by when it was; they are no events', async () => {
    const { org, ada, grace, contact } = await seat()
    const at = `/contacts/${contact.id}/activities`
    const call = await ada.post(at, {
      kind: 'call',
      body: ' Rang.\nNo answer. ',
      occurred_at: '2001-01-01T10:00:00+01:00',
    })
    assert.equal(call.status, 201, call.text)
    const note = await grace.post(at, { kind: 'note', body: 'Likes tea' })
    const { data, meta } = (await ada.get(at)).body
    assert.deepEqual(
      data.map((line: Record<string, unknown>) => [line.kind, line.body, line.author, line.is_own, line.edited_at]),
      [
        ['note', 'Likes tea', 'Grace', false, null],
        ['created', 'Created', 'Command line', false, null],
        ['call', 'Rang.\nNo answer.', 'Ada', true, null],
      ].map((line, i) => (i === 1 ? [...line.slice(0, 2), data[1].author, ...line.slice(3)] : line)),
    )
    assert.deepEqual([data[2].occurred_at, meta], ['2001-01-01T09:00:00.000Z', { count: 3, next: null }])
    assert.equal(data[0].id, note.body.id)
    assert.deepEqual(await org.eventNames(), ['contact.created'])
  })

  test('the history is read piece by piece', async () => {
    const { ada, contact } = await seat()
    const at = `/contacts/${contact.id}/activities`
    for (let i = 0; i < 6; i++) {
      await ada.post(at, { kind: 'note', body: `${i}`, occurred_at: `2001-01-0${1 + Math.floor(i / 2)}T00:00:00Z` })
    }
    const whole = (await ada.get(at)).body.data
    const seen: unknown[] = []
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await ada.get(`${at}?limit=2${next && `&before=${encodeURIComponent(next)}`}`)
      seen.push(...body.data)
      next = body.meta.next
    }
    assert.equal(whole.length, 7)
    assert.deepEqual(seen, whole)
    const { status, body } = await ada.get(`${at}?before=x`)
    assert.deepEqual([status, body.details[0].path, body.details[0].code], [422, 'before', 'bad_format'])
  })

  test('one’s own notes can be changed and deleted; what others and the service wrote cannot', async () => {
    const { ada, grace, contact } = await seat()
    const at = `/contacts/${contact.id}/activities`
    const { body: note } = await ada.post(at, { kind: 'note', body: 'Frist' })
    const changed = await ada.patch(`${at}/${note.id}`, { body: 'First' })
    assert.deepEqual([changed.status, changed.body.body, changed.body.kind], [200, 'First', 'note'])
    assert.ok(changed.body.edited_at >= note.occurred_at)
    const { data } = (await ada.get(at)).body
    assert.deepEqual(data[0], changed.body)
    for (const [ui, id] of [
      [grace, note.id],
      [ada, data[1].id],
    ] as const) {
      assert.deepEqual((await ui.patch(`${at}/${id}`, { body: 'Mine' })).body.error, 'forbidden')
      assert.deepEqual((await ui.delete(`${at}/${id}`)).status, 403)
    }
    assert.deepEqual((await ada.get(at)).body.data, data, 'nothing has changed')
    assert.deepEqual((await ada.delete(`${at}/${note.id}`)).body, { id: note.id, deleted: true })
    assert.equal((await ada.delete(`${at}/${note.id}`)).status, 404)
    assert.equal((await ada.get(at)).body.meta.count, 1)
  })

  test('a note needs a kind of people’s and a text; the refused one is not there', async () => {
    const { ada, contact } = await seat()
    const at = `/contacts/${contact.id}/activities`
    for (const [body, path] of [
      [{ kind: 'created', body: 'x' }, 'kind'],
      [{ kind: 'note' }, 'body'],
      [{ kind: 'note', body: '  ' }, 'body'],
      [{ kind: 'note', body: 'x'.repeat(10_001) }, 'body'],
      [{ kind: 'note', body: 'x', author: 'Grace' }, 'author'],
    ] as const) {
      const answer = await ada.post(at, body)
      assert.deepEqual([answer.status, answer.body.details[0].path], [422, path])
    }
    assert.equal((await ada.get(at)).body.meta.count, 1)
  })

  test('the page has the contact, its history, and how much there is to do and to delete', async () => {
    const { org, ada, contact } = await seat()
    await org.addTask({ title: 'Call', contact_id: contact.id, due_at: '2001-01-01T00:00:00Z' })
    await org.addTask({ title: 'Write', contact_id: contact.id })
    const { status, body } = await ada.get(`/contacts/${contact.id}/page`)
    assert.deepEqual([status, body.changed_by], [200, null])
    await ada.patch(`/contacts/${contact.id}`, { label: 'hot' })
    assert.equal((await ada.get(`/contacts/${contact.id}/page`)).body.changed_by, 'Ada')
    assert.deepEqual(
      [body.contact, body.activities.meta.count, body.open_tasks, body.overdue_tasks, body.delivery_count],
      [contact, 1, 2, 1, 0],
    )
  })

  test('another org’s contact, its history and its notes are not there', async () => {
    const { ada, contact } = await seat()
    const at = `/contacts/${contact.id}`
    const { body: note } = await ada.post(`${at}/activities`, { kind: 'note', body: 'Ours' })
    const stranger = await kith.ui(await kith.org())
    assert.equal((await stranger.get(`${at}/page`)).status, 404)
    assert.equal((await stranger.get(`${at}/activities`)).status, 404)
    assert.equal((await stranger.post(`${at}/activities`, { kind: 'note', body: 'Theirs' })).status, 404)
    assert.equal((await stranger.patch(`${at}/activities/${note.id}`, { body: 'Theirs' })).status, 404)
    assert.equal((await stranger.delete(`${at}/activities/${note.id}`)).status, 404)
    assert.deepEqual((await ada.get(`${at}/activities`)).body.data[0], note)
  })

  test('a contact takes its history along when it is deleted', async () => {
    const { org, ada, contact } = await seat()
    await ada.post(`/contacts/${contact.id}/activities`, { kind: 'note', body: 'Gone tomorrow' })
    assert.equal((await ada.delete(`/contacts/${contact.id}`)).status, 200)
    assert.equal((await ada.get(`/contacts/${contact.id}/activities`)).status, 404)
    const { n } = await kith.db.read
      .selectFrom('activity')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('org_id', '=', org.id)
      .executeTakeFirstOrThrow()
    assert.equal(n, 0)
  })

  test('a saved view is there for every member of the org, and for no other', async () => {
    const { ada, grace } = await seat()
    const stranger = await kith.ui(await kith.org())
    const input = {
      name: 'Hot in Berlin',
      filter: { labels: ['hot', null], q: 'berlin' },
      sort: '-value',
      columns: ['name'],
    }
    const made = await ada.post('/views', input)
    assert.equal(made.status, 201, made.text)
    const { id } = made.body
    assert.deepEqual(made.body, { id, ...input })
    assert.deepEqual((await grace.get('/views')).body.data, [made.body])
    assert.deepEqual((await grace.get('/session')).body.views, [made.body])
    assert.deepEqual((await stranger.get('/views')).body.data, [])
    assert.equal((await stranger.patch(`/views/${id}`, { name: 'Mine' })).status, 404)
    assert.equal((await stranger.delete(`/views/${id}`)).status, 404)

    const renamed = await grace.patch(`/views/${id}`, { name: 'Hot', filter: {} })
    assert.deepEqual(renamed.body, { ...made.body, name: 'Hot', filter: {} })
    const taken = await ada.post('/views', { name: 'Hot', filter: {} })
    assert.deepEqual([taken.status, taken.body.details[0].path], [422, 'name'])
    assert.equal((await ada.post('/views', { name: 'Bad', filter: { stages: 'lead' } })).status, 422)
    assert.deepEqual((await ada.delete(`/views/${id}`)).body, { id, deleted: true })
    assert.deepEqual((await grace.get('/views')).body.data, [])
  })
})
