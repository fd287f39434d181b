import assert from 'node:assert/strict'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabaseUrl } from '../../../test/support/postgres-server.ts'
import { type Program, program } from './test-program.ts'

test('doctor finds nothing wrong with a healthy folder', async (t) => {
  const kith = await program(t)
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  await kith.json(['webhook', 'create', 'https://example.com/', '--org', org, '--events', 'contact.created'])
  const findings = await kith.json(['doctor'])
  for (const finding of findings) {
    assert.deepEqual(Object.keys(finding), ['check', 'status', 'message'])
    assert.equal(finding.status, 'ok', finding.message)
  }
  const checks = findings.map(({ check }: { check: string }) => check)
  assert.deepEqual(checks, ['settings', 'address', 'files', 'disk', 'database', 'key', 'clock'])
  assert.match((await kith.run(['doctor'])).stdout, /^CHECK +STATUS +MESSAGE\nsettings +ok /)
})

test('doctor says what to mend, and exits with 1 when a check is bad', async (t) => {
  const kith = await program(t)
  assert.deepEqual(await statuses(kith, 0), {
    settings: 'ok',
    address: 'ok',
    files: 'warn',
    database: 'warn',
    clock: 'ok',
  })
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  await kith.json(['webhook', 'create', 'https://example.com/', '--org', org, '--events', 'contact.created'])
  await chmod(kith.data, 0o755)
  assert.equal((await statuses(kith, 0)).files, 'warn')
  await chmod(kith.data, 0o700)
  await writeFile(join(kith.data, 'kith.key'), `${'ab'.repeat(32)}\n`)
  assert.equal((await statuses(kith, 1)).key, 'bad')
  await rm(join(kith.data, 'kith.key'))
  assert.equal((await statuses(kith, 1)).key, 'bad')
  await rm(join(kith.data, 'kith.commits'))
  assert.equal((await statuses(kith, 1)).database, 'bad')
  assert.deepEqual(await statuses(kith, 1, { KITH_HOST: '0.0.0.0', KITH_DATA: join(kith.data, 'none') }), {
    settings: 'ok',
    address: 'bad',
    files: 'warn',
    database: 'warn',
    clock: 'ok',
  })
  assert.deepEqual(await statuses(kith, 1, { KITH_PROT: '1' }), { settings: 'bad' })
})

test('doctor looks at PostgreSQL without making tables in it', async (t) => {
  const kith = await program(t, { KITH_DATABASE_URL: await testDatabaseUrl(t) })
  await mkdir(kith.data, { mode: 0o700 })
  assert.equal((await statuses(kith, 0)).database, 'warn')
  await kith.json(['org', 'create', 'Acme'])
  const healthy = await statuses(kith, 0)
  assert.deepEqual([healthy.database, healthy.key, healthy.clock], ['ok', 'ok', 'ok'])
  const away = await statuses(kith, 1, { KITH_DATABASE_URL: 'postgres://kith:sentinel@127.0.0.1:1/kith' })
  assert.equal(away.database, 'bad')
})

/** The worst status of each check. */
async function statuses(
  kith: Program,
  code: number,
  env: Record<string, string> = {},
): Promise<Record<string, string>> {
  const outcome = await kith.run(['doctor', '--json'], { env })
  assert.equal(outcome.code, code, outcome.stdout + outcome.stderr)
  assert.doesNotMatch(outcome.stdout + outcome.stderr, /sentinel/)
  const worst: Record<string, string> = {}
  const ranks = ['ok', 'warn', 'bad']
  for (const { check, status } of JSON.parse(outcome.stdout)) {
    if (ranks.indexOf(status) > ranks.indexOf(worst[check] ?? '')) worst[check] = status
  }
  return worst
}
