/** What the lists of both engines share. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Listed, Page } from '../http/paging.ts'
import { answersAtOnce, compiled, type IsGiven, type Parameter } from './compiled.ts'
import { isPostgres, type Reader, type Reads } from './engine.ts'
import type { Tables } from './schema.ts'

/** From this offset on, the rows to skip are walked off the event loop. */
const DEEP_OFFSET = 1_000

/** @returns where to read a page from */
export function readerFor(from: Reads, { offset }: Page): Reader {
  return offset < DEEP_OFFSET ? from.read : from.slow
}

/**
 * A list whose count comes from the counters: what a page of it is read by.
 *
 * Where an answer is there at once, count and rows are two queries, which see the same moment: with the count on every
 * row a page of 50 costs 16 µs of processor more. Elsewhere they are one, since two would be of two moments.
 *
 * A page far down is walked to from the nearer end, which the count tells: offset 900,000 of 1,000,000 costs 4 ms of
 * processor, and 49 from the beginning.
 *
 * @param optional filters, which `isGiven` tells about
 * @param of the number of all that match, their rows, and the order of these with its reverse
 */
export function listing<Values extends Page>(...optional: (keyof Values & string)[]) {
  return <From extends keyof Tables, Row extends object>(of: {
    count(p: Parameter<Values>, isGiven: IsGiven<Values>): RawBuilder<number>
    rows(db: Reader, p: Parameter<Values>, isGiven: IsGiven<Values>): SelectQueryBuilder<Tables, From, Row>
    order(db: Reader): { ahead: RawBuilder<unknown>; back: RawBuilder<unknown> }
  }) => {
    const counts = compiled<Values>(...optional)((db, p, isGiven) => db.selectNoFrom(of.count(p, isGiven).as('count')))
    const pageOf = (db: Reader, p: Parameter<Values>, isGiven: IsGiven<Values>) =>
      of.rows(db, p, isGiven).orderBy(of.order(db).ahead).limit(p('limit')).offset(p('offset'))
    const rows = compiled<Values>(...optional)(pageOf)
    const counted = compiled<Values>(...optional)((db, p, isGiven) =>
      pageOf(db, p, isGiven).select(of.count(p, isGiven).as('count')),
    )
    const countedBack = compiled<Values>(...optional)((db, p, isGiven) => {
      const count = of.count(p, isGiven)
      const [least, greatest] = isPostgres(db) ? [sql`least`, sql`greatest`] : [sql`min`, sql`max`]
      return of
        .rows(db, p, isGiven)
        .select(count.as('count'))
        .orderBy(of.order(db).back)
        .limit(sql<number>`${greatest}(${least}(${count} - ${p('offset')}, ${p('limit')}), 0)`)
        .offset(sql<number>`${greatest}(${count} - ${p('offset')} - ${p('limit')}, 0)`)
    })
    return async (db: Reader, values: Values): Promise<Listed<Row>> => {
      if (answersAtOnce(db)) {
        const [[all], page] = await Promise.all([counts(db, values), rows(db, values)])
        return { count: all!.count, rows: page }
      }
      const countNow = async () => (await counts(db, values))[0]!.count
      // Only the way depends on this count: what is answered is of one moment.
      const isNearEnd = values.offset >= DEEP_OFFSET && values.offset > (await countNow()) / 2
      const page = isNearEnd ? (await countedBack(db, values)).reverse() : await counted(db, values)
      return withCount(page as (Row & { count: number })[], values, countNow)
    }
  }
}

/**
 * Takes the count off a page's rows, each of which carries the number of all that match, so that a list is one query.
 *
 * @param count the same number, asked for alone when the page lies behind the last row
 */
export async function withCount<Row extends object>(
  rows: (Row & { count: number })[],
  { offset }: Page,
  count: () => Promise<number>,
): Promise<Listed<Row>> {
  if (rows.length === 0) return { rows: [], count: offset > 0 ? await count() : 0 }
  return { count: rows[0]!.count, rows: rows.map(({ count: _, ...row }) => row as unknown as Row) }
}
