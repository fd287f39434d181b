import assert from 'node:assert/strict'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { program } from './test-program.ts'

test('commands work beside a running server, and what they change is in effect within 1 s', async (t) => {
  const kith = await program(t)
  const server = kith.start(['serve', '--port', '0', '--json'])
  t.after(async () => {
    server.kill('SIGKILL')
  })
  server.stderr!.resume()
  const [line] = await once(createInterface(server.stdout!), 'line')
  const { url } = JSON.parse(line)
  const { id: org } = await kith.json(['org', 'create', 'Acme'])
  const { id, token } = await kith.json(['token', 'create', 'Program', '--org', org])
  const ask = () => fetch(`${url}/api/v1/contacts`, { headers: { authorization: `Bearer ${token}` } })
  const answer = await ask()
  assert.deepEqual([answer.status, answer.headers.get('ratelimit-limit')], [200, '5000'])

  await kith.json(['org', 'set', org, '--hourly-limit', '70'])
  const setAt = performance.now()
  while ((await ask()).headers.get('ratelimit-limit') !== '70') {
    assert.ok(performance.now() - setAt < 1_000, 'not in effect within 1 s')
    await delay(50)
  }
  const folder = dirname(kith.data)
  assert.equal((await kith.json(['backup', join(folder, 'kith.backup')])).orgs, 1)
  const refused = await kith.run(['restore', join(folder, 'kith.backup')])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /Another server is running/)

  await kith.json(['token', 'revoke', id, '--org', org])
  assert.equal((await ask()).status, 401)
  server.kill('SIGTERM')
  assert.deepEqual(await once(server, 'exit'), [0, null])
})
