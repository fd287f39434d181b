import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contact } from '@server/contacts/schema.ts'
import { columnOf } from './columns.ts'
import { PASTED_ROWS_MAX, type PasteTarget, pasteOf } from './paste.ts'
import { parsedValue } from './values.ts'

const contacts = ['a', 'b', 'c'].map((id) => ({ id, company: 'Old', deal_value: 1, phone: null }) as unknown as Contact)

const target = (row: number, column: number): PasteTarget => ({
  at: { row, column },
  columns: [columnOf('full_name'), columnOf('company'), columnOf('deal_value'), columnOf('created_at')],
  contactAt: (at) => contacts[at],
  check: parsedValue,
})

test('cells go down and to the right from the active one, and only what differs is changed', () => {
  const paste = pasteOf(
    [
      ['New', '2'],
      ['Old', '3'],
    ],
    target(0, 2),
  )
  assert.deepEqual(
    paste.changes.map(({ contact, patch }) => [contact.id, patch]),
    [
      ['a', { company: 'New', deal_value: 2 }],
      ['b', { deal_value: 3 }],
    ],
  )
  assert.deepEqual([paste.cells, paste.faults, paste.isCut], [3, [], false])
})

test('a value that is none is named and left out', () => {
  const paste = pasteOf([['New', 'ten']], target(1, 2))
  assert.deepEqual(paste.changes[0]?.patch, { company: 'New' })
  assert.deepEqual(
    paste.faults.map(({ row, title, text }) => [row, title, text]),
    [[1, 'Value', 'ten']],
  )
})

test('what has no place in the grid is cut off and said', () => {
  assert.equal(pasteOf([['1', '2']], target(0, 3)).isCut, true, 'a column that the server sets')
  assert.equal(pasteOf([['1'], ['2']], target(2, 3)).isCut, true, 'below the last row')
  assert.equal(pasteOf(Array(PASTED_ROWS_MAX + 1).fill(['Old']), target(0, 2)).isCut, true)
})
