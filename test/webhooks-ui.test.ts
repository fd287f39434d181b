/** Webhooks and their deliveries at the web app's door. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { EVENT_NAMES } from '../server/src/events/names.ts'
import { signBody } from '../server/src/webhooks/signature.ts'
import { withKith } from './support/kith.ts'
import { type Hook, type Receiver, startReceiver } from './support/receiver.ts'
import type { Ui } from './support/ui.ts'
import { until } from './support/until.ts'

let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
})
after(() => receiver.close())

withKith((kith) => {
  test('a webhook is added with its secret in that one answer, shown, changed, paused, resumed and deleted', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin')
    const { url } = receiver.hook()
    const made = await ui.post('/webhooks', { url, events: ['task.created', 'contact.created'], note: 'ours' })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers['cache-control'], 'no-store')
    const { id, secret } = made.body
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const [listed, ...others] = (await ui.get('/webhooks')).body.data
    assert.deepEqual(others, [])
    const { created_at, hours, last_delivery, ...rest } = listed
    const events = ['contact.created', 'task.created']
    assert.deepEqual(rest, { id, url, events, note: 'ours', paused_at: null, old_secret_until: null })
    assert.deepEqual([hours.length, last_delivery], [24, null])
    const other = receiver.hook().url
    const changed = await ui.patch(`/webhooks/${id}`, { url: other, events: ['task.completed'], note: null })
    assert.deepEqual([changed.body.url, changed.body.events, changed.body.note], [other, ['task.completed'], null])
    assert.notEqual((await ui.post(`/webhooks/${id}/pause`)).body.paused_at, null)
    assert.equal((await ui.post(`/webhooks/${id}/resume`)).body.paused_at, null)
    const details = (await ui.get(`/webhooks/${id}`)).body
    assert.deepEqual([details.url, details.hours.length, details.sending_again], [other, 7 * 24, null])
    for (const path of ['/webhooks', `/webhooks/${id}`]) assert.ok(!(await ui.get(path)).text.includes(secret))
    assert.deepEqual((await ui.delete(`/webhooks/${id}`)).body, { id, deleted: true })
    assert.equal((await ui.get(`/webhooks/${id}`)).status, 404)
    assert.ok(!kith.log.includes(secret))
  })

  test('an address that nothing may be sent to is refused with a sentence, while typing and when it is saved', async () => {
    const ui = await kith.ui(await kith.org(), 'admin')
    const check = async (url: string) => (await ui.post('/webhooks/check-url', { url })).body.refused
    assert.equal(await check('https://example.com/hooks'), null)
    assert.equal(await check('http://example.com/hooks'), HTTPS)
    assert.equal(await check('https://10.0.0.1/'), 'The address is private and not allowed.')
    const refused = await ui.post('/webhooks', { url: 'http://example.com/', events: ['task.created'] })
    assert.deepEqual(refused.body.details, [{ path: 'url', code: 'not_allowed', message: HTTPS }])
    const { id } = (await ui.post('/webhooks', { url: 'https://example.com/', events: ['task.created'] })).body
    assert.equal((await ui.patch(`/webhooks/${id}`, { url: 'https://10.0.0.1/' })).status, 422)
    assert.equal((await ui.patch(`/webhooks/${id}`, { events: [] })).status, 422)
    const { url, events } = (await ui.get(`/webhooks/${id}`)).body
    assert.deepEqual([url, events], ['https://example.com/', ['task.created']])
  })

  test('a test reaches the receiver signed, says that it is one, and stands in the log like any other', async () => {
    const org = await kith.org()
    const { ui, id, secret, hook } = await withWebhook(org, { events: ['task.created'] })
    for (const event of EVENT_NAMES) {
      const { body } = await ui.post(`/webhooks/${id}/test`, { event })
      const received = (await hook.until(EVENT_NAMES.indexOf(event) + 1)).at(-1)!
      assert.equal(received.headers['x-service-delivery'], body.delivery_id)
      assert.equal(received.headers['x-service-signature'], signBody(secret, received.body))
      assert.deepEqual([received.json.event, received.json.payload.test], [event, true])
      const about = event.startsWith('task.') ? received.json.payload.task : received.json.payload.contact
      assert.match(about.full_name ?? about.title, /\(sample\)$/)
    }
    const log = await logOf(ui, id, (rows) => rows.every(({ status }) => status === 'delivered'))
    assert.deepEqual(log.map(({ event }) => event).reverse(), [...EVENT_NAMES])
    assert.ok(log.every(({ is_test, contact, attempts }) => is_test && contact === null && attempts === 1))
    assert.deepEqual((await ui.get('/contacts')).body.data, [])
    const [{ last_delivery, hours }] = (await ui.get('/webhooks')).body.data
    assert.equal(last_delivery.id, log[0].id)
    assert.deepEqual([sum(hours, 'delivered'), sum(hours, 'failed')], [6, 0])
    await ui.post(`/webhooks/${id}/pause`)
    assert.equal((await ui.post(`/webhooks/${id}/test`, { event: 'task.created' })).status, 422)
  })

  test('a delivery shows what was sent and answered, and is sent again under the same id', async () => {
    const org = await kith.org()
    const { ui, id, hook } = await withWebhook(org)
    hook.manner = { status: 500, headers: { 'x-own': '<b>' }, body: 'no\u001b[31m <script>' }
    const contact = await org.addContact({ full_name: 'Ada' })
    const [failed] = await logOf(ui, id, ([first]) => first?.status === 'failed')
    assert.deepEqual(failed.contact, { id: contact.id, name: 'Ada' })
    assert.deepEqual([failed.response_status, failed.event, failed.is_test], [500, 'contact.created', false])
    const shown = (await ui.get(`/deliveries/${failed.id}`)).body
    const received = hook.received[0]!
    assert.equal(shown.body, received.body.toString())
    const [attempt] = shown.tries
    assert.deepEqual([attempt.number, attempt.url, attempt.delivered], [1, hook.url, false])
    const sent = Object.fromEntries(attempt.request_headers)
    assert.equal(sent['X-Service-Signature'], received.headers['x-service-signature'])
    assert.equal(attempt.response_body, 'no\u001b[31m <script>')
    assert.ok(attempt.response_headers.some(([name, value]: string[]) => name === 'x-own' && value === '<b>'))
    assert.equal(typeof attempt.timings.first_byte_ms, 'number')
    hook.manner = {}
    const again = await ui.post(`/deliveries/${failed.id}/send-again`)
    assert.equal(again.status, 200, again.text)
    await hook.until(2)
    assert.equal(hook.received[1]!.headers['x-service-delivery'], failed.id)
    assert.deepEqual(hook.received[1]!.body, received.body)
    await logOf(ui, id, ([first]) => first?.status === 'delivered')
    const { tries } = (await ui.get(`/deliveries/${failed.id}`)).body
    assert.deepEqual(
      tries.map((one: { number: number; delivered: boolean }) => [one.number, one.delivered]),
      [
        [2, true],
        [1, false],
      ],
    )
    const { hours } = (await ui.get(`/webhooks/${id}`)).body
    assert.deepEqual([sum(hours, 'delivered'), sum(hours, 'failed')], [1, 1])
  })

  test('the log is filtered by state, event, contact and time, and goes on behind a delivery', async () => {
    const org = await kith.org()
    const { ui, id, hook } = await withWebhook(org)
    hook.manner = ({ json }) => ({ status: json.payload.contact.full_name === 'Bob' ? 500 : 200 })
    const begun = new Date().toISOString()
    const ada = await org.addContact({ full_name: 'Ada' })
    const bob = await org.addContact({ full_name: 'Bob' })
    await org.api.patch(`/contacts/${ada.id}`, { company: 'Acme' })
    const all = await logOf(ui, id, (rows) => rows.length === 3 && rows.every(({ status }) => status !== 'pending'))
    const names = (rows: Row[]) => rows.map(({ event, contact }) => `${event} ${contact?.name}`)
    assert.deepEqual(names(all), ['contact.updated Ada', 'contact.created Bob', 'contact.created Ada'])
    const list = async (query: string) => names((await ui.get(`/webhooks/${id}/deliveries?${query}`)).body.data)
    assert.deepEqual(await list('status=failed'), ['contact.created Bob'])
    assert.deepEqual(await list('status=delivered'), ['contact.updated Ada', 'contact.created Ada'])
    assert.deepEqual(await list('status=pending'), [])
    assert.deepEqual(await list('event=contact.updated'), ['contact.updated Ada'])
    assert.deepEqual(await list(`contact_id=${bob.id}`), ['contact.created Bob'])
    assert.deepEqual(await list(`contact_id=${ada.id}&event=contact.created`), ['contact.created Ada'])
    assert.deepEqual(await list('limit=1'), ['contact.updated Ada'])
    assert.deepEqual(await list(`before=${all[0]!.id}&limit=1`), ['contact.created Bob'])
    assert.deepEqual(await list(`before=${all[2]!.id}`), [])
    assert.equal((await list(`from=${begun}`)).length, 3)
    assert.deepEqual(await list(`to=${begun}`), [])
    assert.deepEqual(await list(`from=${new Date(Date.now() + 60_000).toISOString()}`), [])
    assert.equal((await ui.get(`/webhooks/${id}/deliveries?status=lost`)).status, 422)
    const own = (await ui.get(`/contacts/${ada.id}/deliveries?status=delivered`)).body.data
    assert.deepEqual(names(own), ['contact.updated Ada', 'contact.created Ada'])
    assert.equal(own[0].subscription_url, hook.url)
  })

  test('all that have failed since a time are sent again, the oldest first, each once', async () => {
    const org = await kith.org()
    const { ui, id, hook } = await withWebhook(org, { events: ['contact.created'] })
    hook.manner = { status: 503 }
    for (let i = 0; i < 120; i++) await org.addContact({ full_name: `n${i}` })
    await until('all have failed', async () => (await failedSince(0)) === 120)
    const since = new Date(0).toISOString()
    assert.equal(await failedSince(60_000), 0)
    hook.received.length = 0
    hook.manner = {}
    assert.deepEqual((await ui.post(`/webhooks/${id}/send-failed-again`, { since })).body, { queued: 120 })
    await hook.until(120)
    await until('none has failed', async () => (await failedSince(0)) === 0)
    await until('it has ended', async () => (await ui.get(`/webhooks/${id}`)).body.sending_again === null)
    assert.equal(new Set(hook.received.map(({ headers }) => headers['x-service-delivery'])).size, 120)
    assert.equal(hook.received.length, 120)
    assert.deepEqual((await ui.post(`/webhooks/${id}/send-failed-again`, { since })).body, { queued: 0 })

    async function failedSince(fromNowMs: number): Promise<number> {
      const since = new Date(fromNowMs === 0 ? 0 : Date.now() + fromNowMs).toISOString()
      return (await ui.get(`/webhooks/${id}/failed?since=${since}`)).body.count
    }
  })

  test('at so many a minute they go bit by bit, until it is stopped', async () => {
    const org = await kith.org()
    const { ui, id, hook } = await withWebhook(org, { events: ['contact.created'] })
    hook.manner = { status: 503 }
    for (let i = 0; i < 4; i++) await org.addContact({ full_name: `n${i}` })
    const since = new Date(0).toISOString()
    await until('all have failed', async () => {
      return (await ui.get(`/webhooks/${id}/failed?since=${since}`)).body.count === 4
    })
    hook.received.length = 0
    hook.manner = {}
    const asked = await ui.post(`/webhooks/${id}/send-failed-again`, { since, per_minute: 1 })
    assert.deepEqual(asked.body, { queued: 4 })
    await hook.until(1)
    await until('the first is counted', async () => {
      return (await ui.get(`/webhooks/${id}`)).body.sending_again?.done === 1
    })
    assert.equal((await ui.delete(`/webhooks/${id}/send-failed-again`)).body.sending_again, null)
    assert.equal(hook.received.length, 1)
    assert.equal((await ui.get(`/webhooks/${id}/failed?since=${since}`)).body.count, 3)
  })

  test('a new secret is shown once and signs beside the old one, until that is ended', async () => {
    const org = await kith.org()
    const { ui, id, secret, hook } = await withWebhook(org)
    const rotated = await ui.post(`/webhooks/${id}/secret`)
    assert.equal(rotated.headers['cache-control'], 'no-store')
    const { secret: newSecret, old_secret_until } = rotated.body
    assert.equal((await ui.get(`/webhooks/${id}`)).body.old_secret_until, old_secret_until)
    await ui.post(`/webhooks/${id}/test`, { event: 'task.created' })
    const [beside] = await hook.until(1)
    assert.equal(beside!.headers['x-service-signature'], signBody(secret, beside!.body))
    assert.equal(String(beside!.headers['webhook-signature']).split(' ').length, 2)
    assert.equal((await ui.delete(`/webhooks/${id}/secret/old`)).body.old_secret_until, null)
    await until('the old one has ended', async () => {
      await ui.post(`/webhooks/${id}/test`, { event: 'task.created' })
      const last = (await hook.until(hook.received.length + 1)).at(-1)!
      return last.headers['x-service-signature'] === signBody(newSecret, last.body)
    })
    assert.ok(!(await ui.get('/webhooks')).text.includes('whsec_'))
  })

  test('of all this a member is refused, and another org finds nothing', async () => {
    const org = await kith.org()
    const { ui, id, hook } = await withWebhook(org)
    await org.addContact()
    const [delivery] = await logOf(ui, id, ([first]) => first?.status === 'delivered')
    const member = await kith.ui(org, 'member')
    const stranger = await kith.ui(await kith.org(), 'admin')
    const since = new Date(0).toISOString()
    const calls: [method: string, path: string, body?: object][] = [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { note: 'x' }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/pause`],
      ['POST', `/webhooks/${id}/resume`],
      ['POST', `/webhooks/${id}/secret`],
      ['DELETE', `/webhooks/${id}/secret/old`],
      ['POST', `/webhooks/${id}/test`, { event: 'task.created' }],
      ['GET', `/webhooks/${id}/failed?since=${since}`],
      ['POST', `/webhooks/${id}/send-failed-again`, { since }],
      ['DELETE', `/webhooks/${id}/send-failed-again`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['GET', `/contacts/${delivery!.contact!.id}/deliveries`],
      ['GET', `/deliveries/${delivery!.id}`],
      ['POST', `/deliveries/${delivery!.id}/send-again`],
    ]
    const before = (await ui.get(`/webhooks/${id}`)).text
    for (const [method, path, body] of calls) {
      const refused = await member.send(method, path, body)
      assert.deepEqual([refused.status, refused.body.error], [403, 'forbidden'], `${method} ${path}`)
      const unknown = await stranger.send(method, path, body)
      assert.deepEqual([unknown.status, unknown.body.error], [404, 'not_found'], `${method} ${path}`)
    }
    assert.equal((await member.get('/webhooks')).status, 403)
    assert.equal((await member.post('/webhooks', { url: hook.url, events: ['task.created'] })).status, 403)
    assert.deepEqual((await stranger.get('/webhooks')).body.data, [])
    assert.equal((await ui.get(`/webhooks/${id}`)).text, before)
    assert.equal(hook.received.length, 1)
  })

  interface Row {
    id: string
    event: string
    status: string
    contact: { id: string; name: string } | null
  }

  async function withWebhook(org: { id: string }, { events = EVENT_NAMES as readonly string[] } = {}) {
    const ui = await kith.ui(org, 'admin')
    const hook: Hook = receiver.hook()
    const { id, secret } = (await ui.post('/webhooks', { url: hook.url, events })).body
    return { ui, hook, id: id as string, secret: secret as string }
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests reach into rows
  async function logOf(ui: Ui, id: string, isReached: (rows: any[]) => boolean): Promise<any[]> {
    return until('the log says so', async () => {
      const { data } = (await ui.get(`/webhooks/${id}/deliveries`)).body
      return isReached(data) && data
    })
  }
})

const HTTPS = 'The URL must begin with https://; plain http is only for hosts that the operator allows.'

function sum(hours: Record<string, number>[], field: string): number {
  return hours.reduce((total, hour) => total + hour[field]!, 0)
}
