import { csvLine, tagsText } from '../text/csv.ts'
import { CONTACT_COLUMNS, type ContactColumn } from './export-schema.ts'
import type { Contact } from './schema.ts'

/** The line of a contact in a CSV file. */
export function contactLine<Column extends ContactColumn = (typeof CONTACT_COLUMNS)[number]>(
  contact: Pick<Contact, Column>,
  delimiter = ',',
  columns: readonly Column[] = CONTACT_COLUMNS as readonly ContactColumn[] as readonly Column[],
): string {
  return csvLine(contactCells(contact, columns), delimiter)
}

export function contactCells<Column extends ContactColumn>(
  contact: Pick<Contact, Column>,
  columns: readonly Column[],
): string[] {
  return columns.map((column) => {
    const value: unknown = contact[column]
    return Array.isArray(value) ? tagsText(value) : String(value ?? '')
  })
}
