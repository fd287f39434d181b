/**
 * A database with one org of 100,000 contacts beside others, for looking at query plans. The database makes the rows
 * itself, so that it is full in some seconds.
 */
import { sql } from 'kysely'
import { settle } from '../../server/src/backups/store.ts'
import { type Database, isPostgres, type Tx } from '../../server/src/database/engine.ts'
import type { Tables } from '../../server/src/database/schema.ts'
import { bandOf } from '../../server/src/prospecting/position.ts'

/** Contacts, events and deliveries of the large org. */
export const ROWS = 100_000
/** The large org, one of a tenth, and small ones. */
const ORGS = [ROWS, ROWS / 10, ...Array<number>(20).fill(ROWS / 100)]
/** Of all orgs. */
export const CONTACTS = ORGS.reduce((sum, contacts) => sum + contacts, 0)
const START_S = Date.UTC(2026, 2, 1) / 1000
const STEP_S = 1_800

const KINDS = [
  ...['org', 'contact', 'task', 'subscription', 'event', 'delivery', 'token', 'session', 'member', 'import'],
] as const
type Kind = (typeof KINDS)[number]

/** A readable id: the kind of its row and the row's number in its org, in order. Orgs have numbers from 0, the largest. */
export function idOf(kind: Kind, n: number): string {
  return `${beginning(kind)}${String(n).padStart(12, '0')}`
}

/** When the row of that number was made. */
export function timeOf(n: number): string {
  return new Date((START_S + n * STEP_S) * 1000).toISOString()
}

/** Fills an empty database. */
export async function fillWithLargeOrg(db: Database): Promise<void> {
  await db.write(async (tx) => {
    if (!isPostgres(tx)) await sql`pragma cache_size = -256000`.execute(tx)
    const orgs = ORGS.map((_, number) => ({
      ...{ id: idOf('org', number), name: `Org ${number}`, plan: 'pro' as const },
      ...{ hourly_limit: 5_000, strict_stages: 0, created_at: timeOf(0) },
    }))
    await tx.insertInto('org').values(orgs).execute()
  })
  for (const table of TABLES) await db.write((tx) => withoutIndexes(tx, table.name, () => insertRows(tx, table)))
  await db.write((tx) => settle(tx, idOf('contact', ROWS)))
  if (db.engine === 'postgres') await sql`vacuum analyze`.execute(db.read)
  await db.write(makeSomeDue)
}

/** Two deliveries of the large org in a hundred, after PostgreSQL has gathered its statistics: those of a quiet moment are the worst. */
async function makeSomeDue(tx: Tx): Promise<void> {
  for (const [state, end] of [
    ['ready', '%01'],
    ['queued', '%05'],
  ] as const) {
    await sql`update delivery set state = ${state}, finished_at = null
      where org_id = ${idOf('org', 0)} and cast(id as text) like ${end}`.execute(tx)
  }
}

interface Table {
  name: keyof Tables
  /** Of an org with so many contacts. */
  rows(contacts: number): number
  /** SQL of both engines over `i`, the number of a row in its org, and `org`, that of the org. */
  columns(words: Words): Record<string, string>
}

