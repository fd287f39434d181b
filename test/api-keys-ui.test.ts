/** API keys at the web app's door. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKith } from './support/kith.ts'

withKith((kith) => {
  test('a key is made with its text in that one answer, works, and is listed by its first 12 characters', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin', { name: 'Grace Hopper' })
    const made = await ui.post('/tokens', { name: ' Newsletter ', scopes: ['write', 'read'] })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers['cache-control'], 'no-store')
    const { id, token, prefix } = made.body
    assert.match(token, /^kith_[0-9A-Za-z]{38}$/)
    assert.equal(prefix, token.slice(0, 12))
    const answer = await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${token}` })
    assert.equal(answer.status, 200)
    const list = await ui.get('/tokens')
    const [fromCommand, own] = list.body.data
    assert.equal(fromCommand.created_by, 'The command line')
    const { created_at, last_used_at, ...rest } = own
    assert.deepEqual(rest, {
      id,
      name: 'Newsletter',
      prefix,
      scopes: ['read', 'write'],
      created_by: 'Grace Hopper',
      revoked_at: null,
      revoked_by: null,
    })
    assert.ok(!list.text.includes(token.slice(12)))
    assert.ok(!kith.log.includes(token.slice(12)))
    assert.match(kith.log, new RegExp(`"madeToken":"${id}"`))
  })

  test('a revoked key is refused from the next request on, and stays listed with who and when', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin', { name: 'Grace Hopper' })
    const { id, token } = (await ui.post('/tokens', { name: 'x', scopes: ['read'] })).body
    assert.deepEqual((await ui.post(`/tokens/${id}/revoke`)).body, { id, revoked: true })
    const answer = await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${token}` })
    assert.deepEqual([answer.status, answer.body.error], [401, 'revoked_api_key'])
    const find = async () => (await ui.get('/tokens')).body.data.find((key: { id: string }) => key.id === id)
    const { revoked_at, revoked_by } = await find()
    assert.equal(revoked_by, 'Grace Hopper')
    const other = await kith.ui(org, 'admin', { name: 'Ada Lovelace' })
    assert.equal((await other.post(`/tokens/${id}/revoke`)).status, 200)
    assert.deepEqual([(await find()).revoked_by, (await find()).revoked_at], ['Grace Hopper', revoked_at])
    assert.match(kith.log, new RegExp(`"revokedToken":"${id}"`))
  })

  test('a key without a name or a scope is refused with its faults, and none is made', async () => {
    const ui = await kith.ui(await kith.org(), 'admin')
    const refused = await ui.post('/tokens', { name: '', scopes: ['read'] })
    assert.deepEqual(pathsOf(refused.body), ['name'])
    assert.deepEqual(pathsOf((await ui.post('/tokens', { name: 'x', scopes: [] })).body), ['scopes'])
    assert.deepEqual(pathsOf((await ui.post('/tokens', { name: 'x', scopes: ['admin'] })).body), ['scopes/0'])
    assert.equal((await ui.get('/tokens')).body.data.length, 1)
  })

  test('a member is refused, and another org finds nothing', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org, 'admin')
    const { id, token } = (await ui.post('/tokens', { name: 'x', scopes: ['read'] })).body
    const member = await kith.ui(org, 'member')
    const stranger = await kith.ui(await kith.org(), 'admin')
    for (const call of [
      () => member.get('/tokens'),
      () => member.post('/tokens', { name: 'x', scopes: ['read'] }),
      () => member.post(`/tokens/${id}/revoke`),
    ]) {
      assert.deepEqual((await call()).body.error, 'forbidden')
    }
    assert.equal((await stranger.post(`/tokens/${id}/revoke`)).status, 404)
    assert.ok(!(await stranger.get('/tokens')).text.includes(id))
    assert.equal((await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${token}` })).status, 200)
  })
})

function pathsOf({ details }: { details: { path: string }[] }): string[] {
  return details.map(({ path }) => path)
}
