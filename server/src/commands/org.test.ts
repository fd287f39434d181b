import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { program } from './test-program.ts'

test('org create, list and set', async (t) => {
  const kith = await program(t)
  const pro = await kith.json(['org', 'create', ' Acme Ltd '])
  assert.deepEqual(pro, { id: pro.id, name: 'Acme Ltd', plan: 'pro', hourly_limit: 5000 })
  const big = await kith.json(['org', 'create', 'Big', '--plan', 'enterprise', '--hourly-limit', '7'])
  assert.deepEqual(big, { id: big.id, name: 'Big', plan: 'enterprise', hourly_limit: 7 })
  assert.deepEqual(await kith.json(['org', 'list']), [pro, big])
  const changed = await kith.json([
    'org',
    'set',
    pro.id,
    '--plan',
    'enterprise',
    '--stages',
    'a, b',
    '--strict-stages',
    'on',
  ])
  assert.deepEqual(changed, { ...pro, plan: 'enterprise', hourly_limit: 50_000 })
  const { stdout } = await kith.run(['org', 'list'])
  assert.match(stdout, /^ID +NAME +PLAN +HOURLY LIMIT\n/)

  const nothing = await kith.run(['org', 'set', pro.id])
  assert.deepEqual([nothing.code, nothing.stdout], [2, ''])
  assert.match(nothing.stderr, /^kith: Say what to change/)
  const unknown = await kith.run(['org', 'set', 'no-such-id', '--plan', 'pro', '--json'])
  assert.deepEqual([unknown.code, unknown.stdout, JSON.parse(unknown.stderr).error], [1, '', 'not_found'])
  assert.equal((await kith.json(['org', 'list']))[0].plan, 'enterprise')
})

test('a wrong data folder is told, and nothing is made there', async (t) => {
  const kith = await program(t)
  for (const args of [
    ['org', 'list'],
    ['token', 'list', '--org', 'x'],
    ['backup', 'kith.backup'],
  ]) {
    const { code, stdout, stderr } = await kith.run(args)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^kith: There is no database in \S+ yet\. "kith org create NAME" makes one/)
  }
  assert.equal(existsSync(kith.data), false)
})

test('a database that cannot be opened is told in a sentence, without its password', async (t) => {
  const kith = await program(t, { KITH_DATABASE_URL: 'postgres://kith:sentinel@127.0.0.1:1/kith' })
  const { code, stdout, stderr } = await kith.run(['org', 'create', 'Acme'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(stderr, 'kith: The database cannot be opened: connect ECONNREFUSED 127.0.0.1:1.\n')
})
