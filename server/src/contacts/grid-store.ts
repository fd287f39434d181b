/**
 * Contacts by any filter in any of the web app's orders.
 *
 * On SQLite every order has an index that holds stage and label too, so that a page however deep, of whatever filter,
 * is read from one index alone; only then are its rows looked up. Which index is told to SQLite, which has no statistics
 * to find it by.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres, type Reader } from '../database/engine.ts'
import { firstRowId, idOrder, ofOrg } from '../database/org-rows.ts'
import { containsText, fewHits, indexedHits } from '../database/search-hits.ts'
import { foldForSearch } from '../text/search-text.ts'
import type { ContactFilter, ContactSort, SortKey } from './filter-schema.ts'
import type { Contact } from './schema.ts'
import { COLUMNS, withTags } from './store.ts'

type Condition = RawBuilder<SqlBool>

/**
 * An order of contacts, in runs that follow one another: those that have the value, then those without. Each run is one
 * range of the index.
 */
interface Order {
  index: RawBuilder<unknown>
  /** What comes before the id. */
  by: RawBuilder<unknown>[]
  /** Of the last run, where that is another. */
  byLast?: RawBuilder<unknown>[]
  /** In ascending order; the last are those without the value, which stay last in descending order. */
  runs: Condition[]
  /** Whether the index holds `search_text`. */
  hasText: boolean
}

const ALL = sql<SqlBool>`true`
const FOLDED_COMPANY = sql`substr(c.search_text, instr(c.search_text, char(31)) + 1)`
const BY_VALUE = [sql`c.deal_value is not null`, sql`c.deal_value is null`] as Condition[]

const SQLITE_ORDERS: Record<SortKey, Order> = {
  created: { index: sql.ref('contact_created'), by: [], runs: [ALL], hasText: true },
  name: {
    index: sql.ref('contact_name'),
    by: [sql`c.search_text`],
    runs: namesOf(sql`c.search_text`),
    hasText: true,
  },
  company: {
    index: sql.ref('contact_company'),
    by: [FOLDED_COMPANY],
    byLast: [],
    runs: [sql`${FOLDED_COMPANY} > ''`, sql`${FOLDED_COMPANY} = ''`],
    hasText: false,
  },
  value: { index: sql.ref('contact_value'), by: [sql`c.deal_value`], runs: BY_VALUE, hasText: false },
  updated: { index: sql.ref('contact_updated'), by: [sql`c.updated_at`], runs: [ALL], hasText: false },
}

/** An index of PostgreSQL takes 2,700 bytes at most, so its own hold the beginning; the rest is sorted as it comes. */
const POSTGRES_ORDERS: Record<SortKey, Pick<Order, 'by' | 'byLast' | 'runs'>> = {
  created: SQLITE_ORDERS.created,
  name: {
    by: [sql`left(c.search_text, 100)`, sql`c.search_text`],
    runs: namesOf(sql`left(c.search_text, 100)`),
  },
  company: {
    by: [sql`left(split_part(c.search_text, chr(31), 2), 100)`, sql`split_part(c.search_text, chr(31), 2)`],
    byLast: [sql`left(split_part(c.search_text, chr(31), 2), 100)`],
    runs: [
      sql`left(split_part(c.search_text, chr(31), 2), 100) > ''`,
      sql`left(split_part(c.search_text, chr(31), 2), 100) = ''`,
    ],
  },
  value: SQLITE_ORDERS.value,
  updated: SQLITE_ORDERS.updated,
}

/** The search text of a contact without a name begins with the separator; letters come after it, and little before. */
function namesOf(text: RawBuilder<unknown>): Condition[] {
  const [separator, next] = ['\u001f', ' ']
  return [sql`${text} < ${separator}`, sql`${text} >= ${next}`, sql`${text} >= ${separator} and ${text} < ${next}`]
}

type ContactRow = Omit<Contact, 'tags'> & { tags: string }

const WHOLE = sql.join(COLUMNS.map((column) => sql.ref(`c.${column}`)))

export interface Stretch {
  limit: number
  offset: number
}

