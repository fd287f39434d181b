/** Puts very many contacts straight into the tables, each with its line of history and without events: minutes become seconds. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { newId } from '../../server/src/ids.ts'
import { searchTextOf } from '../../server/src/text/search-text.ts'
import type { Place } from './child.ts'
import { type Person, personAt } from './people.ts'

/** So many contacts of an org, from number 0 on. */
export interface OrgOfContacts {
  orgId: string
  contacts: number
  series: number
}

const POSTGRES_BATCH = 5_000

/** What a contact says, with types of PostgreSQL. `search_text` holds both names without case and accents. */
export const FIELDS = {
  full_name: 'text',
  company: 'text',
  email: 'text',
  phone: 'text',
  location: 'text',
  deal_stage: 'text',
  deal_value: 'float8',
  label: 'text',
  tags: 'text',
  search_text: 'text',
} as const

const COLUMNS = {
  org_id: 'uuid',
  id: 'uuid',
  ...FIELDS,
  last_event_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]

export type Row = Record<keyof typeof COLUMNS, string | number | null>

/** Fills orgs that have no contacts yet, with no server beside. */
export function fill(place: Place, orgs: readonly OrgOfContacts[]): Promise<void> {
  return place.databaseUrl === undefined ? fillSqlite(place.folder, orgs) : fillPostgres(place.databaseUrl, orgs)
}

/** Adds an event for so many contacts of an org, and a delivery of it for each subscription, due now. */
export async function fillDeliveries(
  { folder }: Place,
  { orgId, subscriptionIds, events }: { orgId: string; subscriptionIds: readonly string[]; events: number },
): Promise<void> {
  await onSqlite(folder, (db) => {
    const addEvent = db.prepare(
      `insert into event (org_id, id, name, contact_id, ts, body) values (?, ?, 'contact.created', ?, ?, ?)`,
    )
    const addDelivery = db.prepare(
      `insert into delivery (org_id, id, subscription_id, event_id, event, contact_id, queue_key, lane, state, created_at)
       values (?, ?, ?, ?, 'contact.created', ?, ?, 0, 'ready', ?)`,
    )
    for (let at = 0; at < events; at++) {
      const contact = personAt(at)
      const [eventId, ts] = [newId(), new Date().toISOString()]
      addEvent.run(orgId, eventId, contact.id, ts, eventBody(contact, ts))
      for (const id of subscriptionIds) addDelivery.run(orgId, newId(), id, eventId, contact.id, contact.id, ts)
    }
  })
}

/** The bytes that are signed and sent about a contact. */
export function eventBody(contact: Person, ts: string): Buffer {
  const payload = { contact: { ...contact, updated_at: ts } }
  return Buffer.from(JSON.stringify({ event: 'contact.created', ts, payload }))
}

/** Adds so many orgs that nobody calls. @returns their ids */
export async function addOrgs(place: Place, count: number): Promise<string[]> {
  const ids = Array.from(
    { length: count },
    (_, i) => `00000000-0000-7000-8000-${(i + 1).toString(16).padStart(12, '0')}`,
  )
  const sql = `insert into org (id, name, plan, hourly_limit, created_at) values`
  if (place.databaseUrl === undefined) {
    await onSqlite(place.folder, (db) => {
      const add = db.prepare(`${sql} (?, ?, 'pro', 5000, '2024-01-01T00:00:00.000Z')`)
      for (const [i, id] of ids.entries()) add.run(id, `Org ${i}`)
    })
  } else {
    await onPostgres(place.databaseUrl, async (client) => {
      const select = `insert into org (id, name, plan, hourly_limit, created_at)
        select id, 'Org ' || number, 'pro', 5000, '2024-01-01T00:00:00Z' from unnest($1::uuid[]) with ordinality as given (id, number)`
      await client.query(select, [ids])
    })
  }
  return ids
}

