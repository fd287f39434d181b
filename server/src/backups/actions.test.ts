import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import { engines } from '../../../test/support/databases.ts'
import { commandActor } from '../actor.ts'
import { createContact, listContacts } from '../contacts/actions.ts'
import type { Database, Tx } from '../database/engine.ts'
import { SCHEMA_VERSION } from '../database/migrate.ts'
import { KEPT_TABLES, PASSING_TABLES } from '../database/tables.ts'
import { newId } from '../ids.ts'
import { createMember } from '../members/actions.ts'
import { createOrg } from '../orgs/actions.ts'
import { createAddressGuard } from '../outgoing/address-guard.ts'
import { changeTask, createTask, listTasks } from '../tasks/actions.ts'
import { createToken } from '../tokens/actions.ts'
import { VERSION } from '../version.ts'
import { saveView } from '../views/actions.ts'
import { createSubscription } from '../webhooks/actions.ts'
import { checkBackup, makeBackup, restoreBackup } from './actions.ts'
import { type Header, writeBackupFile } from './backup-file.ts'
import { columnsOf } from './store.ts'

const KEY = Buffer.alloc(32, 7)

for (const from of engines) {
  for (const to of engines) {
    test(`${from.name} to ${to.name}: a restored database equals the one that was backed up, per org`, async (t) => {
      const { db: source } = await from.open(t)
      const orgs = await fill(source)
      const file = join(await temporaryFolder(t), 'kith.backup')
      const made = await makeBackup(source, file)
      const { db: target } = await to.open(t)
      const restored = await restoreBackup(target, file)
      assert.deepEqual(restored, made)
      const contents = await contentsOf(source)
      assert.deepEqual(await contentsOf(target), contents)
      for (const { name } of KEPT_TABLES) {
        assert.equal(made.rows[name], contents[name]!.length, name)
        assert.ok(contents[name]!.length > 0, `${name} is empty, so nothing about it was tested`)
      }
      for (const orgId of orgs) assert.deepEqual(await answersOf(target, orgId), await answersOf(source, orgId))
    })
  }

  const named = (rule: string) => `${from.name}: ${rule}`

  test(named('what is added after a restore comes after what was restored'), async (t) => {
    const { db: source } = await from.open(t)
    const [orgId] = await fill(source)
    const file = join(await temporaryFolder(t), 'kith.backup')
    await makeBackup(source, file)
    for (const to of engines) {
      const { db: target } = await to.open(t)
      await restoreBackup(target, file)
      const before = await highest(target)
      await target.write(async (tx) => {
        await createContact(tx, commandActor(orgId!), { full_name: 'Zoë After' })
        await createOrg(tx, { name: 'Later' })
      })
      const after = await highest(target)
      assert.ok(after.seq > before.seq && after.delivery > before.delivery && after.number > before.number)
      assert.ok(after.id > before.id)
      const found = await listContacts(target, orgId!, { q: 'zoe after', limit: 5, offset: 0 })
      assert.equal(found.count, 1)
    }
  })

  test(named('a backup under load is the database of one moment'), async (t) => {
    const { db } = await from.open(t)
    const { id: orgId } = await db.write((tx) => createOrg(tx, { name: 'Busy' }))
    const file = join(await temporaryFolder(t), 'kith.backup')
    let added = 0
    let isDone = false
    const add = async () => {
      while (!isDone) {
        await db.write((tx) => createContact(tx, commandActor(orgId), { full_name: `Contact ${added}` }))
        added++
      }
    }
    const writers = [add(), add(), add()]
    while (added < 300) await new Promise(setImmediate)
    const before = added
    const { rows } = await makeBackup(db, file)
    const after = added
    isDone = true
    await Promise.all(writers)
    assert.ok(rows.contact! >= before && rows.contact! <= after + writers.length, `${before} ${rows.contact} ${after}`)
    assert.ok(after > before, 'nothing was written meanwhile')
    assert.deepEqual([rows.event, rows.activity], [rows.contact, rows.contact])
    const { db: target } = await engines[0]!.open(t)
    await restoreBackup(target, file)
    assert.equal((await listContacts(target, orgId, { limit: 1, offset: 0 })).count, rows.contact)
  })

  test(named('a database that is not empty is refused and not changed'), async (t) => {
    const { db: source } = await from.open(t)
    await fill(source)
    const file = join(await temporaryFolder(t), 'kith.backup')
    await makeBackup(source, file)
    const before = await contentsOf(source)
    await assert.rejects(restoreBackup(source, file), { name: 'BackupFault', message: /is not empty/ })
    assert.deepEqual(await contentsOf(source), before)
  })

  test(named('a cut file and a flipped byte are refused, and nothing is changed'), async (t) => {
    const { db: source } = await from.open(t)
    await fill(source)
    const folder = await temporaryFolder(t)
    const file = join(folder, 'kith.backup')
    await makeBackup(source, file)
    const bytes = await readFile(file)
    const { db: target } = await from.open(t)
    const empty = await contentsOf(target)
    const bad = join(folder, 'bad.backup')
    const middle = Math.floor(bytes.length / 2)
    for (const damaged of [bytes.subarray(0, middle), bytes.subarray(0, -1), flipped(bytes, middle)]) {
      await writeFile(bad, damaged)
      await assert.rejects(checkBackup(bad), { name: 'BackupFault' })
      // Not even one that changes between the check and the restore.
      await assert.rejects(restoreBackup(target, bad))
      assert.deepEqual(await contentsOf(target), empty)
    }
    await restoreBackup(target, file)
    assert.deepEqual(await contentsOf(target), await contentsOf(source))
  })

  test(named('a backup of a newer schema is refused, and nothing is changed'), async (t) => {
    const { db } = await from.open(t)
    const file = join(await temporaryFolder(t), 'kith.backup')
    await writeBackupFile(file, lines({ ...header, schema_version: SCHEMA_VERSION + 1 }))
    const empty = await contentsOf(db)
    for (const work of [() => checkBackup(file), () => restoreBackup(db, file)]) {
      await assert.rejects(work, { name: 'BackupFault', message: /newer than this program/ })
    }
    assert.deepEqual(await contentsOf(db), empty)
  })

  test(named('every table is either backed up or said to be passing'), async (t) => {
    const { db } = await from.open(t)
    const names =
      db.engine === 'sqlite'
        ? sql<{ name: string }>`select name from pragma_table_list
            where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite_%'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables
            where table_schema = current_schema()`
    const { rows } = await names.execute(db.read)
    const known = [...KEPT_TABLES.map(({ name }) => name as string), ...Object.keys(PASSING_TABLES)]
    assert.deepEqual(
      rows.map(({ name }) => name).filter((name) => !known.includes(name)),
      [],
      'add it to database/tables.ts',
    )
  })
}

