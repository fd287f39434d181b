import './contacts-grid.css'
import type { Contact } from '@server/contacts/schema.ts'
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { announce } from '../../app/announce.ts'
import { counted, count as countText, exactTime } from '../../ui/format.ts'
import { toast } from '../../ui/toast.ts'
import { type CellLook, nameOf } from './cell.tsx'
import { CellEditor } from './cell-editor.tsx'
import { type Layout, type Sort, shownColumns, widthOf } from './columns.ts'
import type { Edits, Patch, Refusal } from './edits.ts'
import { checkedValue } from './field-check.ts'
import { GridHeader } from './grid-header.tsx'
import { GridRow } from './grid-row.tsx'
import {
  type Cell,
  type Effect,
  type GridShape,
  HEADER_ROW,
  type Key,
  keyDown,
  NAME_COLUMN,
  type Position,
  SELECT_COLUMN,
  type Step,
  stepFrom,
  within,
} from './keys.ts'
import { type Paste, pasteOf } from './paste.ts'
import {
  EVERYTHING,
  isNothing,
  isSelected,
  NOTHING,
  type Selection,
  selectedAs,
  selectedCount,
  toggled,
} from './selection.ts'
import { cellsOf, tsvOf } from './tsv.ts'
import type { RowWindow } from './use-row-window.ts'
import type { Rows } from './use-rows.ts'
import { textOf } from './values.ts'

export interface ContactsGridProps {
  rows: Rows
  /** Of the rows of this grid, over `element`, which `onElement` is told. */
  view: RowWindow
  element: HTMLDivElement | null
  onElement: (element: HTMLDivElement | null) => void
  edits: Edits
  layout: Layout
  onLayout: (layout: Layout) => void
  sort: Sort
  onSort: (sort: Sort) => void
  selection: Selection
  onSelection: (selection: Selection) => void
  /** Ids of the contacts in these rows, asked for where need be. */
  idsBetween: (from: number, to: number) => Promise<string[]>
  onOpen: (contact: Contact, row: number, inNewTab: boolean) => void
  /** It may be opened next: its page and record can be fetched. */
  onPreview: (contact: Contact) => void
  onSave: (contact: Contact, patch: Patch) => void
  onPaste: (paste: Paste) => void
  look: CellLook
  stages: readonly string[]
  labels: readonly string[]
  /** The row that has the Tab stop at first. */
  startRow: number
  isReadOnly: boolean
}

/** The cell that is being edited, with the contact as it was when the editor was opened. */
interface Open {
  contact: Contact
  column: number
  text: string
  isTyped: boolean
}

const PREVIEW_MS = 60
const LOW_ROWS = 2

