/** Which pages of the list a view of it needs. */

/** How many rows come in one request. */
export const PAGE_ROWS = 200

/** Rows `first` to `last`, both shown. */
export interface RowSpan {
  first: number
  last: number
}

export function pageOf(row: number): number {
  return Math.floor(row / PAGE_ROWS)
}

/** Slower than this, one page on each side is there in time; faster, nobody reads what flies by. */
const STEADY_ROWS_PER_S = [200, 4_000] as const

/**
 * The pages of the rows in view first, then one on each side, so that a scroll meets rows that are there; two more
 * ahead of a steady fast scroll.
 *
 * @param rows how many the list has; those of a list not yet counted may be a guess
 * @param rowsPerS how fast it is scrolled, downwards above 0
 */
export function pagesToAsk({ first, last }: RowSpan, rows: number, rowsPerS = 0): number[] {
  if (rows === 0) return [0]
  const end = pageOf(rows - 1)
  const from = Math.min(pageOf(Math.max(first, 0)), end)
  const to = Math.min(pageOf(Math.max(last, 0)), end)
  const seen = Array.from({ length: to - from + 1 }, (_, step) => from + step)
  const speed = Math.abs(rowsPerS)
  const isSteady = speed > STEADY_ROWS_PER_S[0] && speed < STEADY_ROWS_PER_S[1]
  const ahead = !isSteady ? [] : rowsPerS > 0 ? [to + 2, to + 3] : [from - 2, from - 3]
  return [...seen, to + 1, from - 1, ...ahead].filter((page) => page >= 0 && page <= end)
}

/** The pages that hold the rows from one to another, in either order. */
export function pagesBetween(one: number, other: number): number[] {
  const from = pageOf(Math.min(one, other))
  const to = pageOf(Math.max(one, other))
  return Array.from({ length: to - from + 1 }, (_, step) => from + step)
}
