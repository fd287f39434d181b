/** What the lists of both engines share. */
import type { RawBuilder } from 'kysely'
import type { Listed, Page } from '../http/paging.ts'
import type { Reader, Reads } from './engine.ts'

/** From this offset on, the rows to skip are walked off the event loop. */
const DEEP_OFFSET = 1_000

/** @returns where to read a page from */
export function readerFor(from: Reads, { offset }: Page): Reader {
  return offset < DEEP_OFFSET ? from.read : from.slow
}

/**
 * Runs a page's query, each row of which carries the number of all that match, so that a list is one query.
 *
 * @param count the same number, asked for alone when the page lies behind the last row
 */
export async function counted<Row extends { count: number }>(
  db: Reader,
  { offset }: Page,
  count: RawBuilder<number>,
  rows: Row[],
): Promise<Listed<Omit<Row, 'count'>>> {
  if (rows.length === 0 && offset > 0) {
    const { count: all } = await db.selectNoFrom(count.as('count')).executeTakeFirstOrThrow()
    return { rows: [], count: all }
  }
  return { count: rows[0]?.count ?? 0, rows: rows.map(({ count: _, ...row }) => row) }
}