/** The ids of one stretch of the contacts that match, in the given order. */
export async function sortedIds(
  db: Reader,
  orgId: string,
  filter: ContactFilter,
  sort: ContactSort,
  { limit, offset }: Stretch,
): Promise<string[]> {
  const isDescending = sort.startsWith('-')
  const key = sort.replace('-', '') as SortKey
  const { by, byLast = by, runs } = (isPostgres(db) ? POSTGRES_ORDERS : SQLITE_ORDERS)[key]
  const orderOf = (before: RawBuilder<unknown>[]) => {
    const columns = [...before, idOrder(db, 'c')]
    return sql.join(isDescending ? columns.map((column) => sql`${column} desc`) : columns)
  }
  const from = await sourceOf(db, orgId, filter, key)
  const ids: string[] = []
  let left = offset
  const ordered = isDescending ? [...runs.slice(0, -1).reverse(), runs.at(-1)!] : runs
  for (const [i, run] of ordered.entries()) {
    const isLast = i === ordered.length - 1
    const { rows } = await sql<{ id: string }>`select c.id ${from} and ${run}
      order by ${orderOf(isLast ? byLast : by)} limit ${limit - ids.length} offset ${left}`.execute(db)
    for (const { id } of rows) ids.push(id)
    if (ids.length === limit || isLast) break
    left = rows.length > 0 ? 0 : left - (left === 0 ? 0 : await countFrom(db, sql`${from} and ${run}`))
  }
  return ids
}

/** The contacts that match, in the order of their ids, from the one after `after`. */
export async function contactsAfter(db: Reader, orgId: string, filter: ContactFilter, next: Next): Promise<Contact[]> {
  return (await rowsAfter<ContactRow>(WHOLE, db, orgId, filter, next)).map(withTags)
}

/** Their ids alone. */
export async function idsAfter(db: Reader, orgId: string, filter: ContactFilter, next: Next): Promise<string[]> {
  return (await rowsAfter<{ id: string }>(sql`c.id`, db, orgId, filter, next)).map(({ id }) => id)
}

interface Next {
  after: string
  limit: number
}

async function rowsAfter<Row>(
  columns: RawBuilder<unknown>,
  ...[db, orgId, filter, { after, limit }]: Parameters<typeof idsAfter>
): Promise<Row[]> {
  const from = await sourceOf(db, orgId, filter, 'created')
  const { rows } = await sql<Row>`select ${columns} ${from} and ${isAfter(db, orgId, after)}
    order by ${idOrder(db, 'c')} limit ${limit}`.execute(db)
  return rows
}

/** How many contacts match: from the counters where these can tell. */
export async function countMatching(db: Reader, orgId: string, filter: ContactFilter): Promise<number> {
  if (isCounted(filter)) return countOfCounters(db, orgId, filter)
  const hits = isPostgres(db) || !isTextAlone(filter) ? undefined : indexedHits(orgId, foldedText(filter.q))
  if (hits) return countFrom(db, hits)
  return countFrom(db, await sourceOf(db, orgId, filter, 'created'))
}

/** Whether the counters by stage and label tell how many match. */
export function isCounted({ q, tag, import_id }: ContactFilter): boolean {
  return !foldedText(q) && !tag && !import_id
}

function isTextAlone({ stages, labels, has_stage, tag, import_id }: ContactFilter): boolean {
  return !stages && !labels && has_stage === undefined && !tag && !import_id
}

/** Those of the given contacts that match, in the order given. */
export async function matching(db: Reader, orgId: string, filter: ContactFilter, ids: string[]): Promise<string[]> {
  // The org by its id too: on SQLite that is what the index of ids begins with.
  const { rows } = await sql<{ id: string }>`select c.id from contact c
    where c.org_id = ${orgId} and ${sql.join([...conditionsOf(db, orgId, filter), isAmong(db, ids)], sql` and `)}`.execute(
    db,
  )
  const found = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => found.has(id))
}

