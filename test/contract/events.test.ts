import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { withKithAndNodes } from '../support/kith.ts'
import type { Org } from '../support/org.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

withKithAndNodes((kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test('contact.created has the whole contact; one created with a stage emits nothing more', async () => {
    const org = await kith.org()
    const contact = await org.addContact({ deal_stage: 'lead', tags: ['a'] })
    assert.deepEqual(await bodies(org), [{ event: 'contact.created', ts: contact.created_at, payload: { contact } }])
  })

  test('every successful PATCH of a contact emits contact.updated with the names of the fields that differ', async () => {
    const org = await kith.org()
    const { id } = await org.addContact({ phone: '1', tags: ['a'] })
    const first = (await org.api.patch(`/contacts/${id}`, { phone: '2', tags: ['b'], full_name: 'Ada' })).body
    const second = (await org.api.patch(`/contacts/${id}`, { phone: '2' })).body
    assert.deepEqual((await bodies(org)).slice(1), [
      { event: 'contact.updated', ts: first.updated_at, payload: { contact: first, changed: ['phone', 'tags'] } },
      { event: 'contact.updated', ts: second.updated_at, payload: { contact: second, changed: [] } },
    ])
  })

  test('a PATCH to another stage emits contact.updated, then deal.stage_changed, to and from null too', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    let previous_stage: string | null = null
    for (const stage of ['lead', 'won', null]) {
      const contact = (await org.api.patch(`/contacts/${id}`, { deal_stage: stage })).body
      const [updated, moved] = (await bodies(org)).slice(-2)
      assert.deepEqual(updated, {
        event: 'contact.updated',
        ts: contact.updated_at,
        payload: { contact, changed: ['deal_stage'] },
      })
      assert.deepEqual(moved, {
        event: 'deal.stage_changed',
        ts: moved.ts,
        payload: { contact, new_stage: stage, previous_stage },
      })
      assert.ok(moved.ts > updated.ts)
      previous_stage = stage
    }
    await org.api.patch(`/contacts/${id}`, { deal_stage: null })
    assert.equal((await org.eventNames()).at(-1), 'contact.updated')
  })

  test('contact.deleted has the whole contact as it was right before', async () => {
    const org = await kith.org()
    const hook = receiver.hook()
    await org.subscribe(hook.url, ['contact.deleted'])
    const contact = await org.addContact({ deal_stage: 'lead', label: 'hot', tags: ['x'] })
    await org.api.delete(`/contacts/${contact.id}`)
    const [received] = await hook.until(1)
    assert.deepEqual(received!.json, { event: 'contact.deleted', ts: received!.json.ts, payload: { contact } })
    assert.ok(received!.json.ts > String(contact.updated_at))
  })

  test('when a contact is deleted no event is sent for its tasks', async () => {
    const org = await kith.org()
    const hook = receiver.hook()
    await org.subscribe(hook.url)
    const { id } = await org.addContact()
    await org.addTask({ contact_id: id })
    await org.api.delete(`/contacts/${id}`)
    await org.addTask({ title: 'Last' })
    const received = await hook.until(4)
    assert.deepEqual(received.map(({ json }) => json.event).sort(), [
      'contact.created',
      'contact.deleted',
      'task.created',
      'task.created',
    ])
    assert.equal((await org.api.get('/tasks')).body.meta.count, 2)
  })

  test('task.created and task.completed have the whole task', async () => {
    const org = await kith.org()
    const task = await org.addTask({ priority: 'high' })
    const done = (await org.api.patch(`/tasks/${task.id}`, { status: 'done' })).body
    assert.deepEqual(await bodies(org), [
      { event: 'task.created', ts: task.created_at, payload: { task } },
      { event: 'task.completed', ts: done.updated_at, payload: { task: done } },
    ])
  })

  test('a task PATCH whose body sets status done or completed emits task.completed, each time; others emit nothing', async () => {
    const org = await kith.org()
    const { id } = await org.addTask()
    for (const [patch, emits] of [
      [{ title: 'B' }, 0],
      [{ status: 'done' }, 1],
      [{ status: 'done' }, 1],
      [{ status: 'completed' }, 1],
      [{ title: 'C' }, 0],
      [{ status: 'cancelled' }, 0],
      [{ status: 'open' }, 0],
      [{ status: 'completed', title: 'D' }, 1],
    ] as const) {
      const countBefore = (await org.eventNames()).length
      assert.equal((await org.api.patch(`/tasks/${id}`, patch)).status, 200)
      const added = (await org.eventNames()).slice(countBefore)
      assert.deepEqual(added, Array(emits).fill('task.completed'), JSON.stringify(patch))
    }
  })

  test('ts grows strictly from event to event of one contact or task, so no two bodies about it are equal', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const task = await org.addTask()
    const calls = Array.from({ length: 20 }, (_, at) => [
      org.api.patch(`/contacts/${id}`, { deal_stage: at % 2 ? 'lead' : 'won' }),
      org.api.patch(`/tasks/${task.id}`, { status: 'done' }),
    ])
    await Promise.all(calls.flat())
    const events = await org.events()
    for (const about of [events.filter((event) => event.contact_id === id), events.filter((event) => event.task_id)]) {
      const times = about.map(({ ts }) => ts)
      assert.ok(times.length >= 21)
      assert.deepEqual(times, [...new Set(times)].sort())
    }
  })

  test('the payload is fixed when the event happens, not when it is sent', async () => {
    const org = await kith.org()
    const hook = receiver.hook({ delayMs: 150 })
    await org.subscribe(hook.url)
    const contact = await org.addContact({ full_name: 'First' })
    await org.api.patch(`/contacts/${contact.id}`, { full_name: 'Second' })
    await org.api.patch(`/contacts/${contact.id}`, { full_name: 'Third' })
    const received = await hook.until(3)
    assert.deepEqual(
      received.map(({ json }) => json.payload.contact.full_name),
      ['First', 'Second', 'Third'],
    )
    const stored = await kith.db.read
      .selectFrom('event')
      .select('body')
      .where('org_id', '=', org.id)
      .orderBy('seq')
      .execute()
    assert.deepEqual(
      received.map(({ body }) => body.toString()),
      stored.map(({ body }) => Buffer.from(body).toString()),
    )
  })

  test('contact.created is emitted by the CSV import too', async () => {
    const org = await kith.org()
    const imported = await kith.command('import', await csvFile(kith.folder), '--org', org.id)
    assert.equal(imported.code, 0, imported.stderr)
    assert.deepEqual(await org.eventNames(), ['contact.created', 'contact.created'])
  })
})

async function bodies(org: Org) {
  return (await org.events()).map(({ body }) => body)
}

async function csvFile(folder: string): Promise<string> {
  const path = join(folder, 'two.csv')
  await writeFile(path, 'full_name,company\nAda,Engines\nGrace,Navy\n')
  return path
}