/** The contacts as a grid of cells. Its keys are in keys.ts; rows come from `rows`, and are drawn where `view` says. */
export function ContactsGrid(props: ContactsGridProps) {
  const { rows, view, element, edits, layout, onLayout, selection, onSelection, look, isReadOnly } = props
  const columns = useMemo(() => shownColumns(layout), [layout])
  const [position, setPosition] = useState<Position>({
    active: { row: props.startRow, column: NAME_COLUMN },
    anchor: null,
  })
  const [open, setOpen] = useState<Open>()
  const [menu, setMenu] = useState<number>()
  const wantsFocus = useRef(false)
  const shape: GridShape = {
    rows: rows.shown,
    columns: columns.length + 1,
    pageRows: view.pageRows,
    isEditable: (column) => !isReadOnly && column > 0 && columns[column - 1]?.editor !== 'none',
  }
  const row = useFollowedRow({
    rows,
    row: position.active.row,
    open,
    onMoved: (row) => setPosition({ active: { ...position.active, row }, anchor: null }),
  })
  const active = within({ ...position.active, row }, shape)

  // Another list begins at its top.
  const list = useRef(rows.list)
  useEffect(() => {
    if (list.current === rows.list) return
    list.current = rows.list
    setPosition({ active: { row: 0, column: NAME_COLUMN }, anchor: null })
  }, [rows.list])

  const goTo = useCallback(
    (next: Position) => {
      wantsFocus.current = true
      setPosition(next)
      if (next.active.row >= 0) view.show(next.active.row)
    },
    [view.show],
  )

  // The focus is where the active cell is, whether it has just been drawn or its row has come to another place.
  useLayoutEffect(() => {
    if (!wantsFocus.current || open) return
    wantsFocus.current = false
    const cell = cellElement(element, active)
    cell?.focus({ preventScroll: true })
    if (cell && element) showColumn(element, cell)
  })

  const edit = (cell: Cell, text?: string) => {
    const contact = rows.at(cell.row)
    if (!contact || !shape.isEditable(cell.column)) return
    edits.forgetRefusal(contact.id, columns[cell.column - 1]!.id)
    setPosition({ active: cell, anchor: null })
    view.show(cell.row)
    const before = textOf(contact, columns[cell.column - 1]!.id)
    setOpen({ contact, column: cell.column, text: text ?? before, isTyped: text !== undefined })
    const shown = cellElement(element, cell)
    if (shown && element) showColumn(element, shown)
  }
  const close = (moves: Step) => {
    setOpen(undefined)
    goTo({ active: moves === 'stay' ? active : stepFrom(active, moves, shape), anchor: null })
  }
  const select = async (from: number, to: number, isOn: boolean, base: Selection) => {
    const ids = idsAt(rows, from, to) ?? (await props.idsBetween(from, to))
    onSelection(selectedAs(base, ids, isOn))
  }
  const toggleRow = (row: number) => {
    const contact = rows.at(row)
    if (!contact) return
    const next = toggled(selection, contact.id)
    onSelection(next)
    const number = selectedCount(next, rows.count)
    announce(
      `${nameOf(contact)} ${isSelected(next, contact.id) ? 'selected' : 'not selected'}${number ? `, ${countText(number)} in all` : ''}.`,
    )
  }

  const run = (effect: Effect) => {
    switch (effect.does) {
      case 'open': {
        const contact = rows.at(effect.row)
        if (contact) props.onOpen(contact, effect.row, effect.inNewTab)
        return
      }
      case 'edit':
        return edit(effect.cell, effect.text)
      case 'clear': {
        const contact = rows.at(effect.cell.row)
        const column = columns[effect.cell.column - 1]!
        const value = column.editor === 'tags' ? [] : null
        if (contact && textOf(contact, column.id) !== '') props.onSave(contact, { [column.id]: value })
        return
      }
      case 'menu':
        return setMenu(effect.column)
      case 'toggle':
        return toggleRow(effect.row)
      case 'toggle all':
        return onSelection(isNothing(selection, rows.count) ? EVERYTHING : NOTHING)
      case 'select range': {
        // What the range no longer covers is given up; its ids are there, for one has just passed them.
        const left = idsAt(rows, effect.from, effect.before) ?? []
        void select(effect.from, effect.to, true, selectedAs(selection, left, false))
        return
      }
      case 'select all':
        onSelection(EVERYTHING)
        return announce(`All ${rows.count === null ? '' : countText(rows.count)} that match selected.`)
      case 'select nothing':
        return onSelection(NOTHING)
    }
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (open || menu !== undefined || event.defaultPrevented) return
    const outcome = keyDown({ active, anchor: position.anchor }, keyOf(event), shape)
    if (!outcome) return
    if (outcome.effect?.does === 'select nothing' && isNothing(selection, rows.count)) return
    event.preventDefault()
    event.stopPropagation()
    const hasMoved = outcome.position.active !== active
    if (hasMoved) goTo(outcome.position)
    else setPosition(outcome.position)
    if (outcome.effect) run(outcome.effect)
  }

  const onMouseDown = (event: MouseEvent<HTMLDivElement>) => {
    const place = cellOf(event.target)
    if (!place || event.button !== 0 || isOwnPart(event.target)) return
    if (event.ctrlKey || event.metaKey) return
    // The cell takes the focus, not the link or the check box in it.
    event.preventDefault()
    if (open) (document.activeElement as HTMLElement | null)?.blur()
  }
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const place = cellOf(event.target)
    if (!place || event.defaultPrevented || isOwnPart(event.target)) return
    // Only now: an active row is drawn anew, and a press that ends on other elements than it began on is no click.
    const isRange = event.shiftKey && place.row >= 0 && active.row >= 0
    const anchor = isRange ? (position.anchor ?? active.row) : place.row
    wantsFocus.current = true
    setPosition({ active: place, anchor })
    if (place.row === HEADER_ROW) {
      if (place.column === SELECT_COLUMN) run({ does: 'toggle all' })
      return
    }
    if (isRange && anchor !== place.row) {
      event.preventDefault()
      void select(anchor, place.row, true, selection)
    } else if (place.column === SELECT_COLUMN) {
      toggleRow(place.row)
    } else if (
      (event.target as Element).closest('[data-open]') &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.shiftKey
    ) {
      event.preventDefault()
      run({ does: 'open', row: place.row, inNewTab: false })
    }
  }
  const onDoubleClick = (event: MouseEvent<HTMLDivElement>) => {
    const place = cellOf(event.target)
    if (place && place.row >= 0 && !open && !(event.target as Element).closest('[data-open]')) edit(place)
  }

  const onCopy = (event: ClipboardEvent<HTMLDivElement>) => {
    if (open) return
    const contacts = copiedRows(rows, selection, active)
    if (contacts === undefined) {
      event.preventDefault()
      return void toast({ text: 'Not all of the selected rows are loaded. Export them instead of copying.' })
    }
    const cells = isNothing(selection, rows.count)
      ? contacts.map((contact) => (active.column > 0 ? [textOf(contact, columns[active.column - 1]!.id)] : []))
      : contacts.map((contact) => columns.map(({ id }) => textOf(contact, id)))
    if (cells.length === 0) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', tsvOf(cells))
    announce(`${counted(cells.length * cells[0]!.length, 'cell')} copied.`)
  }
  const onPaste = (event: ClipboardEvent<HTMLDivElement>) => {
    if (open || isReadOnly || active.row < 0 || active.column < NAME_COLUMN) return
    event.preventDefault()
    const cells = cellsOf(event.clipboardData.getData('text/plain'))
    if (cells.length === 0) return
    const paste = pasteOf(cells, { at: active, columns, contactAt: rows.at, check: checkedValue })
    const isOne = cells.length === 1 && cells[0]!.length === 1
    if (!isOne) return props.onPaste(paste)
    if (paste.faults[0]) return edit(active, cells[0]![0])
    for (const { contact, patch } of paste.changes) props.onSave(contact, patch)
  }

  const preview = usePreview((row) => {
    const contact = rows.at(row)
    if (contact) props.onPreview(contact)
  })

  const onFocus = (event: FocusEvent<HTMLDivElement>) => {
    preview(event)
    const place = cellOf(event.target)
    if (!place || open || (place.row === active.row && place.column === active.column)) return
    // A screen reader has moved the focus by itself. The row is drawn anew as the active one, so it needs it again.
    wantsFocus.current = !(event.target as Element).matches('[role="separator"]')
    setPosition({ active: place, anchor: null })
  }

  const drawn = rowsToDraw(view, active.row, rows.shown)
  const columnsPx = ['44px', ...columns.map(({ id }) => `${widthOf(layout, id)}px`)].join(' ')
  const number = selectedCount(selection, rows.count)
  return (
    <div
      role="grid"
      className="contacts-grid"
      ref={props.onElement}
      aria-label="Contacts"
      aria-rowcount={rows.count === null ? -1 : rows.count + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-busy={rows.isLoading || rows.isStale}
      aria-readonly={isReadOnly || undefined}
      data-stale={rows.isStale ? '' : undefined}
      style={{ '--grid-columns': columnsPx } as React.CSSProperties}
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onCopy={onCopy}
      onPaste={onPaste}
      onPointerOver={preview}
      onFocus={onFocus}
    >
      <div role="rowgroup" className="grid-top">
        <GridHeader
          columns={columns}
          layout={layout}
          onLayout={onLayout}
          sort={props.sort}
          onSort={props.onSort}
          selected={number === 0 ? false : number !== null && number === rows.count ? true : 'some'}
          activeColumn={active.row === HEADER_ROW ? active.column : undefined}
          menu={menu}
          onMenu={setMenu}
        />
      </div>
      <div role="rowgroup" className="grid-body" style={{ height: view.bodyPx }}>
        {drawn.map((row) => {
          const isActive = row === active.row
          const found = rows.at(row)
          const contact = isActive && open ? open.contact : found
          return (
            <GridRow
              key={isActive ? `active ${contact?.id ?? row}` : row % view.slots}
              row={row}
              top={view.topOf(row)}
              contact={contact}
              columns={columns}
              look={look}
              isSelected={contact !== undefined && isSelected(selection, contact.id)}
              activeColumn={isActive ? active.column : undefined}
              refusals={contact && edits.hasRefusal(contact.id) ? refusalsOf(edits, contact.id, columns) : undefined}
              isLow={row > view.inView.last - LOW_ROWS && view.inView.last > 2 * LOW_ROWS}
              editor={
                isActive && open ? (
                  <CellEditor
                    key={`${open.contact.id} ${open.column}`}
                    label={`${columns[open.column - 1]!.title} of ${nameOf(open.contact)}`}
                    initial={open.text}
                    isTyped={open.isTyped}
                    isNumber={columns[open.column - 1]!.isNumber}
                    choices={choicesOf(columns[open.column - 1]!.id, props)}
                    check={(text) => checkedValue(columns[open.column - 1]!.id, text)}
                    theirs={theirText(open, found, columns[open.column - 1]!.id)}
                    onSave={(value, moves) => {
                      const { id } = columns[open.column - 1]!
                      const current = found?.id === open.contact.id ? found : open.contact
                      if (textOf({ ...current, [id]: value } as Contact, id) !== textOf(current, id)) {
                        props.onSave(current, { [id]: value })
                      }
                      finish(moves)
                    }}
                    onLeave={(refused) => {
                      if (refused) toast({ text: `“${refused.text}” was not saved. ${refused.fault}.`, tone: 'danger' })
                      finish('stay', refused !== undefined)
                    }}
                  />
                ) : undefined
              }
            />
          )
        })}
      </div>
    </div>
  )

  /** @param hasLeft the focus has gone elsewhere, and stays there */
  function finish(moves: Step, hasLeft = !element?.contains(document.activeElement)) {
    if (!hasLeft) return close(moves)
    setOpen(undefined)
  }
}

