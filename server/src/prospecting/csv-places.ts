/** Places in a CSV file whose first row names the columns. */
import { validationError } from '../http/errors.ts'
import { guessDelimiter } from '../text/csv-delimiter.ts'
import { type Row, RowSplitter } from '../text/csv-rows.ts'
import { EncodingSurvey } from '../text/encoding.ts'
import { categoryOfWord } from './categories.ts'
import {
  addressOf,
  FIELD_NAMES,
  type FieldName,
  fieldCalled,
  numberOf,
  placeOf,
  textOf,
  type Unfit,
} from './place-fields.ts'
import type { Place } from './schema.ts'

/** The encoding is told from so much of the beginning, the rest then has to be in it. */
const START_BYTES = 1024 * 1024

const NEEDED: readonly FieldName[] = ['name', 'latitude', 'longitude']

export class CsvPlaces {
  #start: Uint8Array[] = []
  #startBytes = 0
  #decoder: TextDecoder | undefined
  #rows: RowSplitter | undefined
  #columns: Map<FieldName, number> | undefined

  /**
   * @param piece may be overwritten afterwards
   * @throws ApiError `validation` at `file` when it is no text, or has no columns for name and position
   */
  push(piece: Uint8Array): (Place | Unfit)[] {
    if (this.#decoder) return this.#placesIn(this.#decoded(piece))
    this.#start.push(Buffer.from(piece))
    this.#startBytes += piece.length
    return this.#startBytes < START_BYTES ? [] : this.#begin(false)
  }

  end(): (Place | Unfit)[] {
    const first = this.#decoder ? [] : this.#begin(true)
    const last = this.#placesIn(this.#decoded())
    return [...first, ...last, ...this.#placesOf(this.#rows!.end())]
  }

  #begin(isWhole: boolean): (Place | Unfit)[] {
    const start = Buffer.concat(this.#start)
    this.#start = []
    try {
      const survey = new EncodingSurvey()
      // A letter may stand across the end of what is here.
      survey.push(isWhole ? start : start.subarray(0, start.lastIndexOf('\n') + 1))
      this.#decoder = new TextDecoder(survey.end(), { fatal: true })
    } catch (error) {
      throw fileFault((error as Error).message)
    }
    const text = this.#decoded(start)
    this.#rows = new RowSplitter(guessDelimiter(text, isWhole))
    return this.#placesIn(text)
  }

  #decoded(piece?: Uint8Array): string {
    try {
      return this.#decoder!.decode(piece, { stream: piece !== undefined })
    } catch {
      const encoding = this.#decoder!.encoding.toUpperCase()
      throw fileFault(`The file begins as ${encoding}, and does not go on so. Save it as UTF-8 and try again.`)
    }
  }

  #placesIn(text: string): (Place | Unfit)[] {
    return this.#placesOf(this.#rows!.push(text))
  }

  #placesOf(rows: Row[]): (Place | Unfit)[] {
    const header = this.#columns ? undefined : rows.shift()
    if (header) this.#columns = columnsOf(header.cells)
    return rows.map((row) => (row.fault ? 'broken' : placeOfCells(row.cells, this.#columns!)))
  }
}

function columnsOf(header: string[]): Map<FieldName, number> {
  const columns = new Map<FieldName, number>()
  for (const [column, name] of header.entries()) {
    const field = fieldCalled(name)
    if (field && !columns.has(field)) columns.set(field, column)
  }
  const missing = NEEDED.filter((field) => !columns.has(field))
  if (missing.length > 0) {
    const wanted = missing.map((field) => `${field} (called ${FIELD_NAMES[field].slice(0, 3).join(', ')} or the like)`)
    const found = header.slice(0, 10).map((name) => textOf(name, 30) ?? '')
    throw fileFault(`The file has no column for ${wanted.join(' and ')}. Its first row is: ${found.join(', ')}.`)
  }
  return columns
}

function placeOfCells(cells: string[], columns: Map<FieldName, number>): Place | Unfit {
  const of = (field: FieldName) => cells[columns.get(field) ?? -1]
  const word = textOf(of('category'))
  const [latitude, longitude] = [numberOf(of('latitude')), numberOf(of('longitude'))]
  return placeOf({
    id: of('id'),
    name: of('name'),
    category: categoryOfWord(word),
    category_text: word,
    address: textOf(of('address')) ?? addressOf(partsOf(of)),
    phone: of('phone'),
    website: of('website'),
    email: of('email'),
    position: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
  })
}

function partsOf(of: (field: FieldName) => string | undefined) {
  return { street: of('street'), housenumber: of('housenumber'), postcode: of('postcode'), city: of('city') }
}

function fileFault(message: string): Error {
  return validationError([{ path: 'file', code: 'not_allowed', message }])
}