test('a backup is for its owner alone, whole or not there, and never overwritten', async (t) => {
  const { db } = await engines[0]!.open(t)
  await fill(db)
  const folder = await temporaryFolder(t)
  const file = join(folder, 'kith.backup')
  await makeBackup(db, file)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const before = await readFile(file)
  await assert.rejects(makeBackup(db, file), { name: 'BackupFault', message: /exists already/ })
  assert.deepEqual(await readFile(file), before)
  assert.deepEqual(await readdir(folder), ['kith.backup'])
  await assert.rejects(makeBackup(db, join(folder, 'missing', 'kith.backup')), { code: 'ENOENT' })
  assert.equal(existsSync(join(folder, 'missing')), false)
})

test('wherever a file is cut or a byte of it flipped, it is told from a whole one', async (t) => {
  const { db } = await engines[0]!.open(t)
  await fill(db)
  const folder = await temporaryFolder(t)
  const file = join(folder, 'kith.backup')
  const whole = await makeBackup(db, file)
  const bytes = await readFile(file)
  const bad = join(folder, 'bad.backup')
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
    await writeFile(bad, bytes.subarray(0, at))
    await assert.rejects(checkBackup(bad), { name: 'BackupFault' }, `cut at ${at}`)
    await writeFile(bad, flipped(bytes, at))
    // Some bits of the compression's own frame carry nothing: what is read is then the same.
    const read = await checkBackup(bad).catch((err) => assert.equal(err.name, 'BackupFault', `flipped at ${at}`))
    if (read) assert.deepEqual(read, whole)
  }
})

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at]! ^= 0x10
  return changed
}

test('a backup holds neither tokens nor signing secrets', async (t) => {
  const { db } = await engines[0]!.open(t)
  const { secrets } = await fillWithSecrets(db)
  const file = join(await temporaryFolder(t), 'kith.backup')
  await makeBackup(db, file)

  const text = zstdDecompressSync(await readFile(file)).toString('latin1')
  assert.match(text, /"table":"api_token"/)
  for (const secret of secrets) {
    for (const written of [secret, Buffer.from(secret).toString('base64').slice(0, -4)]) {
      assert.equal(text.includes(written), false)
    }
  }
})

