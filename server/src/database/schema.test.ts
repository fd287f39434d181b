import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { describeSchema, keptSchema } from '../../../scripts/schema-snapshot.ts'
import { engines, openEngines } from '../../../test/support/databases.ts'
import type { Reader } from './engine.ts'

/** Tables without an org, with the reason. */
const NO_ORG: Record<string, string> = {
  dispatcher_node: 'a process sends for all orgs',
  meta: 'about the database itself',
  org: 'is the org',
  overpass_answer: 'about the world: what a public server answered',
  overpass_place: 'about the world: what a public server answered',
  place: 'about the world: from a file of the operator, for all orgs',
  place_set: 'about the world: from a file of the operator, for all orgs',
  schema_version: 'about the database itself',
  sign_in_try: 'whoever tries has not said yet of which org',
}

/** Unique indexes that do not lead with `org_id`, with the reason. */
const UNIQUE_ACROSS_ORGS: Record<string, string> = {
  api_token_hash_key: 'whoever sends a token has not said of which org',
  member_email_key: 'whoever signs in has not said of which org',
  one_time_link_hash_key: 'whoever opens a link has not said of which org',
  org_number_key: 'numbers the orgs',
  place_set_live_id: 'places are of no org',
  place_set_live_name: 'places are of no org',
  session_hash_key: 'whoever shows a cookie has not said of which org',
}

const opened = await openEngines({ after })

for (const { name, store } of opened) {
  test(`${name}: the migrations make the schema that is kept in docs/schema`, async () => {
    const renew = 'If the change is meant, run "node scripts/schema-snapshot.ts" and look at the difference.'
    assert.equal(await describeSchema(store), keptSchema(name), renew)
  })
}

test('sqlite: the pages of the table for searching are small, so that merging 64 of them holds nobody up', async (t) => {
  const { db } = await engines.find(({ name }) => name === 'sqlite')!.open(t)
  const texts = Array.from({ length: 1_000 }, () => randomBytes(30).toString('base64'))
  await db.write(async (tx) => {
    for (const [id, text] of texts.entries()) {
      await sql`insert into contact_search (rowid, search_text) values (${id + 1}, ${text})`.execute(tx)
    }
  })
  const { rows } = await sql<{ pages: number; bytes: number }>`
    select count(*) as pages, max(length(block)) as bytes from contact_search_data`.execute(db.read)
  const [{ pages, bytes }] = rows as [{ pages: number; bytes: number }]
  assert.ok(pages > 50 && bytes < 1_200, `${pages} pages of up to ${bytes} bytes`)
})

for (const { name, db } of opened) {
  if (name !== 'postgres') continue

  test('postgres: the primary key of every table leads with org_id', async () => {
    const keys = await columnsOf(db.read, 'p')
    const others = keys.filter(({ columns }) => columns[0] !== 'org_id').map(({ table }) => table)
    assert.deepEqual(
      others,
      Object.keys(NO_ORG)
        .filter((table) => table !== 'schema_version')
        .sort(),
    )
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
      where schemaname = current_schema()`.execute(db.read)
    const withOrg = keys.filter(({ columns }) => columns[0] === 'org_id').map(({ table }) => table)
    assert.deepEqual(rows.map((row) => row.name).sort(), [...withOrg, ...Object.keys(NO_ORG)].sort())
  })

  test('postgres: every foreign key leads with org_id on both sides', async () => {
    for (const { table, columns, target, targetColumns } of await columnsOf(db.read, 'f')) {
      if (table in NO_ORG && target in NO_ORG) continue
      assert.equal(columns[0], 'org_id', `${table} (${columns})`)
      assert.equal(targetColumns[0], target === 'org' ? 'id' : 'org_id', `${table} to ${target} (${targetColumns})`)
    }
  })

  test('postgres: what is unique across orgs is so for a reason', async () => {
    const { rows } = await sql<{ name: string }>`
      select n.relname as name from pg_index i join pg_class n on n.oid = i.indexrelid
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      join pg_class c on c.oid = i.indrelid
      where c.relnamespace = current_schema()::regnamespace and i.indisunique and not i.indisprimary
      and a.attname <> 'org_id' order by 1`.execute(db.read)
    assert.deepEqual(
      rows.map((row) => row.name),
      Object.keys(UNIQUE_ACROSS_ORGS).sort(),
    )
  })

  test('postgres: the statements in docs/operations.md that spread the tables by org name each table of an org once, after those that it refers to', async () => {
    const { reference, distributed } = tablesOfDocs()
    const keys = await columnsOf(db.read, 'p')
    const ofOrg = keys.filter(({ columns }) => columns[0] === 'org_id').map(({ table }) => table)
    assert.deepEqual([...reference, ...distributed].sort(), ['org', ...ofOrg].sort())
    for (const { table, target } of await columnsOf(db.read, 'f')) {
      if (!reference.includes(table) && !distributed.includes(table)) continue
      const isBefore =
        reference.includes(target) || distributed.indexOf(target) < distributed.indexOf(table) || table === target
      // Whatever is the same on all machines can refer to the like alone.
      assert.ok(reference.includes(table) ? reference.includes(target) : isBefore, `${table} before ${target}`)
    }
    const unique = Object.keys(UNIQUE_ACROSS_ORGS).filter((name) => !name.startsWith('place_set'))
    for (const name of unique)
      assert.ok(
        reference.some((table) => name.startsWith(`${table}_`)),
        name,
      )
  })
}

/** The arrays of table names, and the one that goes first. */
function tablesOfDocs(): { reference: string[]; distributed: string[] } {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  const arrayOf = (call: string) => {
    const [, names] = new RegExp(`${call}\\(t[^;]*array\\[([^\\]]+)\\]`).exec(text)!
    return names!.split(',').map((name) => name.trim().slice(1, -1))
  }
  const [, first] = /create_distributed_table\('(\w+)'/.exec(text)!
  return {
    reference: arrayOf('create_reference_table'),
    distributed: [first!, ...arrayOf('create_distributed_table')],
  }
}

interface Key {
  table: string
  columns: string[]
  target: string
  targetColumns: string[]
}

async function columnsOf(db: Reader, type: 'p' | 'f'): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select c.relname as table, f.relname as target,
      array(select a.attname::text from unnest(o.conkey) with ordinality k (n, place)
        join pg_attribute a on a.attrelid = o.conrelid and a.attnum = k.n order by k.place) as columns,
      array(select a.attname::text from unnest(o.confkey) with ordinality k (n, place)
        join pg_attribute a on a.attrelid = o.confrelid and a.attnum = k.n order by k.place) as "targetColumns"
    from pg_constraint o join pg_class c on c.oid = o.conrelid left join pg_class f on f.oid = o.confrelid
    where o.connamespace = current_schema()::regnamespace and o.contype = ${type}
    order by c.relname collate "C"`.execute(db)
  assert.ok(rows.length > 10)
  return rows
}
