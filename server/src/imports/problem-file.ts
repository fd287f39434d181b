/** What people take away from the import wizard: a file to begin with, and the rows to correct. */
import type { Database } from '../database/engine.ts'
import { BYTE_ORDER_MARK, csvLine } from '../text/csv.ts'
import type { ImportPlan } from './job.ts'
import { rejectedText } from './rejected-file.ts'
import { rejectedRows } from './rejected-rows.ts'
import type { ImportKey } from './store.ts'
import { requireJob } from './ui-actions.ts'

const TEMPLATE: [column: string, example: string][] = [
  ['full_name', 'Ada Lovelace'],
  ['company', 'Analytical Engines Ltd'],
  ['email', 'ada@example.com'],
  ['phone', '(020) 7946 0000'],
  ['location', 'London, United Kingdom'],
  ['deal_stage', 'lead'],
  ['deal_value', '48200'],
  ['label', 'hot'],
  ['tags', 'fintech;berlin'],
]

/** A file with the columns of a contact and one example. */
export function template(): string {
  const line = (at: 0 | 1) => csvLine(TEMPLATE.map((cells) => cells[at]))
  return BYTE_ORDER_MARK + line(0) + line(1)
}

/** The text of a CSV file of the rows that could not be taken, with the reason of each. @throws ApiError `not_found` */
export async function problemFile(db: Database, key: ImportKey): Promise<AsyncGenerator<string>> {
  const { format, mapping }: Omit<ImportPlan, 'file'> = JSON.parse((await requireJob(db.read, key)).mapping)
  const header = mapping.columns.map(({ name }) => name)
  return rejectedText({ header, delimiter: format.delimiter }, rejectedRows(db.read, key))
}
