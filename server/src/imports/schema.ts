/** What an import reads and what it tells. */
import { ContactInput } from '../contacts/schema.ts'
import { compileCheck } from '../http/check.ts'
import type { COLUMN_FIELDS } from './ui-schema.ts'

export { COLUMN_FIELDS, type Match } from './ui-schema.ts'

/** The check of one row's contact: the API's own. */
export const checkContact = compileCheck(ContactInput)

export type ColumnField = (typeof COLUMN_FIELDS)[number]

export interface Column {
  /** Its header, trimmed. */
  name: string
  /** Null when the column is not imported. */
  field: ColumnField | null
  /** What decided it: the caller, the header, the first rows; null when nothing did. */
  by: 'given' | 'name' | 'content' | null
}

export interface Mapping {
  columns: Column[]
  /** What `1.234` and `1,234` are: this one is the decimal mark, the other groups thousands. */
  decimalMark: '.' | ','
}

/** Why a row cannot be taken. */
export interface Refusal {
  /** Sentences. */
  reason: string
  /** The cell at fault; null when it is none alone. */
  cell: number | null
}

/** A row that could not be taken. */
export interface RejectedRow extends Refusal {
  number: number
  cells: string[]
}

/** How far an import has come. */
export interface Counts {
  /** Rows below the header that were dealt with; empty ones do not count. */
  rows_read: number
  rows_added: number
  /** Rows about contacts that were there, which they were taken into. */
  rows_updated: number
  /** Rows about contacts that were there and stay as they are. */
  rows_skipped: number
  rows_rejected: number
}

export const NO_COUNTS: Counts = { rows_read: 0, rows_added: 0, rows_updated: 0, rows_skipped: 0, rows_rejected: 0 }

/** What the data of an import that was undone came to: contacts. */
export interface UndoCounts {
  removed: number
  restored: number
  kept: number
}
