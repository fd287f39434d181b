import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../database/open.ts'
import { isPassword } from '../members/password.ts'
import { program } from './test-program.ts'

const PASSWORD = 'sentinel plover 77'

test('user create, list, reset and remove; a password is shown once, or never', async (t) => {
  const kith = await program(t)
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  const ada = await kith.json(['user', 'create', 'Ada@Example.com', '--org', org, '--role', 'admin'])
  const { password, ...member } = ada
  assert.deepEqual(member, {
    id: ada.id,
    email: 'ada@example.com',
    name: '',
    role: 'admin',
    created_at: ada.created_at,
    last_seen_at: null,
  })
  const given = await kith.run(
    ['user', 'create', 'bo@example.com', '--org', org, '--role', 'member', '--name', 'Bo', '--password-stdin'],
    { stdin: `${PASSWORD}\n` },
  )
  assert.equal(given.code, 0)
  assert.doesNotMatch(given.stdout + given.stderr, /sentinel/)
  assert.deepEqual(
    (await kith.json(['user', 'list', '--org', org])).map(({ email, name, role }: Record<string, string>) => [
      email,
      name,
      role,
    ]),
    [
      ['ada@example.com', '', 'admin'],
      ['bo@example.com', 'Bo', 'member'],
    ],
  )
  assert.equal(await fits('bo@example.com', PASSWORD), true)
  assert.equal(await fits('ada@example.com', password), true)

  const reset = await kith.json(['user', 'reset', 'ADA@example.com', '--org', org])
  assert.equal(await fits('ada@example.com', password), false)
  assert.equal(await fits('ada@example.com', reset.password), true)

  const asked = await kith.run(['user', 'remove', 'bo@example.com', '--org', org])
  assert.deepEqual([asked.code, asked.stdout], [2, ''])
  assert.match(asked.stderr, /^kith: This removes bo@example\.com \(member\) from Acme at once\. Say --yes to do it\./)
  assert.equal((await kith.json(['user', 'list', '--org', org])).length, 2)
  assert.deepEqual(await kith.json(['user', 'remove', 'bo@example.com', '--org', org, '--yes']), {
    email: 'bo@example.com',
    removed: true,
  })
  const last = await kith.run(['user', 'remove', 'ada@example.com', '--org', org, '--yes'])
  assert.deepEqual([last.code, last.stderr], [1, 'kith: An organisation needs one admin.\n'])

  async function fits(email: string, text: string): Promise<boolean> {
    const db = await openDatabase({ engine: 'sqlite', folder: kith.data }, 'command')
    const { password_hash: hash } = await db.read
      .selectFrom('member')
      .select('password_hash')
      .where('org_id', '=', org)
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await db.close()
    return isPassword(text, hash)
  }
})

test('a person with a bad address or password is refused, and nobody is added', async (t) => {
  const kith = await program(t)
  const { id: org } = await kith.json(['org', 'create', 'Acme Company Ltd'])
  const create = ['user', 'create', 'ada@example.com', '--org', org, '--role', 'admin', '--password-stdin']
  for (const stdin of ['', 'acme company ltd\r\n']) {
    const { code, stdout, stderr } = await kith.run([...create, '--json'], { stdin })
    assert.deepEqual([code, stdout, JSON.parse(stderr).details[0].path], [1, '', 'password'], stdin)
  }
  const address = await kith.run(['user', 'create', 'ada', '--org', org, '--role', 'admin', '--json'])
  assert.deepEqual([address.code, JSON.parse(address.stderr).details[0].path], [1, 'email'])
  const argument = await kith.run([
    'user',
    'create',
    'ada@example.com',
    '--org',
    org,
    '--role',
    'admin',
    '--password',
    'x',
  ])
  assert.equal(argument.code, 2)
  assert.deepEqual(await kith.json(['user', 'list', '--org', org]), [])
})
