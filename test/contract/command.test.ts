import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { withKithAndNodes } from '../support/kith.ts'

withKithAndNodes((kith) => {
  test('org create: --plan is pro unless said; the new org is served at once', async () => {
    const { id, ...rest } = (await kith.command('org', 'create', 'Acme')).value
    assert.deepEqual(rest, { name: 'Acme', plan: 'pro', hourly_limit: 5_000 })
    const large = (await kith.command('org', 'create', 'Large', '--plan', 'enterprise')).value
    assert.deepEqual([large.plan, large.hourly_limit], ['enterprise', 50_000])
    const { token } = (await kith.command('token', 'create', 'x', '--org', id)).value
    const { headers } = await kith.client.get('/api/v1/contacts', { authorization: `Bearer ${token}` })
    assert.equal(headers['ratelimit-limit'], '5000')
  })

  test('token create: --scopes is read,write unless said; token list tells all, revoked ones included', async () => {
    const { id: org } = await kith.org()
    const both = (await kith.command('token', 'create', 'both', '--org', org)).value
    assert.deepEqual(both.scopes, ['read', 'write'])
    const one = (await kith.command('token', 'create', 'one', '--org', org, '--scopes', 'write')).value
    assert.deepEqual(one.scopes, ['write'])
    await kith.command('token', 'revoke', both.id, '--org', org)
    const list = (await kith.command('token', 'list', '--org', org)).value
    const found = list.find(({ id }: { id: string }) => id === both.id)
    assert.deepEqual(Object.keys(found), ['id', 'name', 'prefix', 'scopes', 'created_at', 'last_used_at', 'revoked_at'])
    assert.match(found.revoked_at, /Z$/)
  })

  test('everything that names a record takes --org: with another org’s it is not found', async () => {
    const [org, other] = [await kith.org(), await kith.org()]
    const { id } = await org.token()
    const refused = await kith.command('token', 'revoke', id, '--org', other.id)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.equal((await kith.command('token', 'revoke', id)).code, 2)
    const [, token] = (await kith.command('token', 'list', '--org', org.id)).value
    assert.deepEqual([token.id, token.revoked_at], [id, null])
  })

  test('a file that was imported whole is refused, unless --again', async () => {
    const org = await kith.org()
    const file = join(kith.folder, 'again.csv')
    await writeFile(file, 'full_name,company\nAda,Engines\nGrace,Navy\n')
    const run = (...options: string[]) => kith.command('import', file, '--org', org.id, ...options)
    assert.equal((await run()).code, 0)
    const refused = await run()
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /\d{4}-\d\d-\d\d/)
    assert.equal((await org.api.get('/contacts')).body.meta.count, 2)
    assert.equal((await run('--again')).code, 0)
    assert.equal((await org.api.get('/contacts')).body.meta.count, 4)
  })
})
