import './data-table.css'
import type { ReactNode } from 'react'
import {
  Cell,
  Column,
  Row,
  type SortDescriptor,
  Table,
  TableBody,
  TableHeader,
  type TableProps,
} from 'react-aria-components'

export interface DataColumn<T> {
  id: string
  name: ReactNode
  cell: (row: T) => ReactNode
  /** Names the row for readers; without one it is the first column. */
  isRowHeader?: boolean | undefined
  /** `end` for numbers. */
  align?: 'start' | 'end' | undefined
  allowsSorting?: boolean | undefined
  width?: string | undefined
  /** The column's name is read aloud and not shown. */
  isNameHidden?: boolean | undefined
}

export interface DataTableProps<T extends { id: string }>
  extends Pick<
    TableProps,
    'selectionMode' | 'selectedKeys' | 'onSelectionChange' | 'disabledKeys' | 'sortDescriptor' | 'selectionBehavior'
  > {
  label: string
  columns: DataColumn<T>[]
  rows: T[]
  /** Enter or a press on a row. */
  onRowAction?: ((id: string) => void) | undefined
  /** Where a row leads; instead of `onRowAction`. */
  href?: ((row: T) => string) | undefined
  /** Shown in secondary colour, such as a revoked key. */
  isMuted?: ((row: T) => boolean) | undefined
  onSortChange?: ((sort: SortDescriptor) => void) | undefined
  /** Instead of rows where there are none. */
  empty?: ReactNode
}

/** A table for fewer than 200 rows. */
export function DataTable<T extends { id: string }>({
  label,
  columns,
  rows,
  onRowAction,
  href,
  isMuted,
  empty,
  onSortChange,
  ...rest
}: DataTableProps<T>) {
  const headerId = columns.find(({ isRowHeader }) => isRowHeader)?.id ?? columns[0]?.id
  return (
    <div className="table-frame">
      <Table
        {...rest}
        {...(onRowAction ? { onRowAction: (key) => onRowAction(String(key)) } : {})}
        {...(onSortChange ? { onSortChange } : {})}
        aria-label={label}
        className="table"
      >
        <TableHeader>
          {columns.map(({ id, name, align, allowsSorting, width, isNameHidden }) => (
            <Column
              key={id}
              id={id}
              isRowHeader={id === headerId}
              allowsSorting={allowsSorting ?? false}
              data-align={align}
              style={width ? { width } : {}}
            >
              {({ sortDirection }) => (
                <>
                  {isNameHidden ? <span className="visually-hidden">{name}</span> : name}
                  {sortDirection ? (
                    <span className="table-sort" aria-hidden="true">
                      {sortDirection === 'ascending' ? '↑' : '↓'}
                    </span>
                  ) : null}
                </>
              )}
            </Column>
          ))}
        </TableHeader>
        <TableBody renderEmptyState={() => <div className="table-empty">{empty}</div>}>
          {rows.map((row) => (
            <Row
              key={row.id}
              id={row.id}
              {...(href ? { href: href(row) } : {})}
              data-has-action={onRowAction ? '' : undefined}
              data-muted={isMuted?.(row) ? '' : undefined}
            >
              {columns.map(({ id, name, align, isNameHidden, cell }) => (
                <Cell
                  key={id}
                  data-align={align}
                  data-name={typeof name === 'string' && !isNameHidden ? name : undefined}
                  data-header={id === headerId ? '' : undefined}
                >
                  <div className="table-value">{cell(row)}</div>
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </Table>
    </div>
  )
}
