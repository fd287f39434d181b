/** What an import reads and what it tells. */
import { ContactInput } from '../contacts/schema.ts'
import { compileCheck } from '../http/check.ts'

/** The check of one row's contact: the API's own. */
export const checkContact = compileCheck(ContactInput)

/**
 * What a column can be taken for. `tags` is a list in a cell, `tag` the whole cell as one tag; the parts of a name are
 * joined, as are several columns for `location`.
 */
export const COLUMN_FIELDS = [
  'full_name',
  'first_name',
  'last_name',
  'company',
  'email',
  'phone',
  'location',
  'deal_stage',
  'deal_value',
  'label',
  'tags',
  'tag',
] as const

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

/** A row that could not be taken. */
export interface RejectedRow {
  number: number
  cells: string[]
  /** Sentences. */
  reason: string
}
