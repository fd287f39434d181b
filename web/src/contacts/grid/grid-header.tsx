import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowsHorizontal,
  IconArrowUp,
  IconEyeOff,
} from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { Popover, Menu as RacMenu } from 'react-aria-components'
import { announce } from '../../app/announce.ts'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import {
  type Column,
  type ColumnId,
  FIXED,
  type Layout,
  movedBy,
  movedTo,
  resized,
  type Sort,
  WIDTH_PX_MAX,
  WIDTH_PX_MIN,
  widthOf,
  withHidden,
} from './columns.ts'
import { cellClass } from './grid-row.tsx'
import { HEADER_ROW, SELECT_COLUMN } from './keys.ts'

export interface GridHeaderProps {
  columns: readonly Column[]
  layout: Layout
  onLayout: (layout: Layout) => void
  sort: Sort
  onSort: (sort: Sort) => void
  /** All, none, or some of the contacts that match. */
  selected: boolean | 'some'
  activeColumn: number | undefined
  /** The column, counted with the check boxes, whose menu is open. */
  menu: number | undefined
  onMenu: (column: number | undefined) => void
}

const RESIZE_PX = 16
const DRAG_PX_MIN = 6

/** The titles: press for the menu, drag to another place, drag the edge for the width. The menu does all of it too. */
export function GridHeader(props: GridHeaderProps) {
  const { columns, layout, onLayout, sort, onSort, selected, activeColumn, menu, onMenu } = props
  const head = useRef<HTMLDivElement>(null)
  const [dropAt, setDropAt] = useState<ColumnId>()
  const cellOf = (column: number) => head.current?.querySelector<HTMLElement>(`[data-column="${column}"]`) ?? null
  const drag = useColumnDrag({ columns, head, layout, onLayout, onMenu, setDropAt })
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus.
    <div role="row" className="grid-head" aria-rowindex={1} data-row={HEADER_ROW} ref={head}>
      <div
        role="columnheader"
        className="grid-cell grid-select"
        aria-colindex={1}
        data-column={SELECT_COLUMN}
        tabIndex={activeColumn === SELECT_COLUMN ? 0 : -1}
      >
        <input
          type="checkbox"
          className="grid-check"
          tabIndex={-1}
          readOnly
          checked={selected === true}
          ref={(box) => {
            if (box) box.indeterminate = selected === 'some'
          }}
          aria-label="Select all contacts that match"
        />
      </div>
      {columns.map((column, at) => {
        const order = column.sort && orderOf(sort, column.sort)
        return (
          <div
            key={column.id}
            role="columnheader"
            className={cellClass(column, at)}
            aria-colindex={at + 2}
            aria-sort={order}
            aria-haspopup="menu"
            aria-expanded={menu === at + 1}
            data-column={at + 1}
            data-drop={dropAt === column.id ? '' : undefined}
            tabIndex={activeColumn === at + 1 ? 0 : -1}
            onPointerDown={(event) => drag(event, column.id, at + 1)}
          >
            <span className="grid-title">{column.title}</span>
            {order === 'ascending' ? <IconArrowUp aria-hidden="true" /> : null}
            {order === 'descending' ? <IconArrowDown aria-hidden="true" /> : null}
            <Edge column={column} layout={layout} onLayout={onLayout} onDone={() => cellOf(at + 1)?.focus()} />
          </div>
        )
      })}
      {menu !== undefined && columns[menu - 1] ? (
        <ColumnMenu
          column={columns[menu - 1]!}
          {...{ layout, onLayout, sort, onSort }}
          cell={cellOf(menu)}
          onClose={() => onMenu(undefined)}
        />
      ) : null}
    </div>
  )
}