const TABLES: Table[] = [
  {
    name: 'contact',
    rows: (contacts) => contacts,
    columns: ({ id, time, rowId }) => ({
      ...rowId,
      id: id('contact', 'i'),
      full_name: `'Ada ' || i`,
      company: `case when i % 4 > 0 then 'Firm ' || i / 10 end`,
      email: `case when i % 5 > 0 then 'Ada.' || i || '@example.com' end`,
      phone: `case when i % 4 > 0 then '+49 (30) ' || 10000000 + i end`,
      deal_stage: `case when i % 100 = 1 then 'won' when i % 3 = 0 then 'lead' when i % 3 = 1 then 'lost' end`,
      deal_value: `case when i % 3 > 0 then i end`,
      label: `case when i % 800 = 1 then 'hot' when i % 2 = 0 then 'cold' end`,
      tags: `case when i % 50 = 1 then '["vip"]' else '[]' end`,
      search_text: `case when i % 400 = 1 then 'zoe quill ' else 'ada ' end || i || '\u001f'
        || case when i % 4 > 0 then 'firm ' || i / 10 else '' end`,
      ...{ last_event_at: time('i'), created_at: time('i'), updated_at: time('i') },
    }),
  },
  {
    name: 'contact_place',
    rows: (contacts) => contacts / 5,
    columns: ({ id, time }) => ({
      contact_id: id('contact', 'i'),
      ...{ origin: `'osm'`, source_id: `'node/' || i`, source: `'x'`, attribution: `'x'` },
      website_key: `case when i % 4 > 0 then i || '.example.com' end`,
      band: `${bandOf(42)} + i % 5000 / 2`,
      latitude: `42 + i % 5000 / 1000.0`,
      longitude: `20 + i % 100 / 50.0 + i / 5000 * 5`,
      added_at: time('i'),
    }),
  },
  {
    name: 'activity',
    rows: (contacts) => contacts / 5,
    columns: ({ id, time }) => ({
      contact_id: id('contact', 'i / 20 * 20'),
      ...{ id: id('event', 'i'), kind: `'created'`, body: `'Created'`, occurred_at: time('i'), actor: `'command'` },
    }),
  },
  {
    name: 'task',
    rows: (contacts) => contacts / 2,
    columns: ({ id, time }) => ({
      ...{ id: id('task', 'i'), title: `'Call'`, due_at: `case when i % 3 > 0 then ${time('i')} end` },
      contact_id: `case when i % 2 = 0 then ${id('contact', 'i')} end`,
      status: `case when i % 20 = 0 then 'open' when i % 4 = 1 then 'done' when i % 4 = 2 then 'completed' else 'cancelled' end`,
      completed_at: `case when i % 4 in (1, 2) then ${time('i')} end`,
      ...{ last_event_at: time('i'), created_at: time('i'), updated_at: time('i') },
    }),
  },
  {
    name: 'member',
    rows: () => 50,
    columns: ({ id, time }) => ({
      ...{ id: id('member', 'i'), email: `org || '.' || i || '@example.org'`, name: `'x'`, role: `'member'` },
      ...{ password_hash: `'x'`, created_at: time('i') },
    }),
  },
  {
    name: 'session',
    rows: (contacts) => contacts / 20,
    columns: ({ id, time }) => ({
      ...{ id: id('session', 'i'), member_id: id('member', 'i % 50'), hash: `'hash ' || org || ' ' || i` },
      ...{ user_agent: `'x'`, created_at: time('i'), last_used_at: time('i') },
    }),
  },
  {
    name: 'api_token',
    rows: (contacts) => contacts / 20,
    columns: ({ id, time }) => ({
      ...{ id: id('token', 'i'), name: `'x'`, prefix: `'x'`, hash: `'hash ' || org || ' ' || i`, scopes: `'read'` },
      ...{ created_at: time('i'), created_by: `'x'` },
    }),
  },
  {
    name: 'event',
    rows: (contacts) => contacts,
    columns: ({ id, time, bytes }) => ({
      ...{ id: id('event', 'i'), name: `'contact.created'`, contact_id: id('contact', 'i'), ts: time('i') },
      body: bytes(`'{}'`),
    }),
  },
  {
    name: 'subscription',
    rows: () => 4,
    columns: ({ id, time, bytes }) => ({
      ...{ id: id('subscription', 'i'), url: `'https://example.org'`, events: `'["contact.created"]'` },
      ...{ secret: bytes(`'x'`), created_at: time('i') },
    }),
  },
  {
    name: 'delivery',
    rows: (contacts) => contacts,
    columns: ({ id, time }) => ({
      ...{ id: id('delivery', 'i'), subscription_id: id('subscription', 'i % 4'), event_id: id('event', 'i') },
      ...{ event: `'contact.created'`, contact_id: id('contact', 'i'), lane: '0', attempts: '1' },
      queue_key: `case when i % 100 = 5 then ${id('contact', 'i - 4')} else ${id('contact', 'i')} end`,
      state: `case i % 100 when 9 then 'failed' else 'delivered' end`,
      ...{ created_at: time('i'), finished_at: time('i'), contact_deleted: '0' },
    }),
  },
  {
    name: 'delivery_attempt',
    rows: (contacts) => contacts / 5,
    columns: ({ id, time }) => ({
      ...{ delivery_id: id('delivery', 'i'), number: '1', started_at: time('i'), duration_ms: '1', delivered: '1' },
      ...{ url: `'x'`, request_headers: `'[]'`, timings: `'{}'` },
    }),
  },
  {
    name: 'import_job',
    rows: (contacts) => contacts / 100,
    columns: ({ id, time }) => ({
      ...{ id: id('import', 'i'), file_name: `'x'`, file_hash: `'hash ' || i`, mapping: `'{}'`, rows_read: '1' },
      ...{ state: `'done'`, rows_added: '1', rows_rejected: '0', has_file: 'i % 100 / 99', has_records: '1' },
      ...{ started_at: time('i'), touched_at: time('i'), finished_at: time('i') },
    }),
  },
  {
    name: 'import_change',
    rows: (contacts) => contacts / 5,
    columns: ({ id, time }) => ({
      ...{ import_id: id('import', 'i / 200'), contact_id: id('contact', 'i'), kind: `'added'`, at: time('i') },
    }),
  },
  {
    name: 'import_reject',
    rows: (contacts) => contacts / 5,
    columns: ({ id }) => ({ import_id: id('import', '1'), row: 'i', cells: `'[]'`, reason: `'x'` }),
  },
  {
    name: 'rate_window',
    rows: () => 3_600,
    columns: () => ({ second: 'i', used: '1', last_ms: 'i * 1000' }),
  },
  {
    name: 'usage_minute',
    rows: (contacts) => contacts / 5,
    columns: ({ id }) => ({ minute: 'i / 2', token_id: id('token', 'i % 2'), allowed: '1', refused: '0' }),
  },
  {
    name: 'idempotency',
    rows: (contacts) => contacts / 5,
    columns: ({ id, time }) => ({
      ...{ token_id: id('token', '1'), key: `'key ' || i`, request_hash: `'x'`, contact_id: id('contact', 'i') },
      created_at: time('i'),
    }),
  },
]