/** The contacts with these ids, in their order; one that is gone is left out. */
export async function contactsByIds(db: Reader, orgId: string, ids: string[]): Promise<Contact[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ContactRow>`select ${WHOLE} from contact c
    where c.org_id = ${orgId} and ${isAmong(db, ids)}`.execute(db)
  const found = new Map(rows.map((row) => [row.id, withTags(row)]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** @param id of a contact that may be gone */
function isAfter(db: Reader, orgId: string, id: string): Condition {
  if (isPostgres(db)) return sql`c.id > ${id}`
  return sql`c.row_id > coalesce((select x.row_id from contact x where x.org_id = ${orgId} and x.id <= ${id}
    order by x.id desc limit 1), 0)`
}

/** One parameter, so that the statement is the same for any number of them. */
function isAmong(db: Reader, ids: string[]): Condition {
  if (isPostgres(db)) return sql`c.id = any(cast(${ids} as uuid[]))`
  return sql`c.id in (select value from json_each(${JSON.stringify(ids)}))`
}

/** `from … where …` of the contacts that match, as they are best found for an order. */
async function sourceOf(db: Reader, orgId: string, filter: ContactFilter, key: SortKey): Promise<RawBuilder<unknown>> {
  const conditions = conditionsOf(db, orgId, filter)
  const where = sql.join(conditions, sql` and `)
  if (isPostgres(db)) return sql`from contact c where ${where}`
  const text = foldedText(filter.q)
  const hits = await fewHits(db, orgId, text)
  if (hits) return sql`${hits} and ${where}`
  const { index, hasText } = SQLITE_ORDERS[key]
  const source = sql`from contact c indexed by ${index} where`
  const isCovered = (text === '' || hasText) && !filter.tag && !filter.import_id
  if (isCovered || key === 'created') return sql`${source} ${where}`
  return sql`${source} ${ofOrg(db, orgId, 'c')} and c.row_id in (select c.row_id ${foundAside(orgId, filter, where)})`
}

/** Where what is looked for is not in the index of the order: the row ids of all that match, by the shortest way. */
function foundAside(orgId: string, { tag }: ContactFilter, where: RawBuilder<unknown>): RawBuilder<unknown> {
  if (!tag) return sql`from contact c indexed by contact_created where ${where}`
  const first = firstRowId(orgId)
  return sql`from contact c not indexed where c.row_id between ${first} and ${first} + 4294967295 and ${where}`
}

function conditionsOf(db: Reader, orgId: string, filter: ContactFilter): Condition[] {
  const { stages, labels, has_stage, tag, import_id } = filter
  const conditions: Condition[] = [ofOrg(db, orgId, 'c')]
  if (stages) conditions.push(isOneOf(sql`c.deal_stage`, stages))
  if (labels) conditions.push(isOneOf(sql`c.label`, labels))
  if (has_stage !== undefined) {
    conditions.push(has_stage ? sql`c.deal_stage is not null` : sql`c.deal_stage is null`)
  }
  const text = foldedText(filter.q)
  if (text) conditions.push(containsText(db, sql`c.search_text`, text))
  if (tag) conditions.push(hasTag(db, tag))
  if (import_id) conditions.push(isOfImport(db, orgId, import_id))
  return conditions
}

function isOfImport(db: Reader, orgId: string, importId: string): Condition {
  const changes = sql`from import_change i`
  const ofImport = sql`where i.org_id = ${orgId} and i.import_id = ${importId}`
  if (isPostgres(db)) return sql`c.id in (select i.contact_id ${changes} ${ofImport})`
  return sql`c.row_id in (select x.row_id ${changes} join contact x on x.org_id = i.org_id and x.id = i.contact_id
    ${ofImport})`
}

function foldedText(q: string | null | undefined): string {
  return q ? foldForSearch(q) : ''
}

/** A column that is one of these values, null meaning that it has none; of no values, nothing is. */
function isOneOf(column: RawBuilder<unknown>, values: (string | null)[]): Condition {
  const named = values.filter((value) => value !== null)
  const some: Condition[] = []
  if (named.length > 0) some.push(sql`${column} in (${sql.join(named)})`)
  if (named.length < values.length) some.push(sql`${column} is null`)
  return some.length === 0 ? sql`false` : sql`(${sql.join(some, sql` or `)})`
}

/** Within the JSON of a list, an opening quotation mark comes first or after a comma, and nowhere else. */
function hasTag(db: Reader, tag: string): Condition {
  const json = JSON.stringify(tag)
  const at = isPostgres(db) ? sql.raw('strpos') : sql.raw('instr')
  return sql`(${at}(c.tags, ${`[${json}`}) = 1 or ${at}(c.tags, ${`,${json}`}) > 0)`
}

async function countFrom(db: Reader, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n ${from}`.execute(db)
  return rows[0]!.n
}

async function countOfCounters(db: Reader, orgId: string, { stages, labels, has_stage }: ContactFilter) {
  const conditions: Condition[] = [sql`n.org_id = ${orgId}`]
  const named = (values: (string | null)[]) => sql.join(values.map((value) => value ?? ''))
  for (const [column, values] of [
    [sql`n.stage`, stages],
    [sql`n.label`, labels],
  ] as const) {
    if (values) conditions.push(values.length === 0 ? sql`false` : sql`${column} in (${named(values)})`)
  }
  if (has_stage !== undefined) conditions.push(has_stage ? sql`n.stage <> ''` : sql`n.stage = ''`)
  // PostgreSQL sums bigint as numeric, which has no exact place in a number.
  const { rows } = await sql<{ n: number }>`select cast(coalesce(sum(n.n), 0) as bigint) as n from contact_count n
    where ${sql.join(conditions, sql` and `)}`.execute(db)
  return rows[0]!.n
}
