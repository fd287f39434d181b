/** What a key does in the grid, as a function of where one is. The component carries out the effects. */

/** Row -1 is the header; column 0 holds the check boxes, the columns that are shown follow. */
export interface Cell {
  row: number
  column: number
}

export const HEADER_ROW = -1
export const SELECT_COLUMN = 0
/** The column of the name, whose cells are links. */
export const NAME_COLUMN = 1

export interface GridShape {
  rows: number
  /** With the column of the check boxes. */
  columns: number
  /** Rows that Page Up and Page Down pass. */
  pageRows: number
  isEditable: (column: number) => boolean
}

export interface Position {
  active: Cell
  /** Where a range began that Shift extends. */
  anchor: number | null
}

export interface Key {
  key: string
  shift: boolean
  /** Ctrl, or ⌘ on a Mac. */
  ctrl: boolean
  alt: boolean
}

export type Effect =
  | { does: 'open'; row: number; inNewTab: boolean }
  /** `text` replaces what is there; without it the editor opens with it. */
  | { does: 'edit'; cell: Cell; text?: string }
  | { does: 'clear'; cell: Cell }
  | { does: 'menu'; column: number }
  | { does: 'toggle'; row: number }
  | { does: 'toggle all' }
  | { does: 'select range'; from: number; to: number; before: number }
  | { does: 'select all' }
  | { does: 'select nothing' }

export interface Outcome {
  position: Position
  effect?: Effect
}

/** @returns what the key does, or undefined when it is none of the grid's */
export function keyDown(position: Position, key: Key, shape: GridShape): Outcome | undefined {
  if (key.alt) return undefined
  const { active } = position
  const target = moveTarget(active, key, shape)
  if (target) return key.shift && target.row !== active.row ? extended(position, target) : movedTo(target)
  if (key.ctrl) return withControl(position, key, shape)
  return active.row === HEADER_ROW ? inHeader(position, key) : inRows(position, key, shape)
}

/** What ends an editor, and where it leads; undefined while the key is the editor's own. */
export function editorKeyDown({ key, shift, ctrl, alt }: Key): { saves: boolean; moves: Step } | undefined {
  if (alt) return undefined
  if (key === 'Escape') return { saves: false, moves: 'stay' }
  if (key === 'Enter') return { saves: true, moves: ctrl ? 'stay' : shift ? 'up' : 'down' }
  if (key === 'Tab' && !ctrl) return { saves: true, moves: shift ? 'left' : 'right' }
  return undefined
}

export type Step = 'stay' | 'up' | 'down' | 'left' | 'right'

/** The next cell; at the edge of the rows it is the same one. */
export function stepFrom({ row, column }: Cell, step: Step, shape: GridShape): Cell {
  const steps = { stay: [0, 0], up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] } as const
  const [down, right] = steps[step]
  return {
    row: between(0, row + down, shape.rows - 1),
    column: between(NAME_COLUMN, column + right, shape.columns - 1),
  }
}

/** Inside a list that may have become shorter, with columns that may have been hidden. */
export function within({ row, column }: Cell, { rows, columns }: GridShape): Cell {
  return { row: between(HEADER_ROW, row, rows - 1), column: between(SELECT_COLUMN, column, columns - 1) }
}

function moveTarget({ row, column }: Cell, { key, ctrl, shift }: Key, shape: GridShape): Cell | undefined {
  const lastRow = shape.rows - 1
  const lastColumn = shape.columns - 1
  // Shift selects rows: it does not lead into the header.
  const firstRow = shift ? Math.min(row, 0) : HEADER_ROW
  switch (key) {
    case 'ArrowUp':
      return { row: ctrl ? 0 : Math.max(row - 1, firstRow), column }
    case 'ArrowDown':
      return { row: ctrl ? lastRow : Math.min(row + 1, lastRow), column }
    case 'ArrowLeft':
      return { row, column: ctrl ? SELECT_COLUMN : Math.max(column - 1, SELECT_COLUMN) }
    case 'ArrowRight':
      return { row, column: ctrl ? lastColumn : Math.min(column + 1, lastColumn) }
    case 'PageUp':
      return { row: row <= 0 ? row : Math.max(row - shape.pageRows, 0), column }
    case 'PageDown':
      return { row: Math.min(Math.max(row, 0) + shape.pageRows, lastRow), column }
    case 'Home':
      return ctrl ? { row: Math.min(0, lastRow), column: NAME_COLUMN } : { row, column: SELECT_COLUMN }
    case 'End':
      return ctrl ? { row: lastRow, column: lastColumn } : { row, column: lastColumn }
    default:
      return undefined
  }
}

function movedTo(target: Cell): Outcome {
  return { position: { active: target, anchor: null } }
}

function extended({ active, anchor }: Position, target: Cell): Outcome {
  if (active.row === HEADER_ROW) return movedTo(target)
  const from = anchor ?? active.row
  return {
    position: { active: target, anchor: from },
    effect: { does: 'select range', from, to: target.row, before: active.row },
  }
}

function withControl(position: Position, { key, shift }: Key, shape: GridShape): Outcome | undefined {
  const { active } = position
  if (key.toLowerCase() === 'a' && !shift) return { position, effect: { does: 'select all' } }
  const isName = active.row >= 0 && active.column === NAME_COLUMN
  if (key === 'Enter' && isName && shape.rows > 0) {
    return { position, effect: { does: 'open', row: active.row, inNewTab: true } }
  }
  return undefined
}

function inHeader(position: Position, { key }: Key): Outcome | undefined {
  const { column } = position.active
  if (key === 'Escape') return { position, effect: { does: 'select nothing' } }
  if (column === SELECT_COLUMN) {
    return key === ' ' || key === 'Enter' ? { position, effect: { does: 'toggle all' } } : undefined
  }
  return key === ' ' || key === 'Enter' ? { position, effect: { does: 'menu', column } } : undefined
}

/**
 * Where text can be typed, any letter begins it, `x` too: a name that begins with X must not select. Elsewhere (check
 * box, name, times) letters stay free for `x` and for the shortcuts of the page.
 */
function inRows(position: Position, { key, shift }: Key, shape: GridShape): Outcome | undefined {
  const { active } = position
  const { row, column } = active
  const isTyped = column !== NAME_COLUMN && shape.isEditable(column)
  const toggles: Outcome = { position: { active, anchor: row }, effect: { does: 'toggle', row } }
  if (key === ' ') return toggles
  if (key === 'Escape') return { position: { active, anchor: null }, effect: { does: 'select nothing' } }
  if (key === 'F2') return shape.isEditable(column) ? { position, effect: { does: 'edit', cell: active } } : undefined
  if (key === 'Enter') {
    if (column === SELECT_COLUMN) return toggles
    if (column === NAME_COLUMN) return { position, effect: { does: 'open', row, inNewTab: shift } }
    return shape.isEditable(column) ? { position, effect: { does: 'edit', cell: active } } : undefined
  }
  if (isTyped && (key === 'Delete' || key === 'Backspace')) return { position, effect: { does: 'clear', cell: active } }
  if (isTyped && isText(key)) return { position, effect: { does: 'edit', cell: active, text: key } }
  return key.toLowerCase() === 'x' ? toggles : undefined
}

/** Keys that type something have one character as their name. */
function isText(key: string): boolean {
  return [...key].length === 1
}

function between(low: number, value: number, high: number): number {
  return Math.max(Math.min(value, high), low)
}
