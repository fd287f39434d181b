import { sql } from 'kysely'
import { compiled, compiledChange, type Parameter } from '../database/compiled.ts'
import { compiledRows } from '../database/compiled-rows.ts'
import { forUpdate, isPostgres, type Reader, type Tx } from '../database/engine.ts'
import { idOrder, ofOrg } from '../database/org-rows.ts'
import { listing } from '../database/paging.ts'
import type { ContactTable } from '../database/schema.ts'
import { unindexed } from '../database/unindexed.ts'
import type { Listed, Page } from '../http/paging.ts'
import type { Duplicate } from './grid-schema.ts'
import type { Contact, ContactListItem } from './schema.ts'

export interface ContactKey {
  orgId: string
  id: string
}

/** A contact with the time of its newest event, as changes need it. */
export type ContactState = Contact & { last_event_at: string }

export const COLUMNS = [
  'id',
  'full_name',
  'company',
  'email',
  'phone',
  'location',
  'deal_stage',
  'deal_value',
  'label',
  'tags',
  'created_at',
  'updated_at',
] as const

export const LIST_COLUMNS = ['id', 'full_name', 'company', 'deal_stage', 'deal_value', 'label'] as const

const findContact = compiled<ContactKey>()((db, p) =>
  db.selectFrom('contact').select(COLUMNS).where('org_id', '=', p('orgId')).where('id', '=', p('id')),
)

export async function contactById(db: Reader, key: ContactKey): Promise<Contact | undefined> {
  const [row] = await findContact(db, key)
  return row && withTags(row)
}

/** Who changed a contact last, as an actor's name; undefined while nobody has. */
export async function lastChanger(db: Reader, { orgId, id }: ContactKey): Promise<string | undefined> {
  const row = await db
    .selectFrom('contact')
    .select('updated_by')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.updated_by ?? undefined
}

const findContactForUpdate = compiled<ContactKey>()((db, p) =>
  forUpdate(
    db as Tx,
    db
      .selectFrom('contact')
      .select([...COLUMNS, 'last_event_at'])
      .where('org_id', '=', p('orgId'))
      .where('id', '=', p('id')),
  ),
)

/** The contact, locked until the transaction ends. */
export async function contactForUpdate(tx: Tx, key: ContactKey): Promise<ContactState | undefined> {
  const [row] = await findContactForUpdate(tx, key)
  return row && withTags(row)
}

type NewContact = Omit<ContactTable, 'row_id' | 'updated_by'>

const insertOnPostgres = compiledRows<NewContact>()((tx, rows) => tx.insertInto('contact').values(rows.map(allColumns)))

const insertOnSqlite = compiledRows<NewContact & { row_id: number }>()((tx, rows) =>
  tx.insertInto('contact').values(rows.map((p) => ({ ...allColumns(p), row_id: p('row_id') }))),
)

/** @param rows of one org, in the order of their ids */
export async function insertContacts(tx: Tx, rows: readonly NewContact[]): Promise<void> {
  if (rows.length === 0) return
  if (isPostgres(tx)) return insertOnPostgres(tx, rows)
  const [next] = await nextRowId(tx, { orgId: rows[0]!.org_id })
  const withRowIds = rows.map((row, at) => ({ ...row, row_id: next!.row_id + at }))
  await insertOnSqlite(tx, withRowIds)
  await addToSearch(tx, withRowIds)
}

export type ContactChange = Partial<Omit<ContactTable, 'row_id' | 'org_id' | 'id' | 'created_at' | 'updated_by'>> & {
  updated_by: string
}

const CHANGEABLE = [
  ...['full_name', 'company', 'email', 'phone', 'location', 'deal_stage', 'deal_value', 'label', 'tags'],
  ...['search_text', 'last_event_at', 'updated_at', 'updated_by'],
] as (keyof ContactChange)[]

const changeRow = compiledChange<ContactKey & ContactChange>(...CHANGEABLE)((tx, p, isGiven) =>
  tx
    .updateTable('contact')
    .set(Object.fromEntries(CHANGEABLE.filter(isGiven).map((column) => [column, p(column)])))
    .where('org_id', '=', p('orgId'))
    .where('id', '=', p('id')),
)

