/** How contacts are found by a part of their folded text: by SQLite's table of trigrams, or by a look at one after the other. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres, type Reader } from './engine.ts'
import { firstRowId, ofOrg } from './org-rows.ts'

/** `from … where …` of SQLite, to which conditions can be added. */
export type Hits = RawBuilder<unknown>

/** The index has three characters and more. */
const TRIGRAM_LENGTH = 3

/** Looking so many hits up takes less than going through all contacts of a large org. */
const FEW_HITS = 2_000

/**
 * Finds the contacts of an org with that text, as `s.rowid`, from the index alone: where no more is asked about them,
 * counting them costs a third of what it does with a look at each (18 ms of 62, for 60,000).
 *
 * @returns nothing when the text is too short for the index
 */
export function indexedHits(orgId: string, text: string): Hits | undefined {
  if ([...text].length < TRIGRAM_LENGTH) return undefined
  return sql`from contact_search s where ${matches(orgId, text)}`
}

/** The same with each contact as `c`, where they are few enough. */
export async function fewHits(db: Reader, orgId: string, text: string): Promise<Hits | undefined> {
  const hits = indexedHits(orgId, text)
  if (!hits) return undefined
  const { rows } = await sql<{ n: number }>`select count(*) as n
    from (select 1 ${hits} limit ${sql.lit(FEW_HITS + 1)}) hits`.execute(db)
  if (rows[0]!.n > FEW_HITS) return undefined
  return sql`from contact_search s cross join contact c not indexed
    where ${matches(orgId, text)} and c.row_id = s.rowid and c.org_id = ${orgId}`
}

const PLACES = sql`(values (0), (.125), (.25), (.375), (.5), (.625), (.75), (.875))`
const PLACE_ROWS = 8
/** So many entries of the index are read in the time in which one contact is looked at. */
const ENTRIES_A_LOOK = 2

/**
 * Whether looking at each contact of the org takes less than counting those with that text from the index: that reads a
 * list for each three characters, which is dear for a long text that most have (180 ms for one of seven characters that
 * 600,000 of 1,000,000 have, and 120 to look at all). It is told from a few contacts in eight places.
 *
 * @returns nothing when the text is too short for that
 */
export function isInMost(db: Reader, orgId: string, text: string): RawBuilder<SqlBool> | undefined {
  const lists = [...text].length - TRIGRAM_LENGTH + 1
  if (lists <= ENTRIES_A_LOOK) return undefined
  const all = sql`from contact c indexed by contact_created where ${ofOrg(db, orgId, 'c')}`
  const found = sql`count(*) filter (where ${containsText(db, sql`c.search_text`, text)})`
  return sql`(select ${lists} * ${found} > ${sql.lit(ENTRIES_A_LOOK)} * count(*)
    from (select lo + cast((hi - lo) * column1 as integer) as at
      from (select (select min(c.row_id) ${all}) as lo, (select max(c.row_id) ${all}) as hi), ${PLACES}) place
    cross join contact c indexed by contact_created
    where ${ofOrg(db, orgId, 'c')} and c.row_id between place.at and place.at + ${sql.lit(PLACE_ROWS - 1)})`
}

function matches(orgId: string, text: string): RawBuilder<SqlBool> {
  const phrase = `"${text.replaceAll('"', '""')}"`
  const first = firstRowId(orgId)
  return sql`s.contact_search match ${phrase} and s.rowid between ${first} and ${first} + 4294967295`
}

/** Whether a folded text contains another, on either engine. */
export function containsText(db: Reader, searchText: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  if (!isPostgres(db)) return sql`instr(${searchText}, ${text}) > 0`
  return sql`${searchText} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`
}
