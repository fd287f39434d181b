import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moved } from './moved.ts'
import { differs, effectOf, newRow, rowsOf, sentRows } from './named-rows.ts'

const SAVED = [
  { name: 'lead', color: 'grey', probability: null },
  { name: 'won', color: 'green', probability: 100 },
  { name: 'lost', color: 'grey', probability: null },
]

test('an entry moves up and down its list', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 1), ['a', 'c', 'b'])
})

test('rows differ when a name, a colour, a probability, the order or the number does', () => {
  const rows = rowsOf(SAVED)
  const changed = (change: object) => [{ ...rows[0]!, ...change }, ...rows.slice(1)]
  assert.equal(differs(rows, SAVED), false)
  assert.equal(differs(changed({ name: ' lead ' }), SAVED), false)
  assert.equal(differs(changed({ name: 'new' }), SAVED), true)
  assert.equal(differs(changed({ color: 'red' }), SAVED), true)
  assert.equal(differs(changed({ probability: 5 }), SAVED), true)
  assert.equal(differs(moved(rows, 0, 1), SAVED), true)
  assert.equal(differs(rows.slice(1), SAVED), true)
})

test('a new row takes the colour that is used least', () => {
  assert.equal(newRow(rowsOf(SAVED), ['grey', 'green', 'red']).color, 'red')
  assert.equal(newRow([], ['grey', 'green']).color, 'grey')
})

test('saving tells which contacts move and which keep a name that is not listed', () => {
  const [lead, won, lost] = rowsOf(SAVED)
  const counts = new Map([
    ['lead', 60],
    ['lost', 2],
  ])
  const renamed = [
    { ...lead!, name: ' new ' },
    { ...won!, name: 'closed' },
  ]
  assert.deepEqual(effectOf(renamed, SAVED, counts), {
    renamed: [{ from: 'lead', to: 'new', contacts: 60 }],
    removed: [{ name: 'lost', contacts: 2 }],
  })
  assert.deepEqual(effectOf([lead!, won!, lost!], SAVED, counts), { renamed: [], removed: [] })
})

test('what is sent names what a row was, where that differs', () => {
  const [lead, won] = rowsOf(SAVED)
  assert.deepEqual(sentRows([{ ...lead!, name: 'new' }, won!], true), [
    { name: 'new', was: 'lead', color: 'grey', probability: null },
    { name: 'won', color: 'green', probability: 100 },
  ])
  assert.deepEqual(sentRows([newRow([], ['red'])], false), [{ name: '', color: 'red' }])
})
