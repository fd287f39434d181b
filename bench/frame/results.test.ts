import assert from 'node:assert/strict'
import { test } from 'node:test'
import { page, type Result, targetTable } from './results.ts'
import { markdownTable, plainTable } from './table.ts'

const RESULT: Result = {
  claim: 'It is fast.',
  setting: 'Ten contacts.',
  tables: [{ titles: ['', 'ms'], rows: [['Kith', 1234.5]] }],
  figures: { 'get.cpu': 4 },
  machine: 'a machine',
  commit: 'abc1234',
  date: '2026-05-14T09:30:00.000Z',
  isFull: false,
  seconds: 12.3,
}

test('a figure is met up to its bound, and beyond it is not', () => {
  const met = (figures: Result['figures']) => targetTable([figures]).rows.map((row) => row.at(-1))
  assert.deepEqual(met({ 'get.cpu': 2.3 }), ['yes'])
  assert.deepEqual(met({ 'get.cpu': 2.31 }), ['**no**'])
  assert.deepEqual(met({ 'list.bare': 0.2 }), ['yes'])
  assert.deepEqual(met({ 'list.bare': 0.19 }), ['**no**'])
  assert.deepEqual(met({ 'list.bare': Number.NaN }), ['**no**'])
})

test('the page shows machine, targets, and of each bench claim, commit and tables', () => {
  const plots = { path: 'plots', hasProfile: (name: string) => name === 'get' }
  const text = page('Measured', { get: RESULT, list: { ...RESULT, bars: { title: 'Bars', bars: [] } } }, plots)
  assert.match(text, /^# Measured\n\n.*\n\n- a machine\n\n/)
  assert.match(text, /\| GET a contact \| .* \| ≤ 2\.30 \| 4 \| \*\*no\*\* \|/)
  assert.match(text, /## get\n\nIt is fast\. Ten contacts\. \(short run, 12 s, abc1234, 2026-05-14\)\n\n/)
  assert.match(text, /\n\n\[Where the time goes\]\(plots\/profiles\/get\.svg\), a flame graph\.\n\n## list\n/)
  assert.match(text, /!\[Bars\]\(plots\/list\.svg\)\n$/)
})

test('tables line up in a terminal, are escaped in Markdown, and show a dash for what was not measured', () => {
  const table = { titles: ['', 'ms'], rows: [['a|b', Number.NaN] as const, ['longer', 2] as const] }
  assert.equal(plainTable(table), ['         ms', 'a|b       –', 'longer    2'].join('\n'))
  assert.equal(markdownTable(table), ['|  | ms |', '| --- | ---: |', '| a\\|b | – |', '| longer | 2 |'].join('\n'))
})
