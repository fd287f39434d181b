import { type SqlBool, sql } from 'kysely'
import { isPostgres, type Reader } from '../database/engine.ts'
import { givenRows, lookedUp } from '../database/given-rows.ts'
import { idOrder, ofOrg } from '../database/org-rows.ts'

interface Match {
  key: string
  id: string | null
}

/** The oldest contact of each address. @param keys addresses with their ASCII letters small */
export async function idsByEmail(db: Reader, orgId: string, keys: readonly string[]): Promise<Match[]> {
  const lowerEmail = isPostgres(db) ? sql`lower(c.email collate "C")` : sql`lower(c.email)`
  const { rows } = await sql<Match>`
    select given.key, (select c.id from contact c where ${ofOrg(db, orgId, 'c')} and c.email is not null
      and ${lowerEmail} = given.key order by ${idOrder(db, 'c')} limit 1) as id
    from ${given(db, keys)}`.execute(db)
  return rows
}

/** The oldest contact of each search text. @param keys as `searchTextOf` makes them */
export async function idsBySearchText(db: Reader, orgId: string, keys: readonly string[]): Promise<Match[]> {
  // What the index has: a whole search text may be too long for one.
  const start = isPostgres(db) ? sql`and left(c.search_text, 100) = left(given.key, 100)` : sql``
  const { rows } = await sql<Match>`
    select given.key, (select c.id from contact c where ${ofOrg(db, orgId, 'c')} and c.search_text = given.key ${start}
      order by ${idOrder(db, 'c')} limit 1) as id
    from ${given(db, keys)}`.execute(db)
  return rows
}

export interface CalledContact {
  id: string
  full_name: string | null
  company: string | null
  phone: string
}

/** Of many contacts with one number, as many as are worth comparing. */
const CALLED_MAX = 10

/** The oldest contacts with each end of a telephone number. @param keys 7 characters each */
export async function contactsByPhoneEnd(db: Reader, orgId: string, keys: readonly string[]): Promise<CalledContact[]> {
  const end = isPostgres(db)
    ? sql`right(translate(c.phone, ' -()./' || chr(160), ''), 7)`
    : sql`substr(${BETWEEN_DIGITS.reduce((text, between) => sql`replace(${text}, ${between}, '')`, sql.ref('c.phone'))}, -7)`
  const isCalled = sql<SqlBool>`${ofOrg(db, orgId, 'c')} and c.phone is not null and ${end} = given.key`
  const { rows } = await sql<CalledContact>`
    select found.id, found.full_name, found.company, found.phone from (
      select c.id, c.full_name, c.company, c.phone, row_number() over (partition by given.key order by c.id) as place
      from ${given(db, keys)} ${lookedUp(db, 'contact', 'c', isCalled)}
    ) found where found.place <= ${CALLED_MAX} order by found.id`.execute(db)
  return rows
}

/** As the index has it, word for word. */
const BETWEEN_DIGITS = [' ', '-', '(', ')', '.', '/'].map((text) => sql`${sql.lit(text)}`).concat(sql`char(160)`)

function given(db: Reader, keys: readonly string[]) {
  return givenRows(
    db,
    keys.map((key) => ({ key })),
    { key: 'text' },
  )
}
