import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from '../../../test/support/databases.ts'
import type { Database } from '../database/engine.ts'
import { openDatabase, type StoreOptions } from '../database/open.ts'
import { createOrg } from '../orgs/actions.ts'
import { importProgress, progressLine } from './import-progress.ts'

const ROWS = 1500

for (const engine of engines) {
  test(`${engine.name}: an import that is killed again and again takes each row once`, async (t) => {
    const { db, store, orgId, folder } = await kit(t, engine)
    const path = join(folder, 'people.csv')
    const lines = Array.from({ length: ROWS }, (_, at) => (at % 100 === 50 ? `Person ${at},bad` : `Person ${at},`))
    await writeFile(path, `Name,E-mail\n${lines.join('\n')}\n`)
    let kills = 0
    for (let after = 1; after < ROWS; after = (await rowsRead(db, orgId)) + 1 + Math.floor(Math.random() * 400)) {
      const child = startImport(store, [path, '--org', orgId])
      const ended = once(child, 'exit')
      child.stdout.resume()
      child.stderr.resume()
      while (child.exitCode === null && (await rowsRead(db, orgId)) < after) await sleep(5)
      if (child.kill('SIGKILL')) kills++
      const [code] = await ended
      assert.ok(code === null || code === 0, `it failed by itself with ${code}`)
    }
    assert.ok(kills > 0)
    if ((await doneJobs(db, orgId)) === 0) await kith(store, [path, '--org', orgId, '--json'])
    const names = await db.read
      .selectFrom('contact')
      .select('full_name')
      .where('org_id', '=', orgId)
      .orderBy('id')
      .execute()
    const good = lines.filter((line) => line.endsWith(',')).map((line) => line.slice(0, -1))
    assert.deepEqual(
      names.map(({ full_name }) => full_name),
      good,
    )
    const events = await db.read.selectFrom('event').select('id').where('org_id', '=', orgId).execute()
    assert.equal(events.length, good.length)
    const rejected = (await readFile(join(folder, 'people.rejected.csv'), 'utf8')).trim().split('\r\n')
    assert.equal(rejected.length, 1 + ROWS / 100)
    assert.equal(await doneJobs(db, orgId), 1)
  })
}

test('kith import prints what it did; with --dry-run what it would do', async (t) => {
  const { store, orgId, folder, db } = await kit(t, engines[0]!)
  const path = join(folder, 'people.csv')
  await writeFile(path, 'Name,E-mail,Team\nAda,ada@example.com,x\nEve,eve,y\n')
  const args = [path, '--org', orgId, '--map', 'Team=tag', '--json']
  const mapping = [
    { column: 'Name', field: 'full_name', by: 'name' },
    { column: 'E-mail', field: 'email', by: 'name' },
    { column: 'Team', field: 'tag', by: 'given' },
  ]
  const expected = {
    import_id: null,
    file: path,
    dry_run: true,
    rows_read: 2,
    added: 1,
    updated: 0,
    skipped: 0,
    rejected: 1,
    continued_from: 0,
    rejected_file: null,
    encoding: 'utf-8',
    delimiter: ',',
    mapping,
    problems: [{ row: 3, reason: 'email must be an e-mail address such as ada@example.com.' }],
  }
  const dry = await kith(store, [...args, '--dry-run'])
  assert.deepEqual([dry.code, dry.stderr, JSON.parse(dry.stdout)], [0, '', expected])
  const real = await kith(store, args)
  const { import_id, ...rest } = JSON.parse(real.stdout)
  assert.match(import_id, /^[0-9a-f-]{36}$/)
  const { import_id: _, ...same } = { ...expected, dry_run: false, rejected_file: join(folder, 'people.rejected.csv') }
  assert.deepEqual([real.code, real.stderr, rest], [0, '', same])
  const second = await kith(store, args)
  assert.deepEqual([second.code, JSON.parse(second.stderr).error], [1, 'validation'])
  const again = await kith(store, [...args.slice(0, -1), '--again'])
  assert.match(again.stdout, /^Team +tag +as you said$/m)
  assert.match(again.stdout, /^2 rows read: 1 added, 1 rejected\.$/m)
  const contacts = await db.read.selectFrom('contact').select('id').where('org_id', '=', orgId).execute()
  assert.equal(contacts.length, 2)
})

test('a map that cannot be read is a misuse, and nothing is done', async (t) => {
  const { store, orgId, folder, db } = await kit(t, engines[0]!)
  const path = join(folder, 'people.csv')
  await writeFile(path, 'Name\nAda\n')
  const { code, stderr } = await kith(store, [path, '--org', orgId, '--map', 'Name=fullname'])
  assert.equal(code, 2)
  assert.match(stderr, /--map: There is no field "fullname"\. Did you mean/)
  assert.equal((await db.read.selectFrom('import_job').select('id').where('org_id', '=', orgId).execute()).length, 0)
})

test('progress tells the share, the rate of this run and the time left', () => {
  const line = progressLine({
    first: { bytesRead: 200, rows_read: 1000 },
    progress: { bytesRead: 500, rows_read: 31_000 },
    bytes: 1000,
    elapsedMs: 3000,
  })
  assert.equal(line, '████████████░░░░░░░░░░░░   50 %  31,000 rows  10,000 rows/s  0:05 left')
})

test('progress is drawn on a terminal alone', () => {
  const written: string[] = []
  const out = { write: (text: string) => written.push(text) }
  const show = (stream: object) => importProgress(stream as never, 10).show({ bytesRead: 5, rows_read: 1 })
  show(out)
  assert.deepEqual(written, [])
  show({ ...out, isTTY: true })
  assert.match(written.join(''), /50 %/)
})

async function kit(t: TestContext, engine: (typeof engines)[number]) {
  let db: Database | undefined
  t.after(() => db?.close())
  const store = await engine.place(t)
  const folder = await mkdtemp(join(tmpdir(), 'kith-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  db = await openDatabase(store, 'command')
  const { id: orgId } = await db.write((tx) => createOrg(tx, { name: 'Acme' }))
  return { db, store, orgId, folder }
}

function startImport(store: StoreOptions, args: string[]) {
  const place = store.engine === 'sqlite' ? { KITH_DATA: store.folder } : { KITH_DATABASE_URL: store.url }
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('KITH_'))
  return spawn(process.execPath, [join(import.meta.dirname, '../../bin/kith.mjs'), 'import', ...args], {
    env: { ...Object.fromEntries(own), ...place },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function kith(store: StoreOptions, args: string[]) {
  const child = startImport(store, args)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (part) => (stdout += part))
  child.stderr.on('data', (part) => (stderr += part))
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

async function rowsRead(db: Database, orgId: string): Promise<number> {
  const job = await db.read.selectFrom('import_job').select('rows_read').where('org_id', '=', orgId).executeTakeFirst()
  return job?.rows_read ?? 0
}

async function doneJobs(db: Database, orgId: string): Promise<number> {
  const jobs = await db.read.selectFrom('import_job').select('state').where('org_id', '=', orgId).execute()
  return jobs.filter(({ state }) => state === 'done').length
}