/** What the engines write differently. */
interface Words {
  id(kind: Kind, n: string): string
  time(n: string): string
  bytes(text: string): string
  rowId: { row_id?: string }
}

const SQLITE: Words = {
  id: (kind, n) => `printf('${beginning(kind)}%012d', ${n})`,
  time: (n) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${START_S} + ${n} * ${STEP_S}, 'unixepoch')`,
  bytes: (text) => `cast(${text} as blob)`,
  rowId: { row_id: `(org + 1 << 32) + i + 1` },
}

const POSTGRES: Words = {
  id: (kind, n) => `cast('${beginning(kind)}' || lpad(cast(${n} as text), 12, '0') as uuid)`,
  time: (n) => `to_timestamp(${START_S} + ${n} * ${STEP_S})`,
  bytes: (text) => `convert_to(${text}, 'UTF8')`,
  rowId: {},
}

function beginning(kind: Kind): string {
  return `00000000-000${KINDS.indexOf(kind)}-7000-8000-`
}

async function insertRows(tx: Tx, { name, rows, columns }: Table): Promise<void> {
  const words = isPostgres(tx) ? POSTGRES : SQLITE
  const values = columns(words)
  const sizes = ORGS.map((contacts, org) => `(${org}, ${rows(contacts)})`)
  await sql`with recursive number (i) as (select 0 union all select i + 1 from number where i + 1 < ${sql.lit(rows(ROWS))}),
    size (org, rows) as (values ${sql.raw(sizes.join())})
    insert into ${sql.table(name)} (org_id, ${sql.raw(Object.keys(values).join())})
    select ${sql.raw(words.id('org', 'org'))}, ${sql.raw(Object.values(values).join())}
    from size join number on i < rows order by org, i`.execute(tx)
}

/** Building an index once takes less than keeping it up. */
async function withoutIndexes(tx: Tx, table: string, work: () => Promise<void>): Promise<void> {
  const own = isPostgres(tx)
    ? sql<{
        name: string
        text: string
      }>`select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text
        from pg_index i where i.indrelid = cast(${table} as regclass)
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
    : sql<{ name: string; text: string }>`select name, sql as text from sqlite_master
        where type = 'index' and tbl_name = ${table} and sql is not null`
  const { rows } = await own.execute(tx)
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(tx)
  await work()
  for (const { text } of rows) await sql.raw(text).execute(tx)
}
