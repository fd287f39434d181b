import assert from 'node:assert/strict'
import { test } from 'node:test'
import { program } from './test-program.ts'

test('webhook create, list, pause, resume, rotate, deliveries, redeliver and delete', async (t) => {
  const kith = await program(t)
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  const of = ['--org', org]
  const made = await kith.json([
    'webhook',
    'create',
    'https://example.com/hooks',
    ...of,
    '--events',
    'task.created,contact.created',
  ])
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(made, {
    id: made.id,
    url: 'https://example.com/hooks',
    events: ['contact.created', 'task.created'],
    secret: made.secret,
  })
  const [listed] = await kith.json(['webhook', 'list', ...of])
  assert.deepEqual(listed, {
    id: made.id,
    url: made.url,
    events: made.events,
    note: null,
    paused_at: null,
    old_secret_until: null,
    created_at: listed.created_at,
  })
  assert.deepEqual(await kith.json(['webhook', 'deliveries', ...of]), [])

  await kith.json(['demo', ...of])
  const deliveries = await kith.json(['webhook', 'deliveries', ...of, '--subscription', made.id, '--limit', '3'])
  assert.equal(deliveries.length, 3)
  const fields =
    'attempts contact_id created_at duration_ms error event finished_at id response_status status subscription_id'
  for (const delivery of deliveries) {
    assert.equal(Object.keys(delivery).sort().join(' '), fields)
    assert.equal(delivery.status, 'pending')
  }
  const early = await kith.run(['webhook', 'redeliver', deliveries[0].id, ...of])
  assert.deepEqual([early.code, early.stdout], [1, ''])
  assert.match(early.stderr, /still due/)

  const paused = await kith.json(['webhook', 'pause', made.id, ...of])
  assert.deepEqual(paused, { ...listed, paused_at: paused.paused_at })
  assert.ok(paused.paused_at)
  assert.deepEqual(await kith.json(['webhook', 'resume', made.id, ...of]), listed)
  const rotated = await kith.json(['webhook', 'rotate', made.id, ...of])
  assert.deepEqual(Object.keys(rotated), ['id', 'secret', 'old_secret_until'])
  assert.notEqual(rotated.secret, made.secret)

  const asked = await kith.run(['webhook', 'delete', made.id, ...of])
  assert.deepEqual([asked.code, asked.stdout], [2, ''])
  assert.match(asked.stderr, /^kith: This deletes the subscription of https:\/\/example\.com\/hooks .*Say --yes/)
  assert.equal((await kith.json(['webhook', 'list', ...of])).length, 1)
  assert.deepEqual(await kith.json(['webhook', 'delete', made.id, ...of, '--yes']), { id: made.id, deleted: true })
  assert.deepEqual(await kith.json(['webhook', 'list', ...of]), [])
})

test('a webhook to a forbidden address or of an unknown event is refused', async (t) => {
  const kith = await program(t)
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  const create = (url: string, events: string, env = {}) =>
    kith.run(['webhook', 'create', url, '--org', org, '--events', events, '--json'], { env })
  const refused = await create('https://127.0.0.1/', 'contact.created')
  assert.deepEqual([refused.code, JSON.parse(refused.stderr).details[0].path], [1, 'url'])
  assert.equal((await create('https://example.com/', 'contact.gone')).code, 2)
  const setting = await create('https://example.com/', 'contact.created', { KITH_WEBHOOK_ALLOW: 'http://x' })
  assert.deepEqual([setting.code, JSON.parse(setting.stderr).error], [2, 'settings'])
  assert.deepEqual(await kith.json(['webhook', 'list', '--org', org]), [])
  const allowed = await create('http://127.0.0.1:9000/', 'contact.created', { KITH_WEBHOOK_ALLOW: '127.0.0.1' })
  assert.equal(allowed.code, 0)
})
