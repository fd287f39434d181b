/** Contacts by a part of their name or company, as the API lists them. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres, type Reader } from '../database/engine.ts'
import { ofOrg } from '../database/org-rows.ts'
import { withCount } from '../database/paging.ts'
import { containsText, fewHits, type Hits, indexedHits, isInMost } from '../database/search-hits.ts'
import type { Listed, Page } from '../http/paging.ts'
import type { ContactListItem } from './schema.ts'
import { type ContactFilter, LIST_COLUMNS } from './store.ts'

/**
 * Contacts whose folded name or company contains the text, newest first.
 *
 * @param text folded as `foldForSearch` does it
 */
export function contactSearchPage(
  db: Reader,
  text: string,
  filter: ContactFilter,
  page: Page,
): Promise<Listed<ContactListItem>> {
  return (isPostgres(db) ? searchOnPostgres : searchOnSqlite)(db, text, filter, page)
}

type ListRow = ContactListItem & { count: number }

const COLUMNS = sql.join(LIST_COLUMNS.map((column) => sql.ref(`c.${column}`)))

async function searchOnPostgres(db: Reader, text: string, filter: ContactFilter, page: Page) {
  const where = sql.join([...conditionsOf(db, filter), containsText(db, sql`c.search_text`, text)], sql` and `)
  const found = sql`select c.id from contact c where ${where}`
  const { rows } = await sql<ListRow>`
    with hits as materialized (${found})
    select ${COLUMNS}, (select count(*) from hits) as count
    from (select id from hits order by id desc limit ${page.limit} offset ${page.offset}) page
    left join contact c on c.org_id = ${filter.orgId} and c.id = page.id order by page.id desc`.execute(db)
  return withCount(rows, page, () => countOf(db, sql`from (${found}) hits`))
}

/**
 * The page ends at its last row and the count keeps none, so each goes through the hits by itself; a page that is not
 * full says how many there are.
 */
async function searchOnSqlite(db: Reader, text: string, filter: ContactFilter, page: Page) {
  const { hits, rowId, count } = await hitsOnSqlite(db, text, filter)
  const { rows } = await sql<ListRow>`
    with page as materialized (
      select ${rowId} as row_id ${hits} order by ${rowId} desc limit ${page.limit} offset ${page.offset})
    select ${COLUMNS}, (case when (select count(*) from page) < ${page.limit}
      then ${page.offset} + (select count(*) from page) else ${count} end) as count
    from page cross join contact c on c.org_id = ${filter.orgId} and c.row_id = page.row_id
    order by page.row_id desc`.execute(db)
  return withCount(rows, page, () => countOf(db, hits))
}

async function countOf(db: Reader, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count ${from}`.execute(db)
  return rows[0]!.count
}

/** What finds the hits in one order of their ids, which their row ids have too. */
interface Found {
  hits: Hits
  rowId: RawBuilder<unknown>
  count: RawBuilder<number>
}

async function hitsOnSqlite(db: Reader, text: string, filter: ContactFilter): Promise<Found> {
  const { orgId, stage, label } = filter
  const isFiltered = stage !== undefined || label !== undefined
  const where = sql.join(conditionsOf(db, filter), sql` and `)
  // All that is asked about is in this index.
  const looked = sql`from contact c indexed by contact_created
    where ${where} and ${containsText(db, sql`c.search_text`, text)}`
  const found = isFiltered ? await fewHits(db, orgId, text) : indexedHits(orgId, text)
  if (!found) return { hits: looked, rowId: sql.ref('c.row_id'), count: sql`(select count(*) ${looked})` }
  const hits = isFiltered ? sql`${found} and ${where}` : found
  const isMost = isFiltered ? undefined : isInMost(db, orgId, text)
  const count = isMost
    ? sql<number>`(case when ${isMost} then (select count(*) ${looked}) else (select count(*) ${hits}) end)`
    : sql<number>`(select count(*) ${hits})`
  return { hits, rowId: sql.ref('s.rowid'), count }
}

function conditionsOf(db: Reader, { orgId, stage, label }: ContactFilter): RawBuilder<SqlBool>[] {
  const conditions = [ofOrg(db, orgId, 'c')]
  if (stage !== undefined) conditions.push(sql`c.deal_stage = ${stage}`)
  if (label !== undefined) conditions.push(sql`c.label = ${label}`)
  return conditions
}
