/**
 * The limit that writes are held against: the statements that a POST or a PATCH has to run, and nothing else, on
 * SQLite with the same durability, so many in one commit. Told `run N`, it does so for N seconds.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newId } from '../../server/src/ids.ts'
import { inputAt } from '../frame/people.ts'

export interface BareWrites {
  folder: string
  orgId: string
  contactIds: string[]
  subscriptionIds: string[]
  /** In one commit. */
  group: number
  kind: 'post' | 'patch'
}

export interface BareWritten {
  count: number
  seconds: number
}

const { folder, orgId, contactIds, subscriptionIds, group, kind }: BareWrites = JSON.parse(process.env.BENCH!)
const db = new DatabaseSync(join(folder, 'kith.db'))
db.exec('pragma synchronous = full; pragma foreign_keys = on')
const { number } = db.prepare('select number from org where id = ?').get(orgId) as { number: number }

const addContact = db.prepare(
  `insert into contact (row_id, org_id, id, full_name, company, email, phone, location, deal_stage, deal_value, label,
     tags, search_text, last_event_at, created_at, updated_at)
   values ((select max(row_id) from contact where row_id between ? and ?) + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
)
const addToSearch = db.prepare('insert into contact_search (rowid, search_text) values (last_insert_rowid(), ?)')
const addCount = db.prepare(
  `insert into contact_count (org_id, stage, label, shard, n) values (?, ?, ?, 0, 1)
   on conflict (org_id, stage, label, shard) do update set n = n + 1`,
)
const addActivity = db.prepare(
  `insert into activity (org_id, id, contact_id, kind, body, occurred_at, actor) values (?, ?, ?, 'created', 'Created', ?, 'token')`,
)
const addEvent = db.prepare('insert into event (org_id, id, name, contact_id, ts, body) values (?, ?, ?, ?, ?, ?)')
const addDelivery = db.prepare(
  `insert into delivery (org_id, id, subscription_id, event_id, event, contact_id, queue_key, lane, state, created_at)
   values (?, ?, ?, ?, ?, ?, ?, 0, 'queued', ?)`,
)
const contactOf = db.prepare('select * from contact where org_id = ? and id = ?')
const changeContact = db.prepare(
  `update contact set deal_value = ?, updated_at = ?, last_event_at = ?, updated_by = 'token'
   where org_id = ? and id = ?`,
)
const count = db.prepare('update commit_counter set commits = commits + 1')

let made = 0
const steps = { post, patch }

process.on('message', (what: string) => {
  const seconds = /^run (\d+)$/.exec(what)?.[1]
  if (seconds !== undefined) process.send!(run(Number(seconds)))
})
// It ends when whoever measures does.
process.channel!.ref()
console.log(JSON.stringify({ url: '' }))

function run(seconds: number): BareWritten {
  const startedMs = performance.now()
  const before = made
  while (performance.now() - startedMs < seconds * 1000) {
    db.exec('begin immediate')
    for (let i = 0; i < group; i++) {
      steps[kind](new Date().toISOString(), made++)
    }
    count.run()
    db.exec('commit')
  }
  return { count: made - before, seconds: (performance.now() - startedMs) / 1000 }
}

function post(at: string, i: number): void {
  const { full_name, company, email, phone, location, deal_stage, deal_value, label, tags } = inputAt(i % 1000)
  const id = newId()
  const first = number * 2 ** 32
  const searchText = `${full_name}\u001f${company}`.toLowerCase()
  const texts = [id, full_name!, company!, email!, phone!, location!, deal_stage!, deal_value!, label!]
  addContact.run(...[first, first + 2 ** 32 - 1, orgId, ...texts], ...[JSON.stringify(tags), searchText, at, at, at])
  addToSearch.run(searchText)
  addCount.run(orgId, deal_stage ?? '', label ?? '')
  addActivity.run(orgId, newId(), id, at)
  tell('contact.created', id, at, { ...inputAt(i % 1000), id, created_at: at, updated_at: at })
}

function patch(at: string, i: number): void {
  const id = contactIds[i % contactIds.length]!
  const contact = contactOf.get(orgId, id)!
  changeContact.run(i % 10_000, at, at, orgId, id)
  tell('contact.updated', id, at, { ...contact, deal_value: i % 10_000, updated_at: at })
}

function tell(event: string, contactId: string, at: string, contact: object): void {
  const id = newId()
  addEvent.run(orgId, id, event, contactId, at, Buffer.from(JSON.stringify({ event, ts: at, payload: { contact } })))
  for (const subscriptionId of subscriptionIds) {
    addDelivery.run(orgId, newId(), subscriptionId, id, event, contactId, contactId, at)
  }
}
