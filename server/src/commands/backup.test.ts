import assert from 'node:assert/strict'
import { chmod, copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { testDatabaseUrl } from '../../../test/support/postgres-server.ts'
import { program } from './test-program.ts'

test('backup and restore: to another folder, to PostgreSQL and back', async (t) => {
  const kith = await program(t)
  const folder = dirname(kith.data)
  const { org_id: org, token } = await kith.json(['demo'])
  await kith.json(['webhook', 'create', 'https://example.com/', '--org', org, '--events', 'contact.created'])
  const file = join(folder, 'kith.backup')
  const made = await kith.run(['backup', file, '--json'])
  assert.equal(made.code, 0)
  assert.match(made.stderr, /need the key in \S+kith\.key, which is not in it/)
  const backup = JSON.parse(made.stdout)
  assert.deepEqual(Object.keys(backup), ['file', 'bytes', 'created_at', 'orgs', 'rows', 'key_fingerprint'])
  assert.deepEqual([backup.file, backup.orgs, backup.rows.contact], [file, 1, 100])
  assert.deepEqual([(await stat(file)).mode & 0o777, (await stat(file)).size], [0o600, backup.bytes])
  assert.equal((await kith.run(['backup', file])).code, 1)
  assert.equal((await readFile(file)).includes(token), false)

  const other = join(folder, 'other')
  const restored = await kith.run(['restore', file, '--data', other, '--json'])
  assert.equal(restored.code, 0, restored.stderr)
  assert.match(restored.stderr, /Before a server starts, put the key .* at \S+other\/kith\.key/)
  assert.equal(JSON.parse(restored.stdout).key_fits, null)
  assert.equal((await kith.run(['doctor', '--data', other])).code, 1)
  await copyFile(join(kith.data, 'kith.key'), join(other, 'kith.key'))
  assert.equal((await kith.run(['doctor', '--data', other])).code, 0)
  // The log and its index come and go with connections.
  const files = async () => (await readdir(other)).filter((name) => !/-(wal|shm)$/.test(name))
  const before = await files()
  const again = await kith.run(['restore', file, '--data', other])
  assert.deepEqual([again.code, again.stdout], [1, ''])
  assert.match(again.stderr, /is not empty/)
  assert.deepEqual(await files(), before)

  const env = { KITH_DATABASE_URL: await testDatabaseUrl(t) }
  const moved = await kith.json(['restore', file], { env })
  assert.deepEqual([moved.key_fits, moved.rows], [true, backup.rows])
  const list = ['token', 'list', '--org', org]
  assert.deepEqual(await kith.json(list, { env }), await kith.json(list))
  const back = join(folder, 'back.backup')
  assert.deepEqual((await kith.json(['backup', back], { env })).rows, backup.rows)
  await kith.json(['restore', back, '--data', join(folder, 'back')])
  assert.deepEqual(await kith.json([...list, '--data', join(folder, 'back')]), await kith.json(list))
})

test('a file that is no whole backup, and a key that does not fit, leave everything as it was', async (t) => {
  const kith = await program(t)
  const folder = dirname(kith.data)
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  await kith.json(['webhook', 'create', 'https://example.com/', '--org', org, '--events', 'contact.created'])
  const file = join(folder, 'kith.backup')
  await kith.json(['backup', file])
  const other = join(folder, 'other')
  const bad = join(folder, 'bad.backup')
  const bytes = await readFile(file)
  for (const content of ['', 'no backup', bytes.subarray(0, bytes.length / 2)]) {
    await writeFile(bad, content)
    const { code, stdout, stderr } = await kith.run(['restore', bad, '--data', other])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /damaged|cut short/)
  }
  const missing = await kith.run(['restore', join(folder, 'missing'), '--data', other])
  assert.deepEqual(
    [missing.code, missing.stderr],
    [1, `kith: ${join(folder, 'missing')}: there is no such file or folder.\n`],
  )
  const key = join(folder, 'other.key')
  await writeFile(key, `${'ab'.repeat(32)}\n`)
  await chmod(key, 0o600)
  const misfit = await kith.run(['restore', file, '--data', other], { env: { KITH_KEY_FILE: key } })
  assert.equal(misfit.code, 1)
  assert.match(misfit.stderr, /is not the one that this backup needs/)
  assert.deepEqual((await readdir(folder)).sort(), ['bad.backup', 'data', 'kith.backup', 'other.key'])
})
