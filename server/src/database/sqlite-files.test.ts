import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { newId } from '../ids.ts'
import type { Database } from './engine.ts'
import { inspectDatabase } from './inspection.ts'
import { openDatabase } from './open.ts'

test('a second server on the folder is refused within a second; a command is not', async (t) => {
  const folder = newFolder(t)
  const server = await openDatabase({ engine: 'sqlite', folder }, 'server')
  try {
    const start = performance.now()
    await assert.rejects(openDatabase({ engine: 'sqlite', folder }, 'server'), {
      name: 'StartError',
      message: /Another server is running/,
    })
    assert.ok(performance.now() - start < 1_000)
    const command = await openDatabase({ engine: 'sqlite', folder }, 'command')
    await put(command, 'by the command')
    await command.close()
    assert.equal(await has(server, 'by the command'), true)
    await put(server, 'by the server')
  } finally {
    await server.close()
  }
})

test('the lock and the files of a killed server are no obstacle, and all it acknowledged is there', async (t) => {
  const folder = newFolder(t)
  const { child, keys } = await killedServer(folder)
  assert.equal(child.signalCode, 'SIGKILL')
  const db = await openDatabase({ engine: 'sqlite', folder }, 'server')
  try {
    for (const key of keys) assert.equal(await has(db, key), true)
  } finally {
    await db.close()
  }
})

/** What may have happened to the files of a server that was killed with commits in its log. */
const DAMAGES: Record<string, { damage(folder: string): void; says: RegExp }> = {
  'a missing log': { damage: (folder) => rmSync(join(folder, 'kith.db-wal')), says: /lacks the last \d+ commits/ },
  'a log cut short': {
    damage: (folder) => truncateSync(join(folder, 'kith.db-wal'), readFileSync(join(folder, 'kith.db-wal')).length / 2),
    says: /lacks the last \d+ commits/,
  },
  'an empty database file': { damage: (folder) => truncateSync(join(folder, 'kith.db')), says: /kith\.db is empty/ },
  'a missing database file': { damage: (folder) => rmSync(join(folder, 'kith.db')), says: /kith\.db is missing/ },
  'a foreign file': {
    damage: (folder) => writeFileSync(join(folder, 'kith.db'), 'name,company\nAda,Analytical Engines\n'),
    says: /is not a database of Kith's/,
  },
  'a missing commit counter': { damage: (folder) => rmSync(join(folder, 'kith.commits')), says: /kith\.commits/ },
  'a newer schema': {
    damage: (folder) => {
      const db = new DatabaseSync(join(folder, 'kith.db'))
      db.exec('pragma user_version = 999')
      db.close()
    },
    says: /schema version 999/,
  },
}

for (const [name, { damage, says }] of Object.entries(DAMAGES)) {
  test(`${name} is refused, with every file as it was`, async (t) => {
    const folder = newFolder(t)
    await killedServer(folder)
    damage(folder)
    for (const role of ['server', 'command'] as const) {
      const before = bytesOf(folder)
      await assert.rejects(openDatabase({ engine: 'sqlite', folder }, role), { name: 'StartError', message: says })
      assert.deepEqual(bytesOf(folder), before)
    }
  })

  test(`${name} is seen by an inspection, which changes no file`, async (t) => {
    const folder = newFolder(t)
    await killedServer(folder)
    damage(folder)
    const before = bytesOf(folder)
    const { faults, schemaVersion } = (await inspectDatabase({ engine: 'sqlite', folder }))!
    assert.deepEqual(bytesOf(folder), before)
    assert.match([...faults, `schema version ${schemaVersion}`].join('\n'), says)
  })
}

