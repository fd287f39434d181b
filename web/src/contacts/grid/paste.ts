/** What a paste of several cells would change, told before it is done. */
import type { Contact } from '@server/contacts/schema.ts'
import type { Column, ColumnId } from './columns.ts'
import type { Patch } from './edits.ts'
import type { Cell } from './keys.ts'
import { isSame, type Parsed } from './values.ts'

/** More rows than this are a matter for an import. */
export const PASTED_ROWS_MAX = 200

export interface PasteFault {
  row: number
  title: string
  text: string
  fault: string
}

export interface Paste {
  /** Only what differs from what is there. */
  changes: { contact: Contact; patch: Patch }[]
  cells: number
  faults: PasteFault[]
  /** Rows and columns of the clipboard that have no place in the grid. */
  isCut: boolean
}

export interface PasteTarget {
  at: Cell
  /** Of the grid, without the check boxes. */
  columns: readonly Column[]
  contactAt: (row: number) => Contact | undefined
  check: (id: ColumnId, text: string) => Parsed
}

export function pasteOf(cells: readonly (readonly string[])[], { at, columns, contactAt, check }: PasteTarget): Paste {
  const paste: Paste = { changes: [], cells: 0, faults: [], isCut: cells.length > PASTED_ROWS_MAX }
  for (const [down, texts] of cells.slice(0, PASTED_ROWS_MAX).entries()) {
    const contact = contactAt(at.row + down)
    if (!contact) {
      paste.isCut = true
      break
    }
    const patch: Record<string, unknown> = {}
    for (const [right, text] of texts.entries()) {
      const column = columns[at.column - 1 + right]
      if (!column || column.editor === 'none') {
        paste.isCut = true
        continue
      }
      const parsed = check(column.id, text)
      if ('fault' in parsed) {
        paste.faults.push({ row: at.row + down, title: column.title, text, fault: parsed.fault })
      } else if (!isSame(contact[column.id], parsed.value)) {
        patch[column.id] = parsed.value
        paste.cells++
      }
    }
    if (Object.keys(patch).length > 0) paste.changes.push({ contact, patch })
  }
  return paste
}