/** Sets the columns that are there. */
export async function updateContact(tx: Tx, key: ContactKey, change: ContactChange): Promise<void> {
  const isRenamed = change.search_text !== undefined && !isPostgres(tx)
  if (isRenamed) await takeFromSearch(tx, key)
  await changeRow(tx, { ...change, ...key })
  if (isRenamed) await addAgainToSearch(tx, key)
}

/*
 * SQLite's table for searching is kept by these three and not by triggers: before the statement of one begins, it
 * writes out what it has gathered of the transaction, which took a third of a create's processor time in commits of 16
 * (326 µs of statements, now 236), and more than half of an imported row's.
 */
const addToSearch = compiledRows<{ row_id: number; search_text: string }>()((tx, rows) =>
  tx.insertInto('contact_search').values(rows.map((p) => ({ rowid: p('row_id'), search_text: p('search_text') }))),
)

const addAgainToSearch = compiled<ContactKey>()((tx, p) =>
  tx
    .insertInto('contact_search')
    .columns(['rowid', 'search_text'])
    .expression(searchRow(tx, p).select(['row_id', 'search_text'])),
)

/** Has to name the text that it was added with. */
const takeFromSearch = compiled<ContactKey>()((tx, p) =>
  tx
    .insertInto('contact_search')
    .columns(['contact_search', 'rowid', 'search_text'])
    .expression(searchRow(tx, p).select([sql.lit('delete').as('command'), 'row_id', 'search_text'])),
)

function searchRow(db: Reader, p: Parameter<ContactKey>) {
  return db.selectFrom('contact').where('org_id', '=', p('orgId')).where('id', '=', p('id'))
}

/**
 * Removes a contact and what belongs to it in other features' tables: the one list of that cascade.
 *
 * Tasks stay without their contact. Deliveries that are still due stay until they have been sent, marked so that
 * nobody sees them; answers kept for repeated requests lose their text.
 *
 * @param at the time that the tasks are marked as changed with
 */
export async function deleteContactRows(tx: Tx, key: ContactKey, at: string): Promise<void> {
  const { orgId, id } = key
  await tx.deleteFrom('activity').where('org_id', '=', orgId).where('contact_id', '=', id).execute()
  await tx.deleteFrom('import_change').where('org_id', '=', orgId).where('contact_id', '=', id).execute()
  await tx.deleteFrom('contact_place').where('org_id', '=', orgId).where('contact_id', '=', id).execute()
  await tx
    .updateTable('task')
    .set({ contact_id: null, updated_at: at })
    .where('org_id', '=', orgId)
    .where('contact_id', '=', id)
    .execute()
  await tx
    .updateTable('idempotency')
    .set({ answer: null })
    .where('org_id', '=', orgId)
    .where('contact_id', '=', id)
    .execute()
  // Marked first: this waits for whoever is finishing one of them, so that the next statement sees all that have ended.
  await tx
    .updateTable('delivery')
    .set({ contact_deleted: 1 })
    .where('org_id', '=', orgId)
    .where('contact_id', '=', id)
    .where(unindexed('state'), 'in', ['ready', 'queued'])
    .execute()
  const finished = tx
    .selectFrom('delivery')
    .select('id')
    .where('org_id', '=', orgId)
    .where('contact_id', '=', id)
    .where('state', 'in', ['delivered', 'failed'])
  await tx.deleteFrom('delivery_attempt').where('org_id', '=', orgId).where('delivery_id', 'in', finished).execute()
  await tx
    .deleteFrom('delivery')
    .where('org_id', '=', orgId)
    .where('contact_id', '=', id)
    .where('state', 'in', ['delivered', 'failed'])
    .execute()
  await tx
    .deleteFrom('event')
    .where('org_id', '=', orgId)
    .where('contact_id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery')
            .select('delivery.id')
            .where('delivery.org_id', '=', orgId)
            .whereRef('delivery.event_id', '=', 'event.id'),
        ),
      ),
    )
    .execute()
  if (!isPostgres(tx)) await takeFromSearch(tx, key)
  await tx.deleteFrom('contact').where('org_id', '=', orgId).where('id', '=', id).execute()
}

