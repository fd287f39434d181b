import { sql } from 'kysely'
import { isPostgres, type Reader } from '../database/engine.ts'
import { givenRows } from '../database/given-rows.ts'

interface Match {
  key: string
  id: string | null
}

/** The oldest contact of each address. @param keys addresses with their ASCII letters small */
export async function idsByEmail(db: Reader, orgId: string, keys: readonly string[]): Promise<Match[]> {
  const lowerEmail = isPostgres(db) ? sql`lower(c.email collate "C")` : sql`lower(c.email)`
  const { rows } = await sql<Match>`
    select given.key, (select c.id from contact c where c.org_id = ${orgId} and c.email is not null
      and ${lowerEmail} = given.key order by c.id limit 1) as id
    from ${given(db, keys)}`.execute(db)
  return rows
}

/** The oldest contact of each search text. @param keys as `searchTextOf` makes them */
export async function idsBySearchText(db: Reader, orgId: string, keys: readonly string[]): Promise<Match[]> {
  // What the index has: a whole search text may be too long for one.
  const start = isPostgres(db) ? sql`and left(c.search_text, 100) = left(given.key, 100)` : sql``
  const { rows } = await sql<Match>`
    select given.key, (select c.id from contact c where c.org_id = ${orgId} and c.search_text = given.key ${start}
      order by c.id limit 1) as id
    from ${given(db, keys)}`.execute(db)
  return rows
}

function given(db: Reader, keys: readonly string[]) {
  return givenRows(
    db,
    keys.map((key) => ({ key })),
    { key: 'text' },
  )
}