/**
 * Where the active row's contact has come to when the list has changed: the active cell goes with it, and an open
 * editor too, in the same drawing, or the focus would be lost.
 */
function useFollowedRow({
  rows,
  row,
  open,
  onMoved,
}: {
  rows: Rows
  row: number
  open: Open | undefined
  onMoved: (row: number) => void
}): number {
  const followed = useRef<{ row: number; id: string | undefined; list: Rows['list'] } | undefined>(undefined)
  const before = followed.current
  const id = open?.contact.id ?? before?.id
  const isSamePlace = before?.row === row && before.list === rows.list
  const hasLeft = isSamePlace && id !== undefined && rows.at(row)?.id !== id
  const now = (hasLeft ? rowNear(rows, row, id) : undefined) ?? row
  useLayoutEffect(() => {
    followed.current = { row: now, id: open?.contact.id ?? rows.at(now)?.id, list: rows.list }
    if (now !== row) onMoved(now)
  })
  return now
}

const NEAR_ROWS = 60

function rowNear(rows: Rows, row: number, id: string): number | undefined {
  for (let distance = 1; distance <= NEAR_ROWS; distance++) {
    if (rows.at(row - distance)?.id === id) return row - distance
    if (rows.at(row + distance)?.id === id) return row + distance
  }
  return undefined
}