/**
 * Contacts that a new one may repeat, oldest first: with the same e-mail address ignoring case, or the same folded name.
 *
 * @param texts what `search_text` would be, of which one has to be the same
 */
export async function similarContacts(
  db: Reader,
  orgId: string,
  { texts, email, limit }: { texts: string[]; email: string | null; limit: number },
): Promise<Duplicate[]> {
  const columns = ['id', 'full_name', 'company', 'email'] as const
  const of = db.selectFrom('contact').select(columns).where(ofOrg(db, orgId)).orderBy(idOrder(db)).limit(limit)
  const found = new Map<string, Duplicate>()
  if (email !== null) {
    // The index holds contacts with an address alone, and is taken where that is said.
    const ofEmail = of.where('email', 'is not', null).where(lowerEmail(db), '=', lowerAscii(email))
    for (const row of await ofEmail.execute()) found.set(row.id, row)
  }
  for (const text of texts) {
    const ofText = of.where('search_text', '=', text)
    const query = isPostgres(db)
      ? ofText.where(sql`left(search_text, 100)`, '=', [...text].slice(0, 100).join(''))
      : ofText
    for (const row of await query.execute()) found.set(row.id, row)
  }
  return [...found.values()].slice(0, limit)
}

/** As both engines fold a text without a language: the letters A to Z alone. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** As the index has it. */
function lowerEmail(db: Reader) {
  return isPostgres(db) ? sql<string>`lower(email collate "C")` : sql<string>`lower(email)`
}

export interface ContactFilter {
  orgId: string
  stage?: string | undefined
  label?: string | undefined
}

const listContacts = listing<ContactFilter & Page>(
  'stage',
  'label',
)({
  count: (p, isGiven) => {
    const ofStage = isGiven('stage') ? sql` and n.stage = ${p('stage')}` : sql``
    const ofLabel = isGiven('label') ? sql` and n.label = ${p('label')}` : sql``
    // PostgreSQL sums bigint as numeric, which has no exact place in a number.
    return sql`(select cast(coalesce(sum(n.n), 0) as bigint) from contact_count n
      where n.org_id = ${p('orgId')}${ofStage}${ofLabel})`
  },
  rows: (db, p, isGiven) =>
    db
      .selectFrom('contact')
      .select(LIST_COLUMNS)
      .where(ofOrg(db, p('orgId')))
      .$if(isGiven('stage'), (query) => query.where('deal_stage', '=', p('stage')!))
      .$if(isGiven('label'), (query) => query.where('label', '=', p('label')!)),
  order: (db) => ({ ahead: sql`${idOrder(db)} desc`, back: idOrder(db) }),
})

/** Contacts newest first. */
export function contactPage(
  db: Reader,
  filter: ContactFilter,
  { limit, offset }: Page,
): Promise<Listed<ContactListItem>> {
  return listContacts(db, { ...filter, limit, offset })
}

function allColumns(p: <K extends keyof NewContact>(name: K) => NewContact[K]) {
  return {
    org_id: p('org_id'),
    id: p('id'),
    full_name: p('full_name'),
    company: p('company'),
    email: p('email'),
    phone: p('phone'),
    location: p('location'),
    deal_stage: p('deal_stage'),
    deal_value: p('deal_value'),
    label: p('label'),
    tags: p('tags'),
    search_text: p('search_text'),
    last_event_at: p('last_event_at'),
    created_at: p('created_at'),
    updated_at: p('updated_at'),
  }
}

/** The row id after the org's highest: ids and row ids grow together, so a search in order of one is in order of both. */
const nextRowId = compiled<{ orgId: string }>()((tx, p) =>
  tx
    .selectFrom('org as o')
    .select(
      sql<number>`coalesce(
        (select c.row_id from contact c where c.row_id between o.number << 32 and (o.number << 32) + 4294967295
         order by c.row_id desc limit 1), o.number << 32) + 1`.as('row_id'),
    )
    .where('o.id', '=', p('orgId')),
)

/** In place: copying a row costs as much as reading it. */
export function withTags<Row extends { tags: string }>(row: Row): Omit<Row, 'tags'> & { tags: string[] } {
  return Object.assign(row, { tags: row.tags === '[]' ? [] : (JSON.parse(row.tags) as string[]) })
}
