import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { verify } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'
import { withKithAndNodes } from '../support/kith.ts'
import type { Fields } from '../support/org.ts'
import { type Hook, type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const DEADLINE_MS = 10_000

withKithAndNodes((kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  const listed = async (org: string, ...options: string[]) => {
    const { code, stderr, value } = await kith.command('webhook', 'deliveries', '--org', org, ...options)
    assert.equal(code, 0, stderr)
    return value
  }
  const ended = (org: { deliveries(): Promise<{ state: string }[]> }, count: number) =>
    until('the deliveries have ended', async () => {
      const states = (await org.deliveries()).map(({ state }) => state)
      return states.length === count && states.every((state) => state === 'delivered' || state === 'failed')
    })

  test('a delivery is a POST with a JSON body and the headers of the contract', async () => {
    const org = await kith.org()
    const hook = receiver.hook()
    await org.subscribe(hook.url)
    const contact = await org.addContact({ full_name: 'Zoë \u{1f600}' })
    const [{ method, headers, body, json }] = (await hook.until(1)) as [Received]
    assert.equal(method, 'POST')
    assert.deepEqual(json, { event: 'contact.created', ts: contact.created_at, payload: { contact } })
    const { host, connection, 'x-service-delivery': delivery, 'webhook-timestamp': sentAt, ...rest } = headers
    assert.match(String(delivery), /^[0-9a-f-]{36}$/)
    assert.ok(Math.abs(Number(sentAt) - Date.now() / 1_000) < 30)
    assert.deepEqual(rest, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'user-agent': rest['user-agent'],
      'x-service-event': 'contact.created',
      'x-service-signature': rest['x-service-signature'],
      'webhook-id': delivery,
      'webhook-signature': rest['webhook-signature'],
    })
    assert.match(String(rest['user-agent']), /^Kith\//)
  })

  test('X-Service-Signature is the HMAC-SHA256 of the raw body with the whole secret as displayed', async () => {
    const org = await kith.org()
    const hook = receiver.hook()
    const { secret } = await org.subscribe(hook.url)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    await org.addContact({ full_name: 'Zoë \u2028 \u{1f600} </script>' })
    const [{ headers, body }] = (await hook.until(1)) as [Received]
    const signature = String(headers['x-service-signature'])
    assert.equal(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
    assert.ok(await verify(secret, body.toString(), signature))
    const standard = new Webhook(secret)
    standard.verify(body.toString(), headers as Record<string, string>)
    const other = `${body.toString().slice(0, -1)} }`
    assert.throws(() => standard.verify(other, headers as Record<string, string>))
  })

  test('only the chosen events are delivered, one delivery for each subscription', async () => {
    const org = await kith.org()
    const [all, one] = [receiver.hook(), receiver.hook()]
    await org.subscribe(all.url)
    await org.subscribe(one.url, ['deal.stage_changed'])
    const { id } = await org.addContact()
    await org.api.patch(`/contacts/${id}`, { deal_stage: 'lead' })
    await org.api.patch(`/contacts/${id}`, { deal_stage: 'won' })
    const received = await all.until(5)
    await one.until(2)
    await ended(org, 7)
    const names = ({ json }: Received) => json.event
    assert.deepEqual(received.map(names), [
      'contact.created',
      'contact.updated',
      'deal.stage_changed',
      'contact.updated',
      'deal.stage_changed',
    ])
    assert.deepEqual(one.received.map(names), ['deal.stage_changed', 'deal.stage_changed'])
    assert.equal(new Set((await org.deliveries()).map((delivery) => delivery.id)).size, 7)
  })

  test('any 2xx is success; anything else is recorded and not retried; redirects are not followed', async () => {
    const org = await kith.org()
    const target = receiver.hook()
    const manners: [number, string][] = [
      [200, 'delivered'],
      [204, 'delivered'],
      [299, 'delivered'],
      [301, 'failed'],
      [304, 'failed'],
      [307, 'failed'],
      [400, 'failed'],
      [404, 'failed'],
      [500, 'failed'],
      [599, 'failed'],
    ]
    const hooks: { hook: Hook; id: string }[] = []
    for (const [status] of manners) {
      const hook = receiver.hook({ status, headers: { location: target.url } })
      hooks.push({ hook, id: (await org.subscribe(hook.url)).id })
    }
    await org.addContact()
    await ended(org, manners.length)
    const deliveries = await listed(org.id)
    for (const [at, [status, outcome]] of manners.entries()) {
      const { hook, id } = hooks[at]!
      const found = deliveries.find((one: Fields) => one.subscription_id === id)
      assert.deepEqual([found.status, found.response_status, found.attempts], [outcome, status, 1])
      assert.equal(found.error === null, outcome === 'delivered', `${status}: ${found.error}`)
      assert.equal(hook.received.length, 1)
    }
    assert.equal(target.received.length, 0)
  })

  test('a connection that is refused is recorded with an error and without a status', async () => {
    const org = await kith.org()
    const gone = await startReceiver()
    const hook = gone.hook()
    await gone.close()
    await org.subscribe(hook.url)
    await org.addContact()
    await ended(org, 1)
    const [{ status, response_status, error, attempts }] = await listed(org.id)
    assert.deepEqual([status, response_status, attempts], ['failed', null, 1])
    assert.match(error, /\S/)
  })

  test('after 10 seconds in all a delivery has failed; meanwhile another subscription is not delayed', async () => {
    const org = await kith.org()
    const [hanging, healthy] = [receiver.hook({ hangs: true }), receiver.hook()]
    const { id } = await org.subscribe(hanging.url)
    await org.subscribe(healthy.url)
    const begun = performance.now()
    for (let i = 0; i < 40; i++) await org.addContact()
    await healthy.until(40)
    assert.ok(performance.now() - begun < DEADLINE_MS - 1_000, 'the healthy receiver had to wait')
    const isOver = async () => (await org.deliveries()).find((one) => one.subscription_id === id && one.finished_at)
    const over = await until('a hanging delivery has ended', isOver, 2 * DEADLINE_MS)
    assert.deepEqual([over.state, over.response_status], ['failed', null])
    assert.ok(over.duration_ms! >= DEADLINE_MS - 50 && over.duration_ms! < DEADLINE_MS + 2_000, `${over.duration_ms}`)
    await kith.command('webhook', 'delete', id, '--org', org.id, '--yes')
  })

  test('deliveries about one contact leave one after another in the order of the events, others side by side', async () => {
    const org = await kith.org()
    let [open, openMax] = [new Map<string, number>(), 0]
    const hook: Hook = receiver.hook(({ json }) => {
      const key = json.payload.contact.id
      open.set(key, (open.get(key) ?? 0) + 1)
      openMax = Math.max(openMax, receiver.waiting())
      assert.equal(open.get(key), 1)
      setTimeout(() => open.set(key, 0), 20)
      return { delayMs: 40 }
    })
    await org.subscribe(hook.url, ['contact.created', 'contact.updated', 'contact.deleted'])
    const ids = [] as string[]
    for (let i = 0; i < 4; i++) ids.push((await org.addContact()).id)
    for (let round = 0; round < 4; round++) {
      await Promise.all(ids.map((id) => org.api.patch(`/contacts/${id}`, { phone: String(round) })))
    }
    const received = await hook.until(20)
    for (const id of ids) {
      const times = received.filter(({ json }) => json.payload.contact.id === id).map(({ json }) => json.ts)
      assert.deepEqual(times, times.toSorted())
      assert.equal(times.length, 5)
    }
    assert.ok(openMax > 1, 'different contacts go side by side')
  })

  test('a delivery sent again is the same record with the same id and bytes, one attempt more, signed anew', async () => {
    const org = await kith.org()
    const hook = receiver.hook({ status: 500 })
    const { secret } = await org.subscribe(hook.url)
    await org.addContact()
    await ended(org, 1)
    const [first] = await listed(org.id)
    assert.deepEqual([first.status, first.response_status, first.attempts], ['failed', 500, 1])
    hook.manner = { status: 201 }
    const again = await kith.command('webhook', 'redeliver', first.id, '--org', org.id)
    assert.deepEqual(again.value, { id: first.id, status: 'pending' })
    const [one, two] = (await hook.until(2)) as [Received, Received]
    assert.equal(one.headers['x-service-delivery'], two.headers['x-service-delivery'])
    assert.deepEqual(one.body, two.body)
    new Webhook(secret).verify(two.body.toString(), two.headers as Record<string, string>)
    await ended(org, 1)
    const [second] = await listed(org.id)
    assert.deepEqual(second, {
      ...first,
      status: 'delivered',
      response_status: 201,
      error: null,
      attempts: 2,
      duration_ms: second.duration_ms,
      finished_at: second.finished_at,
    })
    const attempts = await kith.db.read
      .selectFrom('delivery_attempt')
      .select(['number', 'delivered', 'response_status'])
      .where('delivery_id', '=', first.id)
      .orderBy('number')
      .execute()
    assert.deepEqual(attempts, [
      { number: 1, delivered: 0, response_status: 500 },
      { number: 2, delivered: 1, response_status: 201 },
    ])
  })

  test('while a subscription is paused no delivery is made for new events', async () => {
    const org = await kith.org()
    const hook = receiver.hook()
    const { id } = await org.subscribe(hook.url)
    await org.addContact({ full_name: 'One' })
    await hook.until(1)
    assert.equal((await kith.command('webhook', 'pause', id, '--org', org.id)).code, 0)
    await org.addContact({ full_name: 'Two' })
    assert.equal((await org.deliveries()).length, 1)
    assert.equal((await kith.command('webhook', 'resume', id, '--org', org.id)).code, 0)
    await org.addContact({ full_name: 'Three' })
    const received = await hook.until(2)
    assert.deepEqual(
      received.map(({ json }) => json.payload.contact.full_name),
      ['One', 'Three'],
    )
    assert.equal((await org.eventNames()).length, 3)
  })

  test('what was due when a subscription is paused waits until it is resumed', async () => {
    const org = await kith.org()
    const hook = receiver.hook({ delayMs: 6_000 })
    const { id } = await org.subscribe(hook.url)
    const contact = await org.addContact()
    await hook.until(1)
    await org.api.patch(`/contacts/${contact.id}`, { phone: '1' })
    await kith.command('webhook', 'pause', id, '--org', org.id)
    await until('the first has ended', async () => (await org.deliveries())[0]?.finished_at)
    const [, waiting] = await org.deliveries()
    assert.equal(waiting!.finished_at, null)
    assert.equal(hook.received.length, 1)
    await kith.command('webhook', 'resume', id, '--org', org.id)
    assert.equal((await hook.until(2))[1]!.json.event, 'contact.updated')
  })

  test('deleting a subscription drops its log, and it hears nothing more', async () => {
    const org = await kith.org()
    const [hook, witness] = [receiver.hook(), receiver.hook()]
    const { id } = await org.subscribe(hook.url)
    await org.subscribe(witness.url)
    await org.addContact()
    await ended(org, 2)
    await kith.command('webhook', 'delete', id, '--org', org.id, '--yes')
    assert.equal((await listed(org.id)).length, 1)
    await org.addContact()
    await witness.until(2)
    assert.equal(hook.received.length, 1)
    const list = await kith.command('webhook', 'list', '--org', org.id)
    assert.equal(list.value.length, 1)
  })

  test('a rotated secret: X-Service-Signature keeps the old one, webhook-signature carries both', async () => {
    const org = await kith.org()
    const hook = receiver.hook()
    const old = await org.subscribe(hook.url)
    const rotated = await kith.command('webhook', 'rotate', old.id, '--org', org.id)
    const { secret, old_secret_until } = rotated.value
    const hours = (Date.parse(old_secret_until) - Date.now()) / 3_600_000
    assert.ok(hours > 23.9 && hours <= 24)
    await org.addContact()
    const [{ headers, body }] = (await hook.until(1)) as [Received]
    assert.equal(
      headers['x-service-signature'],
      `sha256=${createHmac('sha256', old.secret).update(body).digest('hex')}`,
    )
    assert.equal(String(headers['webhook-signature']).split(' ').length, 2)
    for (const one of [old.secret, secret]) new Webhook(one).verify(body.toString(), headers as Record<string, string>)
  })

  test('deliveries are listed by contact; a task’s belongs to the contact it is linked to at the event', async () => {
    const org = await kith.org()
    const hook = receiver.hook()
    await org.subscribe(hook.url)
    const [one, two] = [await org.addContact(), await org.addContact()]
    const task = await org.addTask({ contact_id: one.id })
    await org.api.patch(`/tasks/${task.id}`, { contact_id: two.id, status: 'done' })
    await org.addTask()
    await ended(org, 5)
    const events = async (id: string) => (await listed(org.id, '--contact', id)).map(({ event }: Fields) => event)
    assert.deepEqual(await events(one.id), ['task.created', 'contact.created'])
    assert.deepEqual(await events(two.id), ['task.completed', 'contact.created'])
    assert.equal((await listed(org.id)).filter((one: Fields) => one.contact_id === null).length, 1)
  })

  test('what is due when a contact is deleted is still sent, then its body is erased; none of it is ever listed', async () => {
    const org = await kith.org()
    const hook = receiver.hook({ delayMs: 300 })
    await org.subscribe(hook.url)
    const { id } = await org.addContact({ full_name: 'Ada Sentinel' })
    await org.api.patch(`/contacts/${id}`, { phone: '1' })
    await org.api.delete(`/contacts/${id}`)
    assert.deepEqual(await listed(org.id), [])
    const received = await hook.until(3)
    assert.deepEqual(
      received.map(({ json }) => json.event),
      ['contact.created', 'contact.updated', 'contact.deleted'],
    )
    await until('nothing of the contact is left', async () => !JSON.stringify(await org.rows()).includes(id))
    assert.deepEqual(await org.events(), [])
    assert.deepEqual(await listed(org.id), [])
  })

  test('an address that is not public, and plain http, are refused when the subscription is made', async () => {
    const org = await kith.org()
    for (const url of [
      'https://10.0.0.1/',
      'https://localhost/',
      'http://example.com/',
      'https://[::1]/',
      'ftp://x/',
      'x',
    ]) {
      const made = await kith.command('webhook', 'create', url, '--org', org.id, '--events', 'contact.created')
      assert.deepEqual([made.code, made.stdout], [1, ''], url)
    }
    const list = await kith.command('webhook', 'list', '--org', org.id)
    assert.deepEqual(list.value, [])
  })

  test('deliveries of another org are not listed, sent or repeated', async () => {
    const [org, other] = [await kith.org(), await kith.org()]
    const hook = receiver.hook()
    await org.subscribe(hook.url)
    const { id } = await org.addContact()
    await other.addContact()
    await ended(org, 1)
    const [delivery] = await listed(org.id)
    assert.deepEqual(await listed(other.id), [])
    assert.deepEqual(await listed(other.id, '--contact', id), [])
    assert.equal((await kith.command('webhook', 'redeliver', delivery.id, '--org', other.id)).code, 1)
    assert.equal(hook.received.length, 1)
  })
})
