import type { Database } from '../database/engine.ts'
import { BYTE_ORDER_MARK, csvLine } from '../text/csv.ts'
import { contactLine } from './contact-line.ts'
import { CONTACT_COLUMNS, type ContactColumn } from './export-schema.ts'
import { contactsByIds } from './grid-store.ts'
import { requireSelection, type Selection, selectedIds } from './selection.ts'

const CONTACTS_AT_ONCE = 250

/**
 * The text of a CSV file of contacts, oldest first, piece by piece: never all in memory, never for long on the event
 * loop. `noteCount` is told how many there were when all have been given.
 *
 * @throws ApiError `validation` when it is not either ids or a filter
 */
export function contactFile(
  db: Database,
  orgId: string,
  selection: Selection,
  columns: readonly ContactColumn[] = CONTACT_COLUMNS,
  noteCount: (count: number) => void = () => {},
): AsyncGenerator<string> {
  requireSelection(selection)
  return pieces(db, orgId, selection, columns, noteCount)
}

async function* pieces(
  db: Database,
  orgId: string,
  selection: Selection,
  columns: readonly ContactColumn[],
  noteCount: (count: number) => void,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns)
  let count = 0
  for await (const ids of selectedIds(db.slow, orgId, selection)) {
    for (let at = 0; at < ids.length; at += CONTACTS_AT_ONCE) {
      const contacts = await contactsByIds(db.slow, orgId, ids.slice(at, at + CONTACTS_AT_ONCE))
      count += contacts.length
      if (contacts.length > 0) yield contacts.map((contact) => contactLine(contact, ',', columns)).join('')
    }
  }
  noteCount(count)
}