async function fillSqlite(folder: string, orgs: readonly OrgOfContacts[]): Promise<void> {
  await onSqlite(folder, (db) => {
    const later = ownIndexes(db)
    for (const { type, name } of later) db.exec(`drop ${type} ${name}`)
    const add = db.prepare(`insert into contact (row_id, ${NAMES}) values (?, ${NAMES.map(() => '?')})`)
    const numberOf = db.prepare('select number from org where id = ?')
    for (const org of orgs) {
      const { number } = numberOf.get(org.orgId) as { number: number }
      let rowId = number * 2 ** 32
      for (let at = 0; at < org.contacts; at++) {
        const row = rowAt(org, at)
        add.run(++rowId, ...NAMES.map((name) => row[name]))
      }
    }
    for (const { sql } of later) db.exec(sql)
    db.exec(`insert into contact_search (contact_search) values ('rebuild')`)
    for (const statement of AFTERWARDS) db.exec(statement)
  })
}

/** What is kept beside the contacts; the same text for both engines. */
const AFTERWARDS = [
  `insert into contact_count (org_id, stage, label, shard, n)
   select org_id, coalesce(deal_stage, ''), coalesce(label, ''), 0, count(*) from contact
   group by org_id, coalesce(deal_stage, ''), coalesce(label, '')`,
  `insert into activity (org_id, id, contact_id, kind, body, occurred_at, actor)
   select org_id, id, id, 'created', 'Created', created_at, 'command' from contact`,
]

/** Building an index once is several times faster than keeping it up; triggers go with them, since they feed one. */
function ownIndexes(db: DatabaseSync): { type: string; name: string; sql: string }[] {
  const found = db.prepare(
    `select type, name, sql from sqlite_master
     where tbl_name = 'contact' and type in ('index', 'trigger') and sql is not null`,
  )
  return found.all() as { type: string; name: string; sql: string }[]
}

async function fillPostgres(url: string, orgs: readonly OrgOfContacts[]): Promise<void> {
  await onPostgres(url, async (client) => {
    const { rows: later } = await client.query<{ indexname: string; indexdef: string }>(
      `select indexname, indexdef from pg_indexes where tablename = 'contact' and indexname <> 'contact_pkey'`,
    )
    for (const { indexname } of later) await client.query(`drop index ${indexname}`)
    const arrays = Object.values(COLUMNS).map((type, i) => `$${i + 1}::${type}[]`)
    const sql = `insert into contact (${NAMES}) select * from unnest(${arrays})`
    for (const rows of batches(orgs)) {
      const columns = NAMES.map((name) => rows.map((row) => row[name]))
      await client.query({ name: 'fill', text: sql, values: columns })
    }
    for (const { indexdef } of later) await client.query(indexdef)
    for (const statement of AFTERWARDS) await client.query(statement)
    // Outside the transaction of the rest, as it has to be.
    await client.query('commit')
    await client.query('vacuum analyze')
    await client.query('begin')
  })
}

function* batches(orgs: readonly OrgOfContacts[]): Generator<Row[]> {
  let batch: Row[] = []
  for (const org of orgs) {
    for (let at = 0; at < org.contacts; at++) {
      batch.push(rowAt(org, at))
      if (batch.length < POSTGRES_BATCH) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

export function rowAt({ orgId, series }: Pick<OrgOfContacts, 'orgId' | 'series'>, at: number): Row {
  const { id, full_name, company, tags, created_at, ...rest } = personAt(at, series)
  const { email, phone, location, deal_stage, deal_value, label }: Omit<Person, 'id'> = rest as Person
  return {
    org_id: orgId,
    id,
    full_name,
    company,
    email,
    phone,
    location,
    deal_stage,
    deal_value,
    label,
    tags: JSON.stringify(tags),
    search_text: searchTextOf(full_name, company),
    last_event_at: created_at,
    created_at,
    updated_at: created_at,
  }
}

/** In one transaction, without the care for power cuts that the server takes. */
async function onSqlite(folder: string, work: (db: DatabaseSync) => void): Promise<void> {
  const db = new DatabaseSync(join(folder, 'kith.db'))
  try {
    db.exec('pragma journal_mode = memory; pragma synchronous = off')
    db.exec('pragma cache_size = -512000; pragma temp_store = memory; begin immediate')
    work(db)
    db.exec('commit; pragma journal_mode = wal')
  } finally {
    db.close()
  }
}

async function onPostgres(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    await client.end()
  }
}
