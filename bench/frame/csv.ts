import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CONTACT_COLUMNS } from '../../server/src/contacts/export-schema.ts'
import { csvLine } from '../../server/src/text/csv.ts'
import { personAt } from './people.ts'

const LINES = 1_000

/** Writes a file to import, with contacts from that number on. */
export function writeCsv(path: string, from: number, rows: number): Promise<void> {
  return pipeline(pieces(from, rows), createWriteStream(path))
}

function* pieces(from: number, rows: number): Generator<string> {
  yield csvLine(CONTACT_COLUMNS)
  for (let at = from; at < from + rows; at += LINES) {
    const lines = Array.from({ length: Math.min(LINES, from + rows - at) }, (_, i) => lineOf(at + i))
    yield lines.join('')
  }
}

function lineOf(at: number): string {
  const { tags, deal_value, ...rest } = personAt(at)
  const texts = { ...rest, tags: tags.join(';'), deal_value: deal_value === null ? '' : String(deal_value) }
  return csvLine(CONTACT_COLUMNS.map((column) => texts[column] ?? ''))
}