/** Calls back with a row that the pointer or the focus has rested on. */
function usePreview(onRest: (row: number) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onRest)
  latest.current = onRest
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((event: PointerEvent | FocusEvent) => {
    const target = event.target as Element
    titleOf(target)
    const place = cellOf(target)
    clearTimeout(timer.current)
    if (place && place.row >= 0) timer.current = setTimeout(() => latest.current(place.row), PREVIEW_MS)
  }, [])
}

/** What is cut off, and the exact time, show when one points at them: made then, not for every cell that is drawn. */
function titleOf(target: Element): void {
  const time = target.closest('.grid-cell')?.querySelector('time')
  if (time && !time.title) time.title = exactTime(time.dateTime)
  const text = target.closest<HTMLElement>('.grid-text')
  if (text && !time && text.scrollWidth > text.clientWidth) text.title = text.textContent ?? ''
}

function rowsToDraw({ drawn }: RowWindow, active: number, rows: number): number[] {
  const list = Array.from({ length: Math.max(drawn.last - drawn.first + 1, 0) }, (_, at) => drawn.first + at)
  // The row with the Tab stop is always there, or the focus would be lost by scrolling.
  if (active >= 0 && active < rows && (active < drawn.first || active > drawn.last)) list.push(active)
  return list
}

function idsAt(rows: Rows, from: number, to: number): string[] | undefined {
  const ids: string[] = []
  for (let row = Math.min(from, to); row <= Math.max(from, to); row++) {
    const contact = rows.at(row)
    if (!contact) return undefined
    ids.push(contact.id)
  }
  return ids
}

