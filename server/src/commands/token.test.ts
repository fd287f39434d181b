import assert from 'node:assert/strict'
import { test } from 'node:test'
import { program } from './test-program.ts'

test('token create, list and revoke', async (t) => {
  const kith = await program(t)
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  const { id: other } = await kith.json(['org', 'create', 'Other'])
  const made = await kith.json(['token', 'create', 'Website', '--org', org])
  assert.match(made.token, /^kith_[0-9A-Za-z]{38}$/)
  assert.deepEqual(made, {
    id: made.id,
    name: 'Website',
    prefix: made.token.slice(0, 12),
    scopes: ['read', 'write'],
    token: made.token,
  })
  const reading = await kith.json(['token', 'create', 'Reports', '--org', org, '--scopes', 'read'])
  assert.deepEqual(reading.scopes, ['read'])

  const foreign = await kith.run(['token', 'revoke', made.id, '--org', other])
  assert.deepEqual([foreign.code, foreign.stdout], [1, ''])
  assert.deepEqual(await kith.json(['token', 'revoke', made.id, '--org', org]), { id: made.id, revoked: true })
  const listed = await kith.json(['token', 'list', '--org', org])
  const fields = ['created_at', 'id', 'last_used_at', 'name', 'prefix', 'revoked_at', 'scopes']
  for (const token of listed) assert.deepEqual(Object.keys(token).sort(), fields)
  assert.deepEqual(
    listed.map(({ id, revoked_at }: { id: string; revoked_at: string | null }) => [id, revoked_at !== null]),
    [
      [made.id, true],
      [reading.id, false],
    ],
  )
  const people = await kith.run(['token', 'list', '--org', org])
  assert.doesNotMatch(people.stdout + JSON.stringify(listed), new RegExp(made.token))

  const wrong = await kith.run(['token', 'create', 'x', '--org', org, '--scopes', 'admin'])
  assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
  const nowhere = await kith.run(['token', 'list', '--org', 'nowhere'])
  assert.deepEqual([nowhere.code, nowhere.stdout], [1, ''])
})
