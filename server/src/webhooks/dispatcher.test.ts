import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { verify } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'
import { type Engine, engines } from '../../../test/support/databases.ts'
import { LANE_IMPORT } from '../actor.ts'
import { changeContact, createContact, deleteContact } from '../contacts/actions.ts'
import type { Database } from '../database/engine.ts'
import { changeTask, createTask } from '../tasks/actions.ts'
import { deleteSubscription, endOldSecret, pauseSubscription, resumeSubscription, rotateSecret } from './actions.ts'
import { type Delivery, listDeliveries, redeliver } from './delivery-actions.ts'
import { type Arrival, inReverse, makeOrg, runDispatcher, startReceiver, TEST_KEY, until } from './test-deliveries.ts'

for (const engine of engines) {
  test(`${engine.name}: for one subscription, deliveries about one contact leave in the order of the events, one after the other`, async (t) => {
    const { live, db, org, settled } = await setUp(t, engine)
    let openMost = 0
    const receiver = await startReceiver(live, (response) => {
      openMost = Math.max(openMost, receiver.open)
      setTimeout(() => response.end(), 2)
    })
    await org.subscribe(receiver.url)
    const ada = await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    for (let i = 0; i < 10; i++) await db.write((tx) => changeContact(tx, org.actor, ada.id, { company: `${i}` }))
    const task = await db.write((tx) => createTask(tx, org.actor, { title: 'Call', contact_id: ada.id }))
    await db.write((tx) => changeTask(tx, org.actor, task.id, { status: 'done' }))
    await db.write((tx) => changeContact(tx, org.actor, ada.id, { deal_stage: 'lead' }))
    runDispatcher(live, db)
    await settled()
    assert.deepEqual(
      receiver.arrivals.map(({ event }) => event),
      [
        'contact.created',
        ...Array(10).fill('contact.updated'),
        'task.created',
        'task.completed',
        'contact.updated',
        'deal.stage_changed',
      ],
    )
    assert.deepEqual(timesOf(receiver.arrivals), timesOf(receiver.arrivals).toSorted())
    assert.equal(openMost, 1)
  })

  test(`${engine.name}: different contacts go side by side, up to the limit of a subscription`, async (t) => {
    const { live, db, org } = await setUp(t, engine)
    const held: (() => void)[] = []
    let openMost = 0
    const receiver = await startReceiver(live, (response) => {
      openMost = Math.max(openMost, receiver.open)
      held.push(() => response.end())
    })
    await org.subscribe(receiver.url)
    for (let i = 0; i < 20; i++) await db.write((tx) => createContact(tx, org.actor, { full_name: `${i}` }))
    runDispatcher(live, db, { concurrencyPerSubscription: 3 })
    await until(() => held.length === 3)
    for (let ended = 0; ended < 20; ended++) {
      await until(() => held.length > 0)
      held.shift()!()
    }
    await until(() => receiver.arrivals.length === 20)
    assert.equal(openMost, 3)
    assert.equal(new Set(receiver.arrivals.map(({ id }) => id)).size, 20)
  })

  test(`${engine.name}: what is changed while the dispatcher runs is sent at once`, async (t) => {
    const { live, db, org } = await setUp(t, engine)
    const receiver = await startReceiver(live)
    await org.subscribe(receiver.url)
    const dispatcher = runDispatcher(live, db)
    await db.write((tx) => createContact(tx, org.actor, { full_name: 'first' }))
    await until(() => dispatcher.stats().delivered === 1)
    const waits: number[] = []
    for (let i = 0; i < 10; i++) {
      const committed = performance.now()
      await db.write((tx) => createContact(tx, org.actor, { full_name: `${i}` }))
      await until(() => receiver.arrivals.length === i + 2)
      waits.push(performance.now() - committed)
    }
    assert.ok(waits.toSorted((a, b) => a - b)[5]! < 300, `without hints it would be half a second: ${waits}`)
  })

  test(`${engine.name}: a receiver that hangs delays no other subscription`, async (t) => {
    const { live, db, org } = await setUp(t, engine)
    const hanging = await startReceiver(live, () => {})
    const healthy = await startReceiver(live)
    for (let i = 0; i < 6; i++) await org.subscribe(hanging.url)
    await org.subscribe(healthy.url)
    for (let i = 0; i < 40; i++) await db.write((tx) => createContact(tx, org.actor, { full_name: `${i}` }))
    runDispatcher(live, db, { concurrency: 8 })
    await until(() => healthy.arrivals.length === 40)
    assert.ok(hanging.open >= 6, 'all that hang have been tried')
  })

  test(`${engine.name}: an import's deliveries wait behind what people and programs do meanwhile`, async (t) => {
    const { live, db, org, settled } = await setUp(t, engine)
    const held: (() => void)[] = []
    let isHeld = true
    const receiver = await startReceiver(live, (response) => {
      if (isHeld) held.push(() => response.end())
      else response.end()
    })
    await org.subscribe(receiver.url)
    const importer = { ...org.actor, lane: LANE_IMPORT } as const
    const imported: string[] = []
    await db.write(async (tx) => {
      for (let i = 0; i < 50; i++) imported.push((await createContact(tx, importer, { full_name: `${i}` })).id)
    })
    runDispatcher(live, db, { concurrencyPerSubscription: 4 })
    await until(() => held.length === 3)
    const person = await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    await until(() => held.length === 4)
    assert.equal(receiver.arrivals.at(-1)!.about, person.id, 'a place is kept for it')
    // Somebody changes the last of the imported: what is due about it must not wait behind the whole import.
    await db.write((tx) => changeContact(tx, org.actor, imported.at(-1)!, { company: 'x' }))
    isHeld = false
    for (const end of held) end()
    await settled()
    const about = receiver.arrivals.map((arrival) => arrival.about)
    assert.equal(receiver.arrivals.length, 52)
    assert.ok(about.indexOf(imported.at(-1)!) < 10, `${about.indexOf(imported.at(-1)!)}`)
  })

  test(`${engine.name}: an outcome is recorded with its attempt; anything but 2xx is failed and not tried again`, async (t) => {
    const { live, db, org, settled, list } = await setUp(t, engine)
    let status = 500
    const receiver = await startReceiver(live, (response) =>
      response.writeHead(status, { 'X-Seen': 'yes' }).end('sorry'),
    )
    const { id: subscriptionId } = await org.subscribe(receiver.url)
    const dispatcher = runDispatcher(live, db)
    const ada = await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    await settled()
    const [failed] = await list()
    assert.deepEqual(shown(failed!), {
      subscription_id: subscriptionId,
      contact_id: ada.id,
      event: 'contact.created',
      status: 'failed',
      response_status: 500,
      error: 'Answered 500.',
      attempts: 1,
    })
    assert.equal(receiver.arrivals.length, 1)
    status = 204
    await db.write((tx) => redeliver(tx, org.actor, failed!.id))
    await settled()
    const [delivered] = await list()
    assert.equal(delivered!.id, failed!.id)
    assert.deepEqual(
      [delivered!.status, delivered!.response_status, delivered!.error, delivered!.attempts],
      ['delivered', 204, null, 2],
    )
    assert.ok(delivered!.finished_at! >= failed!.finished_at!)
    const [first, again] = receiver.arrivals
    assert.equal(first!.id, again!.id)
    assert.equal(first!.text, again!.text)
    const attempts = await db.read
      .withoutPlugins()
      .selectFrom('delivery_attempt')
      .selectAll()
      .orderBy('number')
      .execute()
    assert.deepEqual(
      attempts.map((a) => [a.number, a.delivered, a.response_status, a.error, a.response_body, a.url]),
      [
        [1, 0, 500, 'Answered 500.', 'sorry', receiver.url],
        [2, 1, 204, null, '', receiver.url],
      ],
    )
    assert.ok(
      JSON.parse(attempts[0]!.response_headers!).some(
        ([name, value]: string[]) => name === 'X-Seen' && value === 'yes',
      ),
    )
    const sent = Object.fromEntries(JSON.parse(attempts[0]!.request_headers))
    assert.equal(sent['X-Service-Signature'], first!.headers['x-service-signature'])
    assert.deepEqual(dispatcher.stats(), { sending: 0, unrecorded: 0, subscriptions: 1, delivered: 1, failed: 1 })
  })

  test(`${engine.name}: a redelivery takes its place in the queue of its contact`, async (t) => {
    const { live, db, org, settled, list } = await setUp(t, engine)
    let answer = (end: () => void) => end()
    const receiver = await startReceiver(live, (response) => answer(() => response.end()))
    await org.subscribe(receiver.url)
    runDispatcher(live, db)
    const ada = await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    await settled()
    const [made] = await list()
    let release = () => {}
    answer = (end) => {
      release = end
    }
    await db.write((tx) => changeContact(tx, org.actor, ada.id, { company: '1' }))
    await until(() => receiver.arrivals.length === 2)
    await db.write((tx) => changeContact(tx, org.actor, ada.id, { company: '2' }))
    await db.write((tx) => redeliver(tx, org.actor, made!.id))
    answer = (end) => end()
    assert.equal(receiver.open, 1)
    release()
    await settled()
    assert.deepEqual(
      receiver.arrivals.map(({ event }) => event),
      ['contact.created', 'contact.updated', 'contact.created', 'contact.updated'],
    )
  })

  test(`${engine.name}: while a subscription is paused what is due waits, and is sent in order when it is resumed`, async (t) => {
    const { live, db, org, settled } = await setUp(t, engine)
    let release = () => {}
    const receiver = await startReceiver(live, (response) => {
      release = () => response.end()
      if (receiver.arrivals.length > 1) response.end()
    })
    const { id } = await org.subscribe(receiver.url)
    const dispatcher = runDispatcher(live, db)
    const ada = await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    for (const company of ['1', '2']) await db.write((tx) => changeContact(tx, org.actor, ada.id, { company }))
    await until(() => receiver.arrivals.length === 1)
    await db.write((tx) => pauseSubscription(tx, org.actor, id))
    await db.write((tx) => changeContact(tx, org.actor, ada.id, { company: 'never sent' }))
    release()
    await until(() => dispatcher.stats().delivered === 1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(receiver.arrivals.length, 1)
    await db.write((tx) => resumeSubscription(tx, org.actor, id))
    await settled()
    assert.deepEqual(
      receiver.arrivals.map(({ text }) => JSON.parse(text).payload.contact.company),
      [null, '1', '2'],
    )
  })

  test(`${engine.name}: nothing more is sent for a deleted subscription`, async (t) => {
    const { live, db, org } = await setUp(t, engine)
    let release = () => {}
    const receiver = await startReceiver(live, (response) => {
      release = () => response.end()
    })
    const { id } = await org.subscribe(receiver.url)
    const dispatcher = runDispatcher(live, db)
    const ada = await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    await db.write((tx) => changeContact(tx, org.actor, ada.id, { company: '1' }))
    await until(() => receiver.arrivals.length === 1)
    await db.write((tx) => deleteSubscription(tx, org.actor, id))
    release()
    await until(() => dispatcher.stats().sending + dispatcher.stats().unrecorded === 0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(receiver.arrivals.length, 1)
  })

  test(`${engine.name}: what was due when a contact is deleted is still sent, in order, and then no byte of it is left`, async (t) => {
    const { live, db, org } = await setUp(t, engine)
    let release = () => {}
    const slow = await startReceiver(live, (response) => {
      if (slow.arrivals.length > 1) response.end()
      else release = () => response.end()
    })
    const quick = await startReceiver(live)
    await org.subscribe(slow.url)
    await org.subscribe(quick.url)
    runDispatcher(live, db)
    const ada = await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada Secretname' }))
    await db.write((tx) => changeContact(tx, org.actor, ada.id, { company: 'Secretname' }))
    await db.write((tx) => createTask(tx, org.actor, { title: 'Secretname', contact_id: ada.id }))
    await until(() => slow.arrivals.length === 1 && quick.arrivals.length === 3)
    await db.write((tx) => deleteContact(tx, org.actor, ada.id))
    release()
    const events = ['contact.created', 'contact.updated', 'task.created', 'contact.deleted']
    await until(() => slow.arrivals.length === 4 && quick.arrivals.length === 4)
    for (const { arrivals } of [slow, quick])
      assert.deepEqual(
        arrivals.map(({ event }) => event),
        events,
      )
    await until(async () => (await leftOf(db)) === 0)
  })

  test(`${engine.name}: a replaced secret signs beside the new one until it is ended, checked by other libraries`, async (t) => {
    const { live, db, org } = await setUp(t, engine)
    const receiver = await startReceiver(live)
    const { id, secret: first } = await org.subscribe(receiver.url)
    runDispatcher(live, db)
    const next = async () => {
      const seen = receiver.arrivals.length
      await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada é€😀' }))
      await until(() => receiver.arrivals.length > seen)
      return receiver.arrivals.at(-1)!
    }
    assert.deepEqual(await signers(await next(), [first]), { service: [first], standard: [first] })
    const { secret: second } = await db.write((tx) => rotateSecret(tx, org.actor, id, { key: TEST_KEY }))
    const both = [first, second]
    await until(async () => (await signers(await next(), both)).standard.length === 2)
    assert.deepEqual((await signers(await next(), both)).service, [first])
    await db.write((tx) => endOldSecret(tx, org.actor, id))
    await until(async () => (await signers(await next(), both)).standard.length === 1)
    assert.deepEqual(await signers(await next(), both), { service: [second], standard: [second] })
  })

  test(`${engine.name}: stopping lets what is under way end, cuts off the rest, and loses nothing`, async (t) => {
    const { live, db, org, settled, list } = await setUp(t, engine)
    const hung: string[] = []
    const receiver = await startReceiver(live, (response, { about, id }) => {
      if (about === quickId) setTimeout(() => response.end(), 100)
      else if (hung.push(id) > 2) response.end()
    })
    await org.subscribe(receiver.url)
    let quickId = ''
    await db.write(async (tx) => {
      quickId = (await createContact(tx, org.actor, { full_name: 'quick' })).id
      for (const name of ['a', 'b']) await createContact(tx, org.actor, { full_name: name })
    })
    const dispatcher = runDispatcher(live, db)
    await until(() => receiver.arrivals.length === 3)
    const startedMs = performance.now()
    await dispatcher.stop(300)
    assert.ok(performance.now() - startedMs < 2_000)
    const statuses = async () => (await list()).map((d) => [d.contact_id === quickId, d.status, d.attempts])
    assert.deepEqual(await statuses(), [
      [false, 'pending', 0],
      [false, 'pending', 0],
      [true, 'delivered', 1],
    ])
    assert.deepEqual(await db.read.selectFrom('dispatcher_node').selectAll().execute(), [])
    const [lease] = await db.read.withoutPlugins().selectFrom('subscription_lease').select('owner').execute()
    assert.equal(lease!.owner, null)
    runDispatcher(live, db)
    await settled()
    assert.deepEqual(hung.slice(2).toSorted(), hung.slice(0, 2).toSorted(), 'sent again with the same ids')
  })

  test(`${engine.name}: what joins a queue just when its head ends is not left behind`, async (t) => {
    const { live, db, org, settled } = await setUp(t, engine)
    const rounds = 20
    const seen = new Map<string, number>()
    const changes: Promise<unknown>[] = []
    const receiver = await startReceiver(live, (response, { about }) => {
      response.end()
      const round = (seen.get(about) ?? 0) + 1
      seen.set(about, round)
      if (round > rounds) return
      const change = () => db.write((tx) => changeContact(tx, org.actor, about, { company: `${round}` }))
      // Spread over the time that it takes to record the outcome.
      changes.push(new Promise((resolve) => setTimeout(resolve, round % 8)).then(change))
    })
    await org.subscribe(receiver.url)
    runDispatcher(live, db)
    for (let i = 0; i < 8; i++) await db.write((tx) => createContact(tx, org.actor, { full_name: `${i}` }))
    await until(() => receiver.arrivals.length === 8 * (rounds + 1))
    await Promise.all(changes)
    await settled()
  })

  test(`${engine.name}: a queue that many write to while it is delivered keeps its order, and nothing sticks in it`, async (t) => {
    const { live, db, org, settled, list } = await setUp(t, engine)
    const receiver = await startReceiver(live)
    await org.subscribe(receiver.url)
    runDispatcher(live, db)
    const ada = await db.write((tx) => createContact(tx, org.actor, { full_name: 'Ada' }))
    const writer = async (name: number) => {
      for (let i = 0; i < 25; i++) {
        await db.write((tx) => changeContact(tx, org.actor, ada.id, { company: `${name} ${i}` }))
        if (i % 5 === 0) await sendAnyAgain()
      }
    }
    let sentAgain = 0
    const sendAnyAgain = async () => {
      const finished = (await list()).find(({ status }) => status === 'delivered')
      if (!finished) return
      await db
        .write((tx) => redeliver(tx, org.actor, finished.id))
        .then(
          () => sentAgain++,
          () => {},
        )
    }
    await Promise.all([1, 2, 3, 4].map(writer))
    await settled()
    const seen = new Set<string>()
    const firsts = receiver.arrivals.filter(({ id }) => !seen.has(id) && seen.add(id))
    assert.equal(firsts.length, 101)
    assert.deepEqual(timesOf(firsts), timesOf(firsts).toSorted())
    assert.equal(receiver.arrivals.length, 101 + sentAgain)
  })
}

async function setUp(t: TestContext, engine: Engine) {
  const live = inReverse(t)
  const { db } = await engine.open(t)
  const org = await makeOrg(db)
  const list = () => listDeliveries(db.read, org.orgId, { limit: 200 })
  const settled = () =>
    until(async () => (await list()).every(({ status }) => status !== 'pending'), 'all are finished')
  return { live, db, org, list, settled }
}

function timesOf(arrivals: Arrival[]): string[] {
  return arrivals.map(({ text }) => JSON.parse(text).ts)
}

function shown({ id: _, created_at: _1, finished_at: _2, duration_ms: _3, ...rest }: Delivery) {
  return rest
}

/** Which secrets each of the two signatures fits. */
async function signers({ text, headers }: Arrival, secrets: string[]) {
  const service: string[] = []
  const standard: string[] = []
  for (const secret of secrets) {
    if (await verify(secret, text, String(headers['x-service-signature']))) service.push(secret)
    try {
      new Webhook(secret).verify(text, headers as Record<string, string>)
      standard.push(secret)
    } catch {}
  }
  return { service, standard }
}

async function leftOf(db: Database): Promise<number> {
  const rows = await Promise.all([
    db.read.withoutPlugins().selectFrom('event').select('id').execute(),
    db.read.withoutPlugins().selectFrom('delivery').select('id').execute(),
    db.read.withoutPlugins().selectFrom('delivery_attempt').select('delivery_id').execute(),
  ])
  return rows.flat().length
}
