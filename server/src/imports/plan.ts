/** How a file is to be read, and where its columns go: guessed from its beginning. */

import { type Delimiter, guessDelimiter } from '../text/csv-delimiter.ts'
import { COLUMNS_MAX } from '../text/csv-record.ts'
import { RowSplitter } from '../text/csv-rows.ts'
import type { Encoding } from '../text/encoding.ts'
import { type GivenFields, mapColumns } from './mapping.ts'
import type { Mapping, Match } from './schema.ts'
import { type Format, fileFault, type SourceFile, startOfFile } from './source-file.ts'

const SAMPLE_ROWS_MAX = 200

export const ADD_ALL: Match = { on: 'email', known: 'add' }

interface Wishes {
  given?: GivenFields
  encoding?: Encoding
  delimiter?: Delimiter
  /** People choose the column of the name themselves, where none looks like one. */
  mayLackName?: boolean
}

/** @throws ApiError `validation` at `file` when it is no usable CSV file, at `map` when columns cannot be mapped */
export async function planFile(
  file: SourceFile,
  { given = new Map(), mayLackName = false, ...wishes }: Wishes = {},
): Promise<{ format: Format; mapping: Mapping }> {
  const { header, rows, format } = await sampleOf(file, wishes)
  return { format, mapping: mapColumns({ header, rows, ...format }, given, { mayLackName }) }
}

/**
 * The header and the first rows of a file.
 *
 * @throws ApiError `validation` at `file`
 */
export async function sampleOf(
  file: SourceFile,
  { encoding = file.encoding, delimiter }: Pick<Wishes, 'encoding' | 'delimiter'>,
): Promise<{ header: string[]; rows: string[][]; format: Format }> {
  const start = await startOfFile(file, encoding)
  const format = { encoding, delimiter: delimiter ?? guessDelimiter(start.text, start.isWhole) }
  const splitter = new RowSplitter(format.delimiter)
  const rows = [...splitter.push(start.text), ...(start.isWhole ? splitter.end() : [])]
  const header = rows.shift()
  if (!header) throw fileFault('The file has no rows.')
  if (header.fault) throw fileFault(`Row ${header.number}, which must name the columns: ${header.fault}`)
  if (header.cells.length > COLUMNS_MAX) throw fileFault(`The file has more than ${COLUMNS_MAX} columns.`)
  return { header: header.cells, rows: rows.slice(0, SAMPLE_ROWS_MAX).map(({ cells }) => cells), format }
}
