import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { BYTE_ORDER_MARK, csvLine } from '../text/csv.ts'
import type { RejectedRow } from './schema.ts'

/** `contacts.rejected.csv` beside `contacts.csv`. */
export function rejectedPathOf(path: string): string {
  return `${path.replace(/\.csv$/i, '')}.rejected.csv`
}

/**
 * Writes the rejected rows with all their columns and a last one, `reason`. The file appears whole, for its owner
 * alone, and takes the place of one that is there.
 *
 * @param batches the rows in order
 */
export async function writeRejectedFile(
  path: string,
  { header, delimiter }: { header: readonly string[]; delimiter: string },
  batches: AsyncIterable<RejectedRow[]>,
): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.part`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      for await (const text of rejectedText({ header, delimiter }, batches)) await handle.write(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** The text of such a file, piece by piece. */
export async function* rejectedText(
  { header, delimiter }: { header: readonly string[]; delimiter: string },
  batches: AsyncIterable<RejectedRow[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine([...header, 'reason'], delimiter)
  for await (const rows of batches) {
    yield rows.map((row) => csvLine(cellsOf(row, header.length), delimiter)).join('')
  }
}

/** As many cells as columns before the reason; what is beyond the last column goes into it. */
function cellsOf({ number, cells, reason }: RejectedRow, columns: number): string[] {
  const filled = Array.from({ length: columns }, (_, at) => cells[at] ?? '')
  const extra = cells.slice(columns).filter((cell) => cell !== '')
  const beyond = extra.length > 0 ? ` Beyond the last column: ${extra.join(' | ')}` : ''
  return [...filled, `Row ${number}: ${reason}${beyond}`]
}
