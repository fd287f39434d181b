import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editorKeyDown, type GridShape, type Key, keyDown, type Position, stepFrom, within } from './keys.ts'

/** Check box, name, company, value, created. */
const shape: GridShape = { rows: 1000, columns: 5, pageRows: 14, isEditable: (column) => column > 0 && column < 4 }

const at = (row: number, column: number, anchor: number | null = null): Position => ({
  active: { row, column },
  anchor,
})

function press(position: Position, ...keys: string[]) {
  let outcome: ReturnType<typeof keyDown> = { position }
  for (const written of keys) {
    outcome = keyDown(outcome!.position, keyOf(written), shape)
    if (!outcome) return undefined
  }
  return outcome
}

function keyOf(written: string): Key {
  const parts = written === ' ' ? [' '] : written.split('+')
  return {
    key: parts.at(-1)!,
    shift: parts.length > 1 && parts.includes('Shift'),
    ctrl: parts.includes('Ctrl'),
    alt: parts.includes('Alt'),
  }
}

const cellAfter = (position: Position, ...keys: string[]) => press(position, ...keys)?.position.active

test('arrows move by one and stop at the edges; up from the first row is the header', () => {
  assert.deepEqual(cellAfter(at(5, 2), 'ArrowDown', 'ArrowRight'), { row: 6, column: 3 })
  assert.deepEqual(cellAfter(at(0, 0), 'ArrowLeft', 'ArrowUp', 'ArrowUp'), { row: -1, column: 0 })
  assert.deepEqual(cellAfter(at(-1, 3), 'ArrowDown'), { row: 0, column: 3 })
  assert.deepEqual(cellAfter(at(999, 4), 'ArrowDown', 'ArrowRight'), { row: 999, column: 4 })
})

test('Page Up and Down pass a view of rows, Home and End a row, with Ctrl the list', () => {
  assert.deepEqual(cellAfter(at(5, 2), 'PageDown'), { row: 19, column: 2 })
  assert.deepEqual(cellAfter(at(5, 2), 'PageUp'), { row: 0, column: 2 })
  assert.deepEqual(cellAfter(at(-1, 2), 'PageDown'), { row: 14, column: 2 })
  assert.deepEqual(cellAfter(at(990, 2), 'PageDown'), { row: 999, column: 2 })
  assert.deepEqual(cellAfter(at(5, 2), 'Home'), { row: 5, column: 0 })
  assert.deepEqual(cellAfter(at(5, 2), 'End'), { row: 5, column: 4 })
  assert.deepEqual(cellAfter(at(5, 2), 'Ctrl+Home'), { row: 0, column: 1 })
  assert.deepEqual(cellAfter(at(5, 2), 'Ctrl+End'), { row: 999, column: 4 })
})

test('Enter opens from the name, edits elsewhere, and does nothing where nothing can be edited', () => {
  assert.deepEqual(press(at(5, 1), 'Enter')?.effect, { does: 'open', row: 5, inNewTab: false })
  assert.deepEqual(press(at(5, 1), 'Ctrl+Enter')?.effect, { does: 'open', row: 5, inNewTab: true })
  assert.deepEqual(press(at(5, 2), 'Enter')?.effect, { does: 'edit', cell: { row: 5, column: 2 } })
  assert.equal(press(at(5, 4), 'Enter'), undefined)
  assert.deepEqual(press(at(5, 1), 'F2')?.effect, { does: 'edit', cell: { row: 5, column: 1 } })
  assert.equal(press(at(5, 0), 'F2'), undefined)
  assert.deepEqual(press(at(-1, 2), 'Enter')?.effect, { does: 'menu', column: 2 })
})

