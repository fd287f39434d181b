import { readRecord } from './csv-record.ts'

export const DELIMITERS = [',', ';', '\t'] as const

export type Delimiter = (typeof DELIMITERS)[number]

/** Enough to tell, without reading thousands of rows three times. */
const RECORDS_MAX = 100

/**
 * Which character stands between the cells: the one with which most of the first rows have as many cells as the
 * header, and more than one; of equals, the one that makes more columns. A comma when there is only one column.
 *
 * @param start the text of the beginning of the file
 * @param isWhole whether it is the whole file
 */
export function guessDelimiter(start: string, isWhole: boolean): Delimiter {
  let best: Delimiter = ','
  let bestScore = 0
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(start, delimiter, isWhole)
    if (score <= bestScore) continue
    best = delimiter
    bestScore = score
  }
  return best
}

function scoreOf(start: string, delimiter: string, isWhole: boolean): number {
  const widths: number[] = []
  for (let at = 0; at < start.length && widths.length < RECORDS_MAX; ) {
    const record = readRecord(start, at, delimiter.charCodeAt(0), isWhole)
    if (!record) break
    at = record.end
    if (record.cells.some((cell) => cell.trim() !== '')) widths.push(record.cells.length)
  }
  const columns = widths[0] ?? 1
  if (columns === 1) return 0
  const alike = widths.filter((width) => width === columns).length
  return alike / widths.length + columns / 1000
}
