/** One record of a CSV text. */

export interface CsvRecord {
  cells: string[]
  /** Where the next record begins. */
  end: number
  /** Why the record cannot be taken, as a sentence; `cells` then is what could be read of it. */
  fault?: string
}

export const COLUMNS_MAX = 100

const QUOTE = 0x22
const SPACE = 0x20
const LF = 0x0a
const CR = 0x0d

/**
 * Reads the record that begins at `start`. Cells stand in quotation marks or not; a line break is LF, CR LF or CR.
 *
 * A quotation mark that is never closed, or is followed by more text, breaks the record: it then ends with the line in
 * which that mark stands, so that the lines after it are read as if nothing had happened. Within a cell that does not
 * begin with one, quotation marks are ordinary letters.
 *
 * @param delimiter the code of the character between cells
 * @param isLast whether nothing follows this text
 * @returns undefined when more text is needed to tell where the record ends; of more than 100 cells, the first 101
 * @see RFC 4180
 */
export function readRecord(text: string, start: number, delimiter: number, isLast: boolean): CsvRecord | undefined {
  const cells: string[] = []
  let at = start
  for (;;) {
    const open = afterSpaces(text, at)
    let end: number
    let cell: string
    if (text.charCodeAt(open) === QUOTE) {
      const close = closingQuote(text, open + 1)
      if (!isLast && (close < 0 || close + 1 === text.length)) return undefined
      end = close < 0 ? text.length : afterSpaces(text, close + 1)
      if (!isLast && end === text.length) return undefined
      if (close < 0 || (end < text.length && !endsCell(text.charCodeAt(end), delimiter))) {
        return brokenRecord(text, open, cells, isLast)
      }
      cell = text.slice(open + 1, close)
      if (cell.includes('"')) cell = cell.replaceAll('""', '"')
    } else {
      end = at
      while (end < text.length && !endsCell(text.charCodeAt(end), delimiter)) end++
      if (!isLast && end === text.length) return undefined
      cell = text.slice(at, end)
    }
    if (cells.length <= COLUMNS_MAX) cells.push(cell)
    if (end < text.length && text.charCodeAt(end) === delimiter) {
      at = end + 1
      continue
    }
    const next = afterLineBreak(text, end, isLast)
    return next === undefined ? undefined : { cells, end: next }
  }
}

/** Every cell of a short text, its lines one after another: for lists inside a cell or an option. */
export function cellsOf(text: string, delimiter: string): string[] {
  const cells: string[] = []
  for (let at = 0; at < text.length; ) {
    const record = readRecord(text, at, delimiter.charCodeAt(0), true)!
    cells.push(...record.cells)
    at = record.end
  }
  return cells
}

function endsCell(code: number, delimiter: number): boolean {
  return code === delimiter || code === LF || code === CR
}

function afterSpaces(text: string, at: number): number {
  let after = at
  while (text.charCodeAt(after) === SPACE) after++
  return after
}

/** Two quotation marks in a row stand for one, so that they close nothing. */
function closingQuote(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at)
    if (at < 0 || text.charCodeAt(at + 1) !== QUOTE) return at
  }
}

function brokenRecord(text: string, open: number, cells: string[], isLast: boolean): CsvRecord | undefined {
  let lineEnd = open
  while (lineEnd < text.length && !endsCell(text.charCodeAt(lineEnd), LF)) lineEnd++
  const end = lineEnd < text.length || isLast ? afterLineBreak(text, lineEnd, isLast) : undefined
  if (end === undefined) return undefined
  const column = cells.push(text.slice(open, lineEnd))
  return { cells, end, fault: `In column ${column} a quotation mark is not closed, or is followed by more text.` }
}

function afterLineBreak(text: string, at: number, isLast: boolean): number | undefined {
  if (text.charCodeAt(at) !== CR) return Math.min(at + 1, text.length)
  if (at + 1 === text.length) return isLast ? at + 1 : undefined
  return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
}
