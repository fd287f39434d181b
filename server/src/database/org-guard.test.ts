import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openEngines } from '../../../test/support/databases.ts'
import { newId } from '../ids.ts'
import { compiled } from './compiled.ts'
import { isPostgres, type Reader } from './engine.ts'
import { ORG_TABLES, unguardedTables } from './org-guard.ts'

const opened = await openEngines({ after })

const HELD = [
  'select * from contact where org_id = ? and id = ?',
  'select "id" from "contact" where "org_id" = $1 order by "id" limit $2',
  'select * from org order by id',
  'select s.* from org o left join stage s on s.org_id = o.id where o.id = ?',
  'select d.* from delivery as d join subscription as s on s.org_id = d.org_id and s.id = d.subscription_id where d.org_id = ?',
  'select * from json_each(?) as given join delivery d on d.org_id = given.org_id',
  'update task set contact_id = null where org_id = ? and contact_id = ?',
  'delete from event where (org_id, id) in (select org_id, id from given)',
  'insert into activity (org_id, id) values (?, ?)',
  'insert into subscription_lease (org_id, owner) select given.org_id, ? from given where true on conflict (org_id) do update set owner = excluded.owner where subscription_lease.owner is null',
  'with hits as materialized (select c.id from contact c where c.org_id = ?) select c.* from hits join contact c on c.org_id = ? and c.id = hits.id',
  'select id from contact where contact.row_id >> 32 = (select number from org where id = ?) order by row_id',
  'select t.id from api_token t join org o on o.id = t.org_id where t.hash = ?',
]

const NOT_HELD: Record<string, string[]> = {
  'select id from contact where contact.row_id >> 31 = (select number from org where id = ?)': ['contact'],
  'select c.id from contact c, task t where t.row_id >> 32 = (select number from org where id = ?)': [
    'contact',
    'task',
  ],
  'select * from contact': ['contact'],
  'select org_id, id from contact where id = ? order by org_id': ['contact'],
  "select id from contact where company = 'org_id = 1'": ['contact'],
  'select * from contact c, task t where c.org_id = ? and t.contact_id = c.id': ['task'],
  'select * from delivery d join event e on e.org_id = d.org_id and e.id = d.event_id where d.id = ?': [
    'delivery',
    'event',
  ],
  'select d.id from delivery d where d.org_id = d.org_id': ['delivery'],
  'select s.name from org o join stage s on s.org_id = o.id': ['stage'],
  'select o.id, (select count(*) from task t where t.status = ?) from org o': ['task'],
  'select id from contact where org_id = ? union all select id from contact where id = ?': ['contact'],
  'with hits as (select c.id from contact c where c.label = ?) select c.* from contact c where c.org_id = ?': [
    'contact',
  ],
  'select * from contact where org_id = ? and exists ((select 1 from task where contact_id = contact.id))': ['task'],
  'update task set org_id = ? where id = ?': ['task'],
  'delete from delivery where id in (select id from delivery where org_id = ?)': ['delivery'],
  'insert into activity (id) values (?)': ['activity'],
  'insert into task_count (org_id, n) select t.org_id, count(*) from task t where t.status = ?': ['task'],
  'select id from api_token where hash = ? or name = ?': ['api_token'],
}

test('a statement that holds every org-owned table to an org, or is excepted, passes', () => {
  for (const text of HELD) assert.deepEqual(unguardedTables(text), [], text)
})

test('a statement that looks at an org-owned table across orgs is found, with the table', () => {
  for (const [text, tables] of Object.entries(NOT_HELD)) assert.deepEqual(unguardedTables(text), tables, text)
})

const everyContact = compiled<{ id: string }>()((db, p) =>
  db.selectFrom('contact').select('id').where('id', '=', p('id')),
)

for (const { name, db } of opened) {
  test(`${name}: every query on a table that has org_id names org_id, or it throws before it runs`, async () => {
    const id = newId()
    const org = { id, name: 'Ada', plan: 'pro' as const, hourly_limit: 1, strict_stages: 0 }
    const stage = { org_id: id, name: 'lead', position: 0, color: '#000000', probability: null }
    await db.write(async (tx) => {
      await tx
        .insertInto('org')
        .values({ ...org, created_at: '2026-05-14T09:30:00.000Z' })
        .execute()
      await tx.insertInto('stage').values(stage).execute()
    })
    const isRefused = /not held to one org's rows of (contact|stage)/
    for (const reader of [db.read, db.slow]) {
      await assert.rejects(async () => reader.selectFrom('contact').selectAll().execute(), isRefused)
      await assert.rejects(async () => sql`select * from stage where name = ${'lead'}`.execute(reader), isRefused)
      for (let turn = 0; turn < 2; turn++) await assert.rejects(everyContact(reader, { id }), isRefused)
    }
    await assert.rejects(
      db.snapshot(async (reader) => reader.selectFrom('stage').selectAll().execute()),
      isRefused,
    )
    await assert.rejects(
      db.write(async (tx) => tx.deleteFrom('stage').where('name', '=', 'lead').execute()),
      isRefused,
    )
    assert.equal((await db.read.selectFrom('stage').select('name').where('org_id', '=', id).execute()).length, 1)
  })

  test(`${name}: the guarded tables are those that have org_id`, async () => {
    assert.deepEqual(await tablesWithOrg(db.read), [...ORG_TABLES].sort())
  })
}

async function tablesWithOrg(db: Reader): Promise<string[]> {
  const { rows } = isPostgres(db)
    ? await sql<{ name: string }>`select table_name as name from information_schema.columns
        where table_schema = current_schema() and column_name = 'org_id'`.execute(db)
    : await sql<{ name: string }>`select m.name from sqlite_schema m join pragma_table_info(m.name) c
        where m.type = 'table' and c.name = 'org_id'`.execute(db)
  return rows.map((row) => row.name).sort()
}
