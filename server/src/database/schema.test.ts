import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { describeSchema, keptSchema } from '../../../scripts/schema-snapshot.ts'
import { openEngines } from '../../../test/support/databases.ts'
import type { Reader } from './engine.ts'

/** Tables without an org, with the reason. */
const NO_ORG: Record<string, string> = {
  dispatcher_node: 'a process sends for all orgs',
  meta: 'about the database itself',
  org: 'is the org',
  schema_version: 'about the database itself',
  sign_in_try: 'whoever tries has not said yet of which org',
}

const opened = await openEngines({ after })

for (const { name, store } of opened) {
  test(`${name}: the migrations make the schema that is kept in docs/schema`, async () => {
    const renew = 'If the change is meant, run "node scripts/schema-snapshot.ts" and look at the difference.'
    assert.equal(await describeSchema(store), keptSchema(name), renew)
  })
}

for (const { name, db } of opened) {
  if (name !== 'postgres') continue

  test('postgres: the primary key of every table leads with org_id', async () => {
    const keys = await columnsOf(db.read, 'p')
    const others = keys.filter(({ columns }) => columns[0] !== 'org_id').map(({ table }) => table)
    assert.deepEqual(others, ['dispatcher_node', 'meta', 'org', 'sign_in_try'])
    const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
      where schemaname = current_schema()`.execute(db.read)
    const withOrg = keys.filter(({ columns }) => columns[0] === 'org_id').map(({ table }) => table)
    assert.deepEqual(rows.map((row) => row.name).sort(), [...withOrg, ...Object.keys(NO_ORG)].sort())
  })

  test('postgres: every foreign key leads with org_id on both sides', async () => {
    for (const { table, columns, target, targetColumns } of await columnsOf(db.read, 'f')) {
      assert.equal(columns[0], 'org_id', `${table} (${columns})`)
      assert.equal(targetColumns[0], target === 'org' ? 'id' : 'org_id', `${table} to ${target} (${targetColumns})`)
    }
  })

  test('postgres: only the hashes of secrets and the address of a member are unique across orgs', async () => {
    const { rows } = await sql<{ name: string }>`
      select n.relname as name from pg_index i join pg_class n on n.oid = i.indexrelid
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      join pg_class c on c.oid = i.indrelid
      where c.relnamespace = current_schema()::regnamespace and i.indisunique and not i.indisprimary
      and a.attname <> 'org_id' order by 1`.execute(db.read)
    // The number of an org and what else is unique there is about orgs themselves.
    const names = rows.map((row) => row.name).filter((name) => !name.startsWith('org_'))
    assert.deepEqual(names, ['api_token_hash_key', 'member_email_key', 'one_time_link_hash_key', 'session_hash_key'])
  })
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
