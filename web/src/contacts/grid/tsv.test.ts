import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cellsOf, tsvOf } from './tsv.ts'

test('cells stand between tabs, rows between line breaks', () => {
  assert.equal(
    tsvOf([
      ['Ada', 'Acme'],
      ['Grace', ''],
    ]),
    'Ada\tAcme\r\nGrace\t',
  )
  assert.deepEqual(cellsOf('Ada\tAcme\nGrace\t\n'), [
    ['Ada', 'Acme'],
    ['Grace', ''],
  ])
  assert.deepEqual(cellsOf('Ada'), [['Ada']])
  assert.deepEqual(cellsOf(''), [])
})

test('an empty row in the middle stays, so that rows below keep their place', () => {
  assert.deepEqual(cellsOf('a\n\nb'), [['a'], [''], ['b']])
})

test('a quote inside a text is only a quote', () => {
  assert.deepEqual(cellsOf('6" pipe\t"open'), [['6" pipe', '"open']])
})

test('what is copied is pasted as it was', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\t', '\n', '\r', 'é', '=') })
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }))
  fc.assert(
    fc.property(rows, (given) => {
      // One empty cell in a last row is the same text as a line break at the end.
      fc.pre(given.at(-1)!.length > 1 || given.at(-1)![0] !== '')
      assert.deepEqual(cellsOf(tsvOf(given)), given)
    }),
  )
})
