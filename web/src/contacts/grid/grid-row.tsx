import type { Contact } from '@server/contacts/schema.ts'
import { memo, type ReactNode } from 'react'
import { CellContent, type CellLook, nameOf } from './cell.tsx'
import type { Column } from './columns.ts'
import type { Refusal } from './edits.ts'
import { SELECT_COLUMN } from './keys.ts'

export interface GridRowProps {
  /** Undefined while its page is not there. */
  contact: Contact | undefined
  row: number
  top: number
  columns: readonly Column[]
  look: CellLook
  isSelected: boolean
  /** The active cell's column, if it is in this row. */
  activeColumn: number | undefined
  /** The editor that is open in the active cell. */
  editor?: ReactNode
  /** What the server has refused, by field. */
  refusals?: Readonly<Record<string, Refusal | undefined>> | undefined
  /** Near the end of the view: messages open upwards. */
  isLow: boolean
}

/** One contact. Its cells know their place by `data-column`; what is done to them, the grid handles. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { contact, row, top, columns, look, isSelected, activeColumn, editor, refusals, isLow } = props
  const tabIndexOf = (column: number) => (column === activeColumn ? 0 : -1)
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus.
    <div
      role="row"
      className="grid-row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      data-row={row}
      data-id={contact?.id}
      data-editing={editor ? '' : undefined}
      data-low={isLow ? '' : undefined}
      style={{ top }}
    >
      <div
        role="gridcell"
        className="grid-cell grid-select"
        aria-colindex={1}
        data-column={SELECT_COLUMN}
        tabIndex={tabIndexOf(SELECT_COLUMN)}
      >
        <input
          type="checkbox"
          className="grid-check"
          tabIndex={-1}
          checked={isSelected}
          readOnly
          disabled={!contact}
          aria-label={contact ? `Select ${nameOf(contact)}` : 'Select'}
        />
      </div>
      {columns.map((column, at) => {
        const isEditing = editor !== undefined && at + 1 === activeColumn
        const refusal = refusals?.[column.id]
        return (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of these roles have them.
          <div
            key={column.id}
            role={at === 0 ? 'rowheader' : 'gridcell'}
            className={cellClass(column, at)}
            aria-colindex={at + 2}
            aria-readonly={column.editor === 'none' ? true : undefined}
            aria-invalid={refusal ? true : undefined}
            data-column={at + 1}
            tabIndex={isEditing ? undefined : tabIndexOf(at + 1)}
          >
            {isEditing ? (
              editor
            ) : contact ? (
              <CellContent contact={contact} id={column.id} look={look} />
            ) : (
              <span className="skeleton grid-skeleton" />
            )}
            {refusal && !isEditing ? (
              <span className="grid-bubble grid-bubble-danger" role="alert">
                {refusal.message}
              </span>
            ) : null}
          </div>
        )
      })}
    </div>
  )
})

export function cellClass(column: Column, at: number): string {
  const classes = ['grid-cell']
  if (at === 0) classes.push('grid-fixed')
  if (column.isNumber) classes.push('grid-number')
  if (column.editor === 'none') classes.push('grid-secondary')
  return classes.join(' ')
}
