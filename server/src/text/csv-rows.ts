/** The rows of a CSV text that comes in pieces. */
import { COLUMNS_MAX, readRecord } from './csv-record.ts'

export interface Row {
  /** As a spreadsheet counts: the header is row 1, and empty rows count too. */
  number: number
  cells: string[]
  /** Why the row cannot be taken, as a sentence. */
  fault?: string
  /** Which cell is at fault, where it is one. */
  faultCell?: number
}

export const CELL_BYTES_MAX = 16 * 1024

/** Room for a record of 100 full cells whose every letter is a doubled quotation mark. */
const RECORD_LENGTH_MAX = 2 * COLUMNS_MAX * (CELL_BYTES_MAX + 2)

/** Splits pieces of text into rows. Empty rows are left out; what is kept in memory has a limit, whatever comes in. */
export class RowSplitter {
  readonly #delimiter: number
  #text = ''
  /** From this length on, looking for the end of the record again is worth it: each time twice as much text. */
  #lengthWanted = 0
  #isSkippingLine = false
  #number = 0

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0)
  }

  /** @returns the rows that are complete now */
  push(piece: string): Row[] {
    this.#text += piece
    return this.#text.length < this.#lengthWanted ? [] : this.#split(false)
  }

  /** @returns the rows that were left */
  end(): Row[] {
    return this.#split(true)
  }

  #split(isLast: boolean): Row[] {
    const text = this.#text
    const rows: Row[] = []
    let at = this.#isSkippingLine ? this.#afterLine(text) : 0
    while (at < text.length) {
      const isOver = text.length - at > RECORD_LENGTH_MAX
      const record =
        readRecord(text, at, this.#delimiter, isLast) ??
        (isOver ? readRecord(text, at, this.#delimiter, true) : undefined)
      if (!record) break
      at = record.end
      this.#number++
      // What did not end within the limit goes on until the next line break.
      this.#isSkippingLine = !isLast && isOver && at === text.length
      const row = this.#rowOf(record.cells, record.fault)
      if (row) rows.push(row)
    }
    this.#text = text.slice(at)
    this.#lengthWanted = 2 * this.#text.length
    return rows
  }

  #afterLine(text: string): number {
    const lineBreak = text.search(/[\r\n]/)
    this.#isSkippingLine = lineBreak < 0
    return lineBreak < 0 ? text.length : lineBreak
  }

  #rowOf(cells: string[], fault: string | undefined): Row | undefined {
    const number = this.#number
    if (fault) return { number, cells: cells.map(withinLimit), fault }
    if (this.#isSkippingLine) {
      return { number, cells: cells.map(withinLimit), fault: 'The line is too long to be a row.' }
    }
    if (cells.every((cell) => cell === '' || cell.trim() === '')) return undefined
    const long = cells.findIndex(isOverLimit)
    if (long < 0) return { number, cells }
    const tooLong = `The cell in column ${long + 1} is longer than 16 KiB.`
    return { number, cells: cells.map(withinLimit), fault: tooLong, faultCell: long }
  }
}

function isOverLimit(cell: string): boolean {
  return cell.length * 3 > CELL_BYTES_MAX && Buffer.byteLength(cell) > CELL_BYTES_MAX
}

function withinLimit(cell: string): string {
  return isOverLimit(cell)
    ? Buffer.from(cell)
        .subarray(0, CELL_BYTES_MAX)
        .toString()
        .replace(/\ufffd$/, '')
    : cell
}