test('another process that holds the write lock delays writes, fails none, and holds no event loop', async (t) => {
  const folder = newFolder(t)
  const db = await openDatabase({ engine: 'sqlite', folder }, 'server')
  const other = new DatabaseSync(join(folder, 'kith.db'))
  try {
    other.exec('begin immediate')
    const release = setTimeout(() => other.exec('commit'), 1_000)
    let [longestMs, last] = [0, performance.now()]
    const watch = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 5)
    const start = performance.now()
    await Promise.all(Array.from({ length: 20 }, (_, i) => put(db, `key ${i}`)))
    clearInterval(watch)
    clearTimeout(release)
    assert.ok(performance.now() - start >= 990)
    assert.ok(longestMs < 500, `the event loop was held for ${longestMs} ms`)
  } finally {
    other.close()
    await db.close()
  }
})

test('writes at once share a commit: 64 are at least twice as fast as one by one', async (t) => {
  const db = await openDatabase({ engine: 'sqlite', folder: newFolder(t) }, 'server')
  try {
    const timed = async (work: () => Promise<unknown>) => {
      const start = performance.now()
      await work()
      return performance.now() - start
    }
    const ratios: number[] = []
    for (let round = 0; round < 5; round++) {
      const apart = await timed(async () => {
        for (let i = 0; i < 64; i++) await put(db, newId())
      })
      const together = await timed(() => Promise.all(Array.from({ length: 64 }, () => put(db, newId()))))
      ratios.push(apart / together)
    }
    const median = ratios.sort((a, b) => a - b)[2]!
    assert.ok(median >= 2, `${median.toFixed(1)} times as fast`)
  } finally {
    await db.close()
  }
})

test('a read that takes long on `slow` does not hold the event loop', async (t) => {
  const db = await openDatabase({ engine: 'sqlite', folder: newFolder(t) }, 'server')
  try {
    const { sql } = await import('kysely')
    await sql`select 1`.execute(db.slow)
    let [longestMs, last] = [0, performance.now()]
    const watch = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 5)
    const start = performance.now()
    await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1500000)
      select count(*) from n`.execute(db.slow)
    const tookMs = performance.now() - start
    clearInterval(watch)
    assert.ok(longestMs < tookMs / 2, `held for ${longestMs} of ${tookMs} ms`)
  } finally {
    await db.close()
  }
})

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const SERVER = `
  import { openDatabase } from ${JSON.stringify(new URL('./open.ts', import.meta.url))}
  const db = await openDatabase({ engine: 'sqlite', folder: process.argv[1] }, 'server')
  for (let i = 0; i < 20; i++) {
    await db.write((tx) => tx.insertInto('meta').values({ key: 'key ' + i, value: 'x'.repeat(3000) }).execute())
    process.stdout.write('key ' + i + '\\n')
  }
  process.kill(process.pid, 'SIGKILL')
`

/** A server that is killed after 20 writes, all of them still in its log. */
async function killedServer(folder: string): Promise<{ child: ChildProcess; keys: string[] }> {
  const options = ['--input-type=module', '--eval', SERVER, folder]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  await once(child, 'close')
  return { child, keys: text.trim().split('\n') }
}

/** All but the locks, the log's index, which SQLite makes anew from the log, and an empty log, which is as good as none. */
function bytesOf(folder: string): Record<string, string> {
  const copy = mkdtempSync(join(tmpdir(), 'kith-test-'))
  cpSync(folder, copy, { recursive: true })
  const names = readdirSync(copy).filter((name) => !/^kith\.lock|-shm$/.test(name))
  const bytes = Object.fromEntries(
    names.sort().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(copy, name)))
        .digest('hex'),
    ]),
  )
  rmSync(copy, { recursive: true })
  if (bytes['kith.db-wal'] === EMPTY) delete bytes['kith.db-wal']
  return bytes
}

const EMPTY = createHash('sha256').digest('hex')

async function put(db: Database, key: string): Promise<void> {
  await db.write((tx) => tx.insertInto('meta').values({ key, value: '' }).execute())
}

async function has(db: Database, key: string): Promise<boolean> {
  return (await db.read.selectFrom('meta').select('key').where('key', '=', key).execute()).length === 1
}