function ColumnMenu({
  column,
  layout,
  onLayout,
  sort,
  onSort,
  cell,
  onClose,
}: Pick<GridHeaderProps, 'layout' | 'onLayout' | 'sort' | 'onSort'> & {
  column: Column
  cell: HTMLElement | null
  onClose: () => void
}) {
  const trigger = useRef(cell)
  trigger.current = cell
  const { id, title } = column
  const step = (by: 1 | -1) => {
    onLayout(movedBy(layout, id, by))
    announce(`${title} moved ${by === 1 ? 'right' : 'left'}.`)
  }
  return (
    <Popover
      className="popover"
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      placement="bottom start"
      offset={2}
    >
      <RacMenu className="list" aria-label={title} autoFocus="first" onClose={onClose}>
        {column.sort ? (
          <>
            <MenuItem icon={<IconArrowUp />} onAction={() => onSort(column.sort!)}>
              Sort ascending
            </MenuItem>
            <MenuItem icon={<IconArrowDown />} onAction={() => onSort(`-${column.sort!}`)}>
              Sort descending
            </MenuItem>
            {orderOf(sort, column.sort) === 'none' || sort === '-created' ? null : (
              <MenuItem onAction={() => onSort('-created')}>Do not sort</MenuItem>
            )}
            <MenuSeparator />
          </>
        ) : null}
        <MenuItem icon={<IconArrowLeft />} isDisabled={movedBy(layout, id, -1) === layout} onAction={() => step(-1)}>
          Move left
        </MenuItem>
        <MenuItem icon={<IconArrowRight />} isDisabled={movedBy(layout, id, 1) === layout} onAction={() => step(1)}>
          Move right
        </MenuItem>
        <MenuItem
          icon={<IconArrowsHorizontal />}
          // After the menu has given the focus back.
          onAction={() => setTimeout(() => cell?.querySelector<HTMLElement>('[role="separator"]')?.focus(), 60)}
        >
          Change width
        </MenuItem>
        <MenuItem
          icon={<IconEyeOff />}
          isDisabled={id === FIXED}
          onAction={() => {
            onLayout(withHidden(layout, id, true))
            announce(`${title} hidden. Columns brings it back.`)
          }}
        >
          Hide
        </MenuItem>
      </RacMenu>
    </Popover>
  )
}

/** The edge of a column: dragged, or moved by ← and → when it has the focus. */
function Edge({
  column,
  layout,
  onLayout,
  onDone,
}: {
  column: Column
  layout: Layout
  onLayout: (layout: Layout) => void
  onDone: () => void
}) {
  const widthPx = widthOf(layout, column.id)
  const drag = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const edge = event.currentTarget
    const startX = event.clientX
    edge.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) =>
      onLayout(resized(layout, column.id, widthPx + clientX - startX))
    edge.addEventListener('pointermove', move)
    edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true })
  }
  const keyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -RESIZE_PX, ArrowRight: RESIZE_PX }
    const step = steps[event.key]
    const ends = ['Enter', 'Escape', ' '].includes(event.key)
    if (step === undefined && !ends) return
    event.preventDefault()
    event.stopPropagation()
    if (step === undefined) onDone()
    else onLayout(resized(layout, column.id, widthPx + step))
  }
  return (
    <span
      role="separator"
      className="grid-edge"
      aria-orientation="vertical"
      aria-label={`Width of ${column.title}`}
      aria-valuenow={widthPx}
      aria-valuemin={WIDTH_PX_MIN}
      aria-valuemax={WIDTH_PX_MAX}
      tabIndex={-1}
      onPointerDown={drag}
      onKeyDown={keyDown}
      onClick={(event) => event.stopPropagation()}
    />
  )
}

/** A press opens the menu; a press that moves carries the column to where it is let go. */
function useColumnDrag({
  columns,
  head,
  layout,
  onLayout,
  onMenu,
  setDropAt,
}: {
  columns: readonly Column[]
  head: RefObject<HTMLDivElement | null>
  setDropAt: (id: ColumnId | undefined) => void
} & Pick<GridHeaderProps, 'layout' | 'onLayout' | 'onMenu'>) {
  return (event: PointerEvent<HTMLElement>, id: ColumnId, column: number) => {
    if (event.button !== 0) return
    const cell = event.currentTarget
    const startX = event.clientX
    let place: ColumnId | undefined
    let isDragging = false
    const end = new AbortController()
    const move = ({ clientX }: globalThis.PointerEvent) => {
      isDragging ||= Math.abs(clientX - startX) >= DRAG_PX_MIN
      if (!isDragging || id === FIXED) return
      place = columns.find((_, at) => {
        const box = head.current?.querySelector(`[data-column="${at + 1}"]`)?.getBoundingClientRect()
        return box && clientX >= box.left && clientX < box.right
      })?.id
      if (place === FIXED) place = undefined
      setDropAt(place === id ? undefined : place)
    }
    const stop = () => {
      end.abort()
      setDropAt(undefined)
    }
    const drop = () => {
      stop()
      if (!isDragging) onMenu(column)
      else if (place) onLayout(movedTo(layout, id, place))
    }
    cell.setPointerCapture(event.pointerId)
    cell.addEventListener('pointermove', move, { signal: end.signal })
    cell.addEventListener('pointerup', drop, { signal: end.signal })
    cell.addEventListener('pointercancel', stop, { signal: end.signal })
  }
}

function orderOf(sort: Sort, key: string): 'ascending' | 'descending' | 'none' {
  if (sort === key) return 'ascending'
  return sort === `-${key}` ? 'descending' : 'none'
}
