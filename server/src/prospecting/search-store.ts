/** The places of a set, or of an upload, that lie in an area. */
import { type RawBuilder, sql } from 'kysely'
import { isPostgres, type Reader } from '../database/engine.ts'
import { foldForSearch } from '../text/search-text.ts'
import { centreOf } from './box.ts'
import type { Category } from './categories.ts'
import { PLACE_COLUMNS, placeOfRow } from './place-columns.ts'
import type { Box, Place } from './schema.ts'

/** Where the places are. */
export type Among = { setNumber: number } | { orgId: string; uploadId: string }

export interface Wanted {
  box: Box
  category?: Category | undefined
  /** A part of the name. */
  text?: string | undefined
}

/** How far they are counted. */
export const COUNT_MAX = 10_000

/** The nearest to the middle of the area first. */
export async function placesIn(db: Reader, among: Among, wanted: Wanted, limit: number): Promise<Place[]> {
  const { latitude, longitude } = centreOf(wanted.box)
  // A degree of longitude is shorter by this: near enough for an order within a town.
  const narrowing = Math.cos((latitude * Math.PI) / 180) ** 2
  const north = sql`(p.latitude - ${real(latitude)})`
  const east = sql`(p.longitude - ${real(longitude)})`
  const columns = sql.join(PLACE_COLUMNS.map((name) => sql.ref(`p.${name}`)))
  const { rows } = await sql<Parameters<typeof placeOfRow>[0]>`select ${columns} ${from(db, among, wanted)}
    order by ${north} * ${north} + ${east} * ${east} * ${real(narrowing)}, p.source_id limit ${limit}`.execute(db)
  return rows.map(placeOfRow)
}

/** @returns at most `COUNT_MAX` */
export async function countIn(db: Reader, among: Among, wanted: Wanted): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select 1 ${from(db, among, wanted)} limit ${sql.lit(COUNT_MAX)}) counted`.execute(db)
  return rows[0]!.n
}

function from(db: Reader, among: Among, { box, category, text }: Wanted): RawBuilder<unknown> {
  const ofCategory = category ? sql`and p.category = ${category}` : sql``
  const folded = foldForSearch(text ?? '').trim()
  const contains = isPostgres(db) ? sql`strpos(p.search_text, ${folded})` : sql`instr(p.search_text, ${folded})`
  return sql`${source(db, among, box)}
    and p.latitude between ${real(box.south)} and ${real(box.north)}
    and p.longitude between ${real(box.west)} and ${real(box.east)}
    ${ofCategory} ${folded ? sql`and ${contains} > 0` : sql``}`
}

/** By the index of positions: on SQLite a little more than the area is found, since its numbers are rounded. */
function source(db: Reader, among: Among, { south, west, north, east }: Box): RawBuilder<unknown> {
  if ('uploadId' in among) {
    return sql`from uploaded_place p where p.org_id = ${among.orgId} and p.upload_id = ${among.uploadId}`
  }
  const { setNumber } = among
  if (isPostgres(db)) {
    const corner = (longitude: number, latitude: number) =>
      sql`point(${real(longitude + 1000 * setNumber)}, ${real(latitude)})`
    return sql`from place p where point(p.longitude + 1000 * p.set_number, p.latitude)
      <@ box(${corner(west, south)}, ${corner(east, north)})`
  }
  return sql`from place_box b cross join place p on p.row_id = b.row_id
    where b.set_from = ${setNumber}
    and b.south <= ${north} and b.north >= ${south} and b.west <= ${east} and b.east >= ${west}`
}

/** PostgreSQL would take a whole number for an integer. */
function real(value: number): RawBuilder<number> {
  return sql`cast(${value} as double precision)`
}
