import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../database/open.ts'
import { isTokenText } from '../tokens/token-text.ts'
import { program } from './test-program.ts'

test('demo makes 100 contacts and 20 tasks through the actions, so that there are events', async (t) => {
  const kith = await program(t)
  const demo = await kith.json(['demo'], { env: { KITH_BASE_URL: 'https://crm.example.com' } })
  assert.deepEqual([demo.contacts, demo.tasks, demo.places], [100, 20, 51])
  assert.ok(isTokenText(demo.token))
  for (const call of demo.try) assert.match(call, /^curl .*https:\/\/crm\.example\.com\/api\/v1\//)
  assert.deepEqual((await kith.json(['org', 'list']))[0].name, 'Demo')

  const db = await openDatabase({ engine: 'sqlite', folder: kith.data }, 'command')
  t.after(() => db.close())
  const events = await db.read
    .selectFrom('event')
    .select(({ fn }) => ['name', fn.countAll<number>().as('n')])
    .groupBy('name')
    .execute()
  const counts = Object.fromEntries(events.map(({ name, n }) => [name, n]))
  assert.deepEqual(counts, { 'contact.created': 100, 'task.created': 20, 'task.completed': 4 })
  const contacts = await db.read.selectFrom('contact').select(['full_name', 'email']).execute()
  assert.equal(new Set(contacts.map(({ email }) => email)).size, 100)
})

test('demo fills an org that is there; one that is not is refused', async (t) => {
  const kith = await program(t)
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  assert.equal((await kith.json(['demo', '--org', org])).org_id, org)
  const { code, stdout } = await kith.run(['demo', '--org', 'no-such-id'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal((await kith.json(['org', 'list'])).length, 1)
})
