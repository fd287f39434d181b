/** What the lists of both engines share. */
import type { RawBuilder, SelectQueryBuilder } from 'kysely'
import type { Listed, Page } from '../http/paging.ts'
import { answersAtOnce, compiled, type IsGiven, type Parameter } from './compiled.ts'
import type { Reader, Reads } from './engine.ts'
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
 * @param optional filters, which `isGiven` tells about
 * @param of the number of all that match, and the page's rows
 */
export function listing<Values extends Page>(...optional: (keyof Values & string)[]) {
  return <From extends keyof Tables, Row extends object>(of: {
    count(p: Parameter<Values>, isGiven: IsGiven<Values>): RawBuilder<number>
    rows(db: Reader, p: Parameter<Values>, isGiven: IsGiven<Values>): SelectQueryBuilder<Tables, From, Row>
  }) => {
    const counts = compiled<Values>(...optional)((db, p, isGiven) => db.selectNoFrom(of.count(p, isGiven).as('count')))
    const rows = compiled<Values>(...optional)(of.rows)
    const counted = compiled<Values>(...optional)((db, p, isGiven) =>
      of.rows(db, p, isGiven).select(of.count(p, isGiven).as('count')),
    )
    return async (db: Reader, values: Values): Promise<Listed<Row>> => {
      if (answersAtOnce(db)) {
        const [[all], page] = await Promise.all([counts(db, values), rows(db, values)])
        return { count: all!.count, rows: page }
      }
      const page = (await counted(db, values)) as (Row & { count: number })[]
      return withCount(page, values, async () => (await counts(db, values))[0]!.count)
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