const header: Header = {
  kith_backup: 1,
  kith_version: VERSION,
  schema_version: SCHEMA_VERSION,
  engine: 'sqlite',
  created_at: '2026-05-14T09:30:00.000Z',
  key_fingerprint: null,
}

for (const [what, table] of [
  ['table', { table: 'pg_user', columns: ['id'] }],
  ['column', { table: 'org', columns: ['id', 'passwd"; drop table org; --'] }],
] as const) {
  test(`a whole backup with an unknown ${what} is refused, and nothing is changed`, async (t) => {
    const { db } = await engines[0]!.open(t)
    const file = join(await temporaryFolder(t), 'kith.backup')
    await writeBackupFile(file, lines(header, { ...table, columns: [...table.columns] }))
    await assert.rejects(restoreBackup(db, file), { name: 'BackupFault', message: /does not know/ })
    assert.deepEqual((await contentsOf(db)).org, [])
  })
}

async function* lines(...given: (Header | { table: string; columns: string[] })[]) {
  yield* given
}

async function fill(db: Database): Promise<string[]> {
  return (await fillWithSecrets(db)).orgs
}

/** Two orgs with a row in every table. */
async function fillWithSecrets(db: Database) {
  const orgs: string[] = []
  const secrets: string[] = []
  for (const name of ['Ours', 'Öthers']) {
    await db.write(async (tx) => {
      const org = await createOrg(tx, { name })
      const actor = commandActor(org.id)
      orgs.push(org.id)
      await createMember(tx, org.id, { email: `${org.id}@example.com`, role: 'admin' }, 'a hash')
      const guard = createAddressGuard([])
      const { secret } = await createSubscription(
        tx,
        actor,
        { url: 'https://example.com/hooks', events: ['contact.created', 'task.completed'] },
        { guard, key: KEY },
      )
      const { token, id: tokenId } = await createToken(tx, actor, { name: 'Program', scopes: ['read'] })
      secrets.push(secret, token)
      for (let i = 0; i < 110; i++) {
        const contact = await createContact(tx, actor, {
          full_name: i % 3 === 0 ? null : `Zoë "${i}" \u2028 O’Neil 🦆`,
          company: `Müller & Søn ${i}`,
          deal_stage: i % 2 === 0 ? 'lead' : null,
          deal_value: [null, 0.1, -1e15, 1e15, 5, 123456.789][i % 6]!,
          label: i % 5 === 0 ? 'hot' : null,
          tags: i % 7 === 0 ? ['a', 'b "c"'] : [],
        })
        if (i % 50 > 0) continue
        const task = await createTask(tx, actor, { title: 'Call', contact_id: contact.id, due_at: contact.created_at })
        await changeTask(tx, actor, task.id, { status: 'done' })
      }
      const at = '2026-05-14T09:30:00.120Z'
      const delivery = await tx
        .selectFrom('delivery')
        .select('id')
        .where('org_id', '=', org.id)
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('delivery_attempt')
        .values({
          org_id: org.id,
          delivery_id: delivery.id,
          number: 1,
          started_at: at,
          duration_ms: 3,
          delivered: 1,
          response_status: 200,
          error: null,
          url: 'https://example.com/hooks',
          request_headers: '[]',
          response_headers: null,
          response_body: 'ok',
          timings: '{}',
        })
        .execute()
      const { subscription_id } = await tx
        .selectFrom('delivery')
        .select('subscription_id')
        .where('org_id', '=', org.id)
        .executeTakeFirstOrThrow()
      await saveView(tx, actor, { name: 'Hot', filter: { labels: ['hot', null] }, sort: '-value', columns: ['label'] })
      const ofWebhook = { org_id: org.id, subscription_id }
      await tx
        .insertInto('delivery_hour')
        .values({ ...ofWebhook, hour: 494_000, delivered: 3, failed: 1 })
        .execute()
      await tx
        .insertInto('send_again')
        .values({
          ...ofWebhook,
          after_id: delivery.id,
          until_id: delivery.id,
          per_minute: null,
          total: 2,
          done: 1,
          next_at: at,
        })
        .execute()
      await tx
        .insertInto('usage_minute')
        .values({ org_id: org.id, minute: 29_600_000, token_id: tokenId, allowed: 5, refused: 0 })
        .execute()
      await tx
        .insertInto('value_rename')
        .values({ org_id: org.id, field: 'label', old_value: 'hot', new_value: 'höt', actor: 'command' })
        .execute()
      await tx
        .insertInto('idempotency')
        .values({
          org_id: org.id,
          token_id: tokenId,
          key: 'k',
          request_hash: 'h',
          contact_id: null,
          location: null,
          answer: Buffer.from([0, 255, 10, 13, 128]),
          created_at: at,
        })
        .execute()
      await tx
        .insertInto('rate_window')
        .values({ org_id: org.id, second: 1_700_000_000, used: 7, last_ms: 1_700_000_000_999 })
        .execute()
    })
  }
  await db.write(async (tx) => {
    await tx.insertInto('meta').values({ key: 'key_fingerprint', value: '00112233aabbccdd' }).execute()
    await addImport(tx, orgs[0]!)
  })
  return { orgs, secrets }
}

