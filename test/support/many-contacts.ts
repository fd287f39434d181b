/**
 * Very many contacts for a page to show: put straight into the tables of an SQLite file, without events and activities,
 * and without the care for power cuts that the server takes. 100,000 take some seconds.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Contact } from '../../server/src/contacts/schema.ts'
import { newId } from '../../server/src/ids.ts'
import { searchTextOf } from '../../server/src/text/search-text.ts'

/** Between two of them the log is emptied: a long one makes each page slower to find. */
const BATCH = 10_000
const BUSY_MS_MAX = 30_000
const FIRST = ['Ada', 'Zoë', 'Chidi', 'Mei', 'Łukasz', 'Priya', 'Tomás', 'Aiko', 'Noor', 'Ingrid', 'Grace', 'Mateo']
const LAST = [
  'Lovelace',
  'Ångström',
  'Okafor',
  'Chen',
  'Nowak',
  'Sharma',
  'García',
  'Tanaka',
  'Haddad',
  'Berg',
  'Hopper',
]
const KINDS = ['Bakery', 'Logistics', 'Software', 'Clinic', 'Studio', 'Foods', 'Optics']
const PLACES = ['London', 'Berlin', 'Kraków', 'Lagos', 'São Paulo', 'Osaka']
const STAGES = ['lead', 'qualified', 'proposal', 'negotiation', 'won', 'lost', null, null]
const LABELS = ['hot', 'warm', 'cold', null]

/**
 * @param folder the data folder of a server, running or not
 * @returns the ids, oldest first: a list that begins with the newest shows them from the end
 */
export function addManyContacts(folder: string, orgId: string, number: number): string[] {
  const db = new DatabaseSync(join(folder, 'kith.db'), { timeout: BUSY_MS_MAX })
  try {
    db.exec('pragma synchronous = off; pragma cache_size = -256000; pragma temp_store = memory')
    const { first } = db
      .prepare(
        `select coalesce((select max(row_id) from contact c
           where c.row_id between o.number << 32 and (o.number << 32) + 4294967295), o.number << 32) + 1 as first
         from org o where o.id = ?`,
      )
      .get(orgId) as { first: number }
    const add = db.prepare(
      `insert into contact (row_id, org_id, id, full_name, company, email, phone, location, deal_stage, deal_value, label,
         tags, search_text, last_event_at, created_at, updated_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    const addToSearch = db.prepare('insert into contact_search (rowid, search_text) values (?, ?)')
    const count = db.prepare(
      `insert into contact_count (org_id, stage, label, shard, n) values (?, ?, ?, 0, 1)
       on conflict (org_id, stage, label, shard) do update set n = n + 1`,
    )
    const ids: string[] = []
    for (let made = 0; made < number; made += BATCH) {
      db.exec('begin immediate')
      for (let at = made; at < Math.min(made + BATCH, number); at++) {
        const one = numberedContact(at)
        const { id, full_name, company, deal_stage, label, created_at: now } = one
        const texts = [id, full_name, company, one.email, one.phone, one.location]
        const search = searchTextOf(full_name, company)
        const tags = JSON.stringify(one.tags)
        add.run(first + at, orgId, ...texts, deal_stage, one.deal_value, label, tags, search, now, now, now)
        addToSearch.run(first + at, search)
        count.run(orgId, deal_stage ?? '', label ?? '')
        ids.push(id)
      }
      db.exec('commit; pragma wal_checkpoint(passive)')
    }
    return ids
  } finally {
    db.close()
  }
}

/** The same for the same number, but for id and times. */
function numberedContact(at: number): Contact {
  const first = FIRST[at % FIRST.length]!
  const last = LAST[Math.floor(at / FIRST.length) % LAST.length]!
  const now = new Date().toISOString()
  return {
    id: newId(),
    full_name: `${first} ${last} ${at}`,
    company: `${last} ${KINDS[at % KINDS.length]} ${Math.floor(at / 10)}`,
    email: `contact-${at}@example.com`,
    phone: `+49 30 ${1_000_000 + at}`,
    location: PLACES[at % PLACES.length]!,
    deal_stage: STAGES[at % STAGES.length]!,
    deal_value: at % 3 === 0 ? null : (at * 7919) % 100_000,
    label: LABELS[at % LABELS.length]!,
    tags: ['demo', `batch-${at % 50}`],
    created_at: now,
    updated_at: now,
  }
}
