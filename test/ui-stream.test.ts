import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createContact } from '../server/src/contacts/actions.ts'
import { announce } from '../server/src/live/announce.ts'
import { endSession } from '../server/src/sessions/actions.ts'
import { withKith } from './support/kith.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { openStream } from './support/stream.ts'
import { until } from './support/until.ts'

withKith((kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test('a page hears of contacts and tasks as they are made, changed and deleted, and their ids alone', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const page = await openStream(kith, ui)
    const { id } = await org.addContact()
    assert.deepEqual(await page.hears('contact', id), { kind: 'contact', id })
    const task = await org.addTask()
    await page.hears('task', task.id)
    const changed = await openStream(kith, ui)
    await org.api.patch(`/contacts/${id}`, { company: 'Engines' })
    await changed.hears('contact', id)
    await ui.patch(`/tasks/${task.id}`, { title: 'Another' })
    await changed.hears('task', task.id)
    const deleted = await openStream(kith, ui)
    await org.api.delete(`/contacts/${id}`)
    await deleted.hears('contact', id)
    for (const stream of [page, changed, deleted]) stream.close()
  })

  test('a page hears of what another process changes', async () => {
    const org = await kith.org()
    const page = await openStream(kith, await kith.ui(org))
    const { id } = await kith.db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    await page.hears('contact', id)
    page.close()
  })

  test('a page that connects hears of what changed in the seconds before, in its own org', async () => {
    const ours = await kith.org()
    const theirs = await kith.org()
    const { id } = await ours.addContact()
    const task = await ours.addTask({ contact_id: id })
    const page = await openStream(kith, await kith.ui(ours))
    const told = page.missed.map((message) => `${message.kind} ${message.id}`)
    assert.deepEqual([...new Set(told)].sort(), [`contact ${id}`, `task ${task.id}`])
    const other = await openStream(kith, await kith.ui(theirs))
    assert.deepEqual(other.missed, [])
    page.close()
    other.close()
  })

  test('many changes at once are told as one', async () => {
    const org = await kith.org()
    const page = await openStream(kith, await kith.ui(org))
    await kith.db.write(async (tx) => {
      for (let at = 0; at < 200; at++) await createContact(tx, org.actor, { full_name: `Ada ${at}` })
    })
    await page.hears('contact', null)
    assert.ok(page.messages.length < 50, `${page.messages.length} messages`)
    page.close()
  })

  test('another org hears nothing', async () => {
    const ours = await kith.org()
    const theirs = await kith.org()
    const own = await openStream(kith, await kith.ui(ours, 'admin'))
    const other = await openStream(kith, await kith.ui(theirs, 'admin'))
    await ours.subscribe(receiver.hook().url)
    const { id } = await ours.addContact()
    await own.hears('delivery')
    const after = await theirs.addContact()
    await other.hears('contact', after.id)
    await own.hears('contact', id)
    assert.deepEqual(other.messages, [{ kind: 'contact', id: after.id }])
    own.close()
    other.close()
  })

  test('admins alone hear of deliveries, keys and webhooks; of members and settings everybody does', async () => {
    const org = await kith.org()
    const admin = await openStream(kith, await kith.ui(org, 'admin'))
    const member = await openStream(kith, await kith.ui(org, 'member'))
    const { id } = await org.subscribe(receiver.hook().url)
    const contact = await org.addContact()
    assert.deepEqual(await admin.hears('delivery', id), { kind: 'delivery', id })
    await member.hears('contact', contact.id)
    // On SQLite announcements reach the pages of the process that makes them, and polls find the rest.
    if (kith.engine === 'postgres') {
      await kith.db.write(async (tx) => {
        for (const kind of ['token', 'webhook', 'member'] as const) announce(tx, org.id, kind, null)
      })
      for (const kind of ['token', 'webhook', 'member'] as const) await admin.hears(kind, null)
      await member.hears('member', null)
    }
    const kinds = new Set(member.messages.map(({ kind }) => kind))
    assert.deepEqual([...kinds].sort(), kith.engine === 'postgres' ? ['contact', 'member'] : ['contact'])
    admin.close()
    member.close()
  })

  test('a stream needs a session, and ends soon after it, also when another process ended it', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    assert.equal((await openStream(kith, { cookie: '' })).answer.statusCode, 401)
    const page = await openStream(kith, ui)
    const other = await openStream(kith, await kith.ui(org))
    const session = { ...ui.member, orgId: org.id, sessionId: ui.sessionId }
    await kith.db.write((tx) => endSession(tx, session, ui.sessionId))
    await until('the stream has ended', page.hasEnded)
    assert.equal(other.hasEnded(), false)
    other.close()
  })

  test('a member has 20 streams at most; one that is closed makes room', async () => {
    const ui = await kith.ui(await kith.org())
    const pages = await Promise.all(Array.from({ length: 20 }, () => openStream(kith, ui)))
    const refused = await ui.get('/stream')
    assert.deepEqual([refused.status, refused.body.error], [503, 'unavailable'])
    pages.pop()!.close()
    const another = await until('there is room', async () => {
      const page = await openStream(kith, ui)
      return page.answer.statusCode === 200 && page
    })
    for (const page of [...pages, another]) page.close()
  })

  test('a stream is text/event-stream that nobody keeps, and does not hold up the stop of the server', async () => {
    const org = await kith.org()
    const page = await openStream(kith, await kith.ui(org))
    const { headers } = page.answer
    assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.ok(headers['x-request-id'])
    const { code } = await kith.stop()
    assert.equal(code, 0)
    await until('the stream has ended', page.hasEnded)
    assert.ok(page.answer.complete, 'it was ended, and not cut off')
    await kith.start()
  })
})