async function addImport(tx: Tx, orgId: string) {
  const importId = newId()
  const at = '2026-05-14T09:30:00.000Z'
  await tx
    .insertInto('import_job')
    .values({
      org_id: orgId,
      id: importId,
      file_name: 'contacts.csv',
      file_hash: 'ab'.repeat(32),
      mapping: '{}',
      state: 'done',
      rows_read: 2,
      rows_added: 1,
      rows_rejected: 1,
      started_at: at,
      touched_at: at,
      finished_at: at,
    })
    .execute()
  const key = { org_id: orgId, import_id: importId }
  const reject = { ...key, row: 2, cells: '["x"]', cell: 0, reason: 'email: bad' }
  await tx.insertInto('import_reject').values(reject).execute()
  const { id: contact_id } = await oneOf(tx, 'contact', orgId)
  await tx
    .insertInto('import_change')
    .values({ ...key, contact_id, kind: 'updated', at, before: '{"label":null}', after: '{"label":"hot"}' })
    .execute()
  await tx
    .insertInto('contact_place')
    .values({
      org_id: orgId,
      contact_id,
      origin: 'osm',
      source_id: 'node/1',
      source: 'OpenStreetMap',
      licence: 'ODbL-1.0',
      attribution: '© OpenStreetMap contributors',
      attribution_url: null,
      category: 'cafe',
      website: 'https://example.com/',
      website_key: 'example.com/',
      band: 66_000,
      latitude: 41.99646,
      longitude: 21.43141,
      added_at: at,
    })
    .execute()
  const { id: task_id } = await oneOf(tx, 'task', orgId)
  await tx
    .insertInto('import_task')
    .values({ ...key, task_id, at })
    .execute()
}

function oneOf(tx: Tx, table: 'contact' | 'task', orgId: string) {
  return tx.selectFrom(table).select('id').where('org_id', '=', orgId).limit(1).executeTakeFirstOrThrow()
}

/** All rows of all tables that are backed up, each as JSON, in an order of their own. */
async function contentsOf(db: Database): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {}
  for (const table of KEPT_TABLES) {
    const columns = await columnsOf(db.read, table)
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table.name)}`.execute(
      db.read.withoutPlugins(),
    )
    contents[table.name] = rows.map((row) => JSON.stringify(columns.map((name) => [name, readable(row[name])]))).sort()
  }
  return contents
}

function readable(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}

/** What counters and search index say. */
async function answersOf(db: Database, orgId: string) {
  const queries = [
    {},
    { label: 'hot' },
    { stage: 'lead' },
    { stage: 'lead', label: 'hot' },
    { q: 'zoe' },
    { q: 'müller & søn 22' },
    { q: '7' },
  ]
  const answers = []
  for (const query of queries) answers.push(await listContacts(db, orgId, { limit: 200, offset: 0, ...query }))
  const tasks = await listTasks(db, orgId, { limit: 200, offset: 0 })
  return JSON.parse(JSON.stringify([...answers, tasks]))
}

async function highest(db: Database) {
  const one = async (text: RawBuilder<unknown>) => {
    const { rows } = await sql<{ it: number | string }>`select ${text} as it`.execute(db.read.withoutPlugins())
    return rows[0]!.it
  }
  return {
    seq: Number(await one(sql`(select max(seq) from event)`)),
    delivery: Number(await one(sql`(select max(seq) from delivery)`)),
    number: Number(await one(sql`(select max(number) from org)`)),
    id: String(await one(sql`(select id from contact order by id desc limit 1)`)),
  }
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