test('typing replaces where text is edited; elsewhere letters stay free for the shortcuts of the page', () => {
  assert.deepEqual(press(at(5, 2), 'X')?.effect, { does: 'edit', cell: { row: 5, column: 2 }, text: 'X' })
  assert.deepEqual(press(at(5, 3), '7')?.effect, { does: 'edit', cell: { row: 5, column: 3 }, text: '7' })
  assert.equal(press(at(5, 1), 'c'), undefined)
  assert.equal(press(at(5, 4), '/'), undefined)
  assert.equal(press(at(5, 2), 'Alt+c'), undefined)
  assert.equal(press(at(5, 2), 'Ctrl+c'), undefined)
  assert.equal(press(at(5, 2), 'Shift'), undefined, 'a key that types nothing')
  assert.deepEqual(press(at(5, 2), 'Delete')?.effect, { does: 'clear', cell: { row: 5, column: 2 } })
  assert.equal(press(at(5, 1), 'Delete'), undefined, 'a name is not cleared by one key')
})

test('Space selects everywhere, x where it types nothing', () => {
  for (const column of [0, 1, 2, 3, 4]) {
    assert.deepEqual(press(at(5, column), ' ')?.effect, { does: 'toggle', row: 5 }, `column ${column}`)
  }
  for (const column of [0, 1, 4]) {
    assert.deepEqual(press(at(5, column), 'x')?.effect, { does: 'toggle', row: 5 }, `column ${column}`)
  }
  assert.deepEqual(press(at(-1, 0), ' ')?.effect, { does: 'toggle all' })
})

test('Shift and an arrow select from where one began, and give up what is left behind', () => {
  const down = press(at(5, 1), 'Shift+ArrowDown', 'Shift+ArrowDown')
  assert.deepEqual(down, {
    position: { active: { row: 7, column: 1 }, anchor: 5 },
    effect: { does: 'select range', from: 5, to: 7, before: 6 },
  })
  assert.deepEqual(press(down!.position, 'Shift+ArrowUp')?.effect, { does: 'select range', from: 5, to: 6, before: 7 })
  assert.equal(press(down!.position, 'ArrowDown')?.position.anchor, null)
  assert.deepEqual(cellAfter(at(0, 1), 'Shift+ArrowUp'), { row: 0, column: 1 }, 'not into the header')
  assert.deepEqual(cellAfter(at(5, 1), 'Shift+ArrowRight'), { row: 5, column: 2 }, 'columns are not selected')
})

test('Ctrl+A selects all that match, Escape nothing', () => {
  assert.deepEqual(press(at(5, 2), 'Ctrl+a')?.effect, { does: 'select all' })
  assert.deepEqual(press(at(5, 2), 'Escape')?.effect, { does: 'select nothing' })
  assert.equal(press(at(5, 2), 'Tab'), undefined, 'Tab leaves the grid')
})

test('Enter saves and goes down, Tab saves and goes right, Escape restores', () => {
  assert.deepEqual(editorKeyDown(keyOf('Enter')), { saves: true, moves: 'down' })
  assert.deepEqual(editorKeyDown(keyOf('Shift+Enter')), { saves: true, moves: 'up' })
  assert.deepEqual(editorKeyDown(keyOf('Tab')), { saves: true, moves: 'right' })
  assert.deepEqual(editorKeyDown(keyOf('Shift+Tab')), { saves: true, moves: 'left' })
  assert.deepEqual(editorKeyDown(keyOf('Escape')), { saves: false, moves: 'stay' })
  assert.equal(editorKeyDown(keyOf('ArrowLeft')), undefined, 'the caret')
})

test('a step from an editor stays among the rows and columns', () => {
  assert.deepEqual(stepFrom({ row: 0, column: 4 }, 'right', shape), { row: 0, column: 4 })
  assert.deepEqual(stepFrom({ row: 999, column: 2 }, 'down', shape), { row: 999, column: 2 })
  assert.deepEqual(stepFrom({ row: 0, column: 1 }, 'left', shape), { row: 0, column: 1 })
  assert.deepEqual(within({ row: 50, column: 9 }, { ...shape, rows: 10 }), { row: 9, column: 4 })
  assert.deepEqual(within({ row: 50, column: 2 }, { ...shape, rows: 0 }), { row: -1, column: 2 })
})