const COPIED_ROWS_MAX = 5_000

/** In the order of the list; undefined when not all of them are there. */
function copiedRows(rows: Rows, selection: Selection, active: Cell): Contact[] | undefined {
  const number = selectedCount(selection, rows.count)
  if (number === 0) return [rows.at(active.row)].filter((contact) => contact !== undefined)
  if (number === null || number > COPIED_ROWS_MAX) return undefined
  const contacts: Contact[] = []
  for (let row = 0; row < rows.shown && contacts.length < number; row++) {
    const contact = rows.at(row)
    if (contact && isSelected(selection, contact.id)) contacts.push(contact)
  }
  return contacts.length === number ? contacts : undefined
}

function refusalsOf(
  edits: Edits,
  id: string,
  columns: ReturnType<typeof shownColumns>,
): Record<string, Refusal | undefined> {
  return Object.fromEntries(columns.map((column) => [column.id, edits.refusalOf(id, column.id)]))
}

function choicesOf(id: string, { stages, labels }: ContactsGridProps): readonly string[] | undefined {
  return id === 'deal_stage' ? stages : id === 'label' ? labels : undefined
}

/** What the open field holds now, if that is another value than when it was opened. */
function theirText(open: Open, now: Contact | undefined, id: Parameters<typeof textOf>[1]): string | undefined {
  if (now?.id !== open.contact.id) return undefined
  const text = textOf(now, id)
  return text === textOf(open.contact, id) ? undefined : text
}

/** What in a cell handles the pointer by itself. */
function isOwnPart(target: EventTarget): boolean {
  return (target as Element).closest('.grid-editor, .grid-bubble, .grid-edge') !== null
}

function cellOf(target: EventTarget): Cell | undefined {
  const cell = (target as Element).closest<HTMLElement>('[data-column]')
  const row = cell?.closest<HTMLElement>('[data-row]')
  return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : undefined
}

function cellElement(grid: HTMLElement | null, { row, column }: Cell): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-row="${row}"] > [data-column="${column}"]`) ?? null
}

/** The first two columns stay where they are, so a cell must not come to lie under them. */
function showColumn(grid: HTMLElement, cell: HTMLElement): void {
  const fixed = grid.querySelector<HTMLElement>('.grid-head > .grid-fixed')
  if (!fixed || cell.classList.contains('grid-fixed') || cell.classList.contains('grid-select')) return
  const fixedPx = fixed.offsetLeft - grid.scrollLeft + fixed.offsetWidth
  const left = cell.offsetLeft
  const right = left + cell.offsetWidth
  if (left < grid.scrollLeft + fixedPx) grid.scrollLeft = left - fixedPx
  else if (right > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = right - grid.clientWidth
}

function keyOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Key {
  return { key, shift: shiftKey, ctrl: ctrlKey || metaKey, alt: altKey }
}
