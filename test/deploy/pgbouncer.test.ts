import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { PostgresPool } from '../../server/src/database/postgres-pool.ts'
import { readPostgresUrl } from '../../server/src/text/postgres-url.ts'
import { PostgresCluster } from '../support/postgres-cluster.ts'
import { unlessInstalled } from './installed.ts'
import { PgBouncer } from './pgbouncer.ts'

/** What leans on transactions, locks and notices the most. */
const CONTRACT = ['contacts', 'idempotency', 'deliveries']
const CONTRACT_MS_MAX = 400_000
/** PgBouncer can be told to swallow what it does not pass on. */
const SWALLOWING = { ignore_startup_parameters: 'options, statement_timeout, idle_in_transaction_session_timeout' }

describe('PgBouncer that lends connections for a transaction', { skip: unlessInstalled('pgbouncer') }, () => {
  const hooks: (() => void | Promise<void>)[] = []
  let cluster: PostgresCluster
  let pooler: PgBouncer

  before(async () => {
    cluster = await PostgresCluster.start({ after: (hook) => void hooks.unshift(hook) })
    // What a session would have by itself is what Kith must not rely on.
    await cluster.query(`alter role kith set default_transaction_isolation = 'repeatable read'`)
    await cluster.query(`alter role kith set datestyle = 'SQL, DMY'`)
    pooler = await PgBouncer.start(cluster.url)
    hooks.unshift(() => pooler.close())
  })
  after(async () => {
    for (const hook of hooks) await hook()
  })

  test(`the contract holds through it: ${CONTRACT.join(', ')}`, { timeout: CONTRACT_MS_MAX }, async (t) => {
    const files = CONTRACT.map((name) => join(import.meta.dirname, `../contract/${name}.test.ts`))
    const { NODE_TEST_CONTEXT: _, ...own } = process.env
    const env = { ...own, KITH_TEST_DATABASE_URL: pooler.url() }
    const options = [
      '--test',
      '--test-concurrency=2',
      '--test-name-pattern=^postgres ',
      '--test-reporter=tap',
      ...files,
    ]
    const { failed, said } = await new Promise<{ failed: boolean; said: string }>((resolve) => {
      execFile(process.execPath, options, { env, maxBuffer: 2 ** 26 }, (err, said) => resolve({ failed: !!err, said }))
    })
    const passed = Number(/^# pass (\d+)$/m.exec(said)?.[1])
    assert.ok(
      !failed,
      said
        .split('\n')
        .filter((line) => !/^ *(ok|#|---|\.\.\.|duration_ms|type)/.test(line))
        .join('\n'),
    )
    assert.ok(passed > 50, `${passed} tests`)
    t.diagnostic(`${passed} tests`)
  })

  for (const [name, settings] of [
    ['refuses parameters', {}],
    ['swallows parameters', SWALLOWING],
  ] as const) {
    test(`one that ${name} is recognised, and what Kith asks of a session holds in each transaction`, async (t) => {
      const own = await PgBouncer.start(cluster.url, { default_pool_size: '1', ...settings })
      const { servers } = readPostgresUrl(own.url())!
      const pool = new PostgresPool({ servers, attrs: 'read-write', connectionsMax: 2 })
      t.after(async () => {
        await pool.end()
        await own.close()
      })
      const links = await Promise.all([pool.connect(), pool.connect()])
      for (const link of links) {
        assert.equal(link.server.isPooled, true)
        const { rows } = await link.query<{ at: string }>(`select '2026-05-14T09:30:00.12Z'::timestamptz as at`)
        assert.equal(rows[0]!.at, '2026-05-14T09:30:00.120Z')
        link.begin()
        const shown = await link.query<{ statement_timeout: string }>('show statement_timeout')
        assert.equal(shown.rows[0]!.statement_timeout, '30s')
        await link.commit()
      }
      // Another client of the pooler gets the connection as it was.
      const shown = await links[0]!.query<{ statement_timeout: string }>('show statement_timeout')
      assert.equal(shown.rows[0]!.statement_timeout, '0')
      for (const link of links) link.release()
    })
  }

  test('nobody listens through it, so that no listener is left to others', async () => {
    const { openDatabase } = await import('../../server/src/database/open.ts')
    const db = await openDatabase({ engine: 'postgres', url: pooler.url(), connectionsMax: 2 }, 'server')
    try {
      await db.read.selectFrom('meta').select('key').execute()
    } finally {
      await db.close()
    }
    const listening = await cluster.query(`select 1 from pg_stat_activity where query ilike 'listen%'`)
    assert.deepEqual(listening, [])
  })
})
