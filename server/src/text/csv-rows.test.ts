import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { readRecord } from './csv-record.ts'
import { CELL_BYTES_MAX, type Row, RowSplitter } from './csv-rows.ts'

const CASES: [name: string, text: string, rows: [number: number, ...cells: string[]][]][] = [
  [
    'cells stand between delimiters',
    'a,b,c\n1,,3\n',
    [
      [1, 'a', 'b', 'c'],
      [2, '1', '', '3'],
    ],
  ],
  [
    'line breaks are LF, CR LF and CR',
    'a\r\nb\rc\nd',
    [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
    ],
  ],
  ['a quoted cell holds delimiters and line breaks', '"a,\r\nb",c', [[1, 'a,\r\nb', 'c']]],
  [
    'a doubled quotation mark in a quoted cell is one',
    '"say ""hi""",""\n"""",x',
    [
      [1, 'say "hi"', ''],
      [2, '"', 'x'],
    ],
  ],
  ['spaces around quotation marks do not count', 'a, "b, c" ,d', [[1, 'a', 'b, c', 'd']]],
  ['in a cell that begins without one, quotation marks are letters', '5" pipe,x"y"', [[1, '5" pipe', 'x"y"']]],
  [
    'empty rows are left out and counted',
    'a\n\n , \n"",\nb',
    [
      [1, 'a'],
      [5, 'b'],
    ],
  ],
  ['an empty last cell is a cell', 'a,\n', [[1, 'a', '']]],
]

for (const [name, text, rows] of CASES) {
  test(`${name}, wherever the text is cut into pieces`, () => {
    for (let size = 1; size <= text.length; size++) {
      assert.deepEqual(
        rowsOf(text, size).map(({ number, cells }) => [number, ...cells]),
        rows,
        `pieces of ${size}`,
      )
    }
  })
}

test('a quotation mark that is never closed costs its own line, and the rows after it are read', () => {
  const text = 'name,note\nAda,"unclosed, here\nGrace,fine\nAlan,"fine, too"\n'
  for (const size of [1, 7, text.length]) {
    const rows = rowsOf(text, size)
    assert.deepEqual(
      rows.map(({ cells }) => cells[0]),
      ['name', 'Ada', 'Grace', 'Alan'],
    )
    assert.match(rows[1]!.fault!, /column 2 .*quotation mark/)
    assert.deepEqual(rows[3]!.cells, ['Alan', 'fine, too'])
  }
})

test('a quotation mark that is not closed ends at the limit of a record, however long the file is', () => {
  const lines = Array.from({ length: 400_000 }, (_, at) => `person ${at},x`)
  const rows = rowsOf(`name,note\nAda,"unclosed\n${lines.join('\n')}\n`, 64 * 1024)
  assert.equal(rows.length, 400_002)
  assert.deepEqual(
    rows.filter(({ fault }) => fault).map(({ number }) => number),
    [2],
  )
})

test('text after a closing quotation mark rejects the row alone', () => {
  const rows = rowsOf('"Acme" Ltd,x\nb,y\n', 100)
  assert.deepEqual(
    rows.map(({ cells, fault }) => [cells[0], fault !== undefined]),
    [
      ['"Acme" Ltd,x', true],
      ['b', false],
    ],
  )
})

test('a cell of 16 KiB is taken, a longer one rejects its row', () => {
  for (const quote of ['', '"']) {
    const text = (length: number) => `a,${quote}${'x'.repeat(length)}${quote}\nb,c\n`
    const [taken] = rowsOf(text(CELL_BYTES_MAX), 1000)
    assert.equal(taken!.fault, undefined)
    const [rejected, next] = rowsOf(text(CELL_BYTES_MAX + 1), 1000)
    assert.match(rejected!.fault!, /column 2 is longer than 16 KiB/)
    assert.equal(rejected!.cells[1]!.length, CELL_BYTES_MAX)
    assert.deepEqual(next, { number: 2, cells: ['b', 'c'] })
  }
  const [umlauts] = rowsOf(`${'ä'.repeat(CELL_BYTES_MAX / 2)}\n`, 1000)
  const [over] = rowsOf(`${'ä'.repeat(CELL_BYTES_MAX / 2)}x\n`, 1000)
  assert.deepEqual([umlauts!.fault, over!.fault !== undefined], [undefined, true])
})

test('a line without end is one rejected row, and little of it is kept', () => {
  const splitter = new RowSplitter(',')
  const rows: Row[] = []
  for (let piece = 0; piece < 200; piece++) rows.push(...splitter.push('x'.repeat(64 * 1024)))
  rows.push(...splitter.push('\nb,c\n'), ...splitter.end())
  assert.match(rows[0]!.fault!, /too long/)
  assert.equal(rows[0]!.cells[0]!.length, CELL_BYTES_MAX)
  assert.deepEqual(rows.at(-1)!.cells, ['b', 'c'])
  assert.equal(rows.length, 2)
})

test('of a row with more than 100 cells no more than 101 are kept', () => {
  assert.equal(readRecord(','.repeat(5000), 0, 0x2c, true)!.cells.length, 101)
})

test('reading takes time in proportion to the length, whatever quotation marks it holds', () => {
  const bad = ['"a\n', '"\n""\n', '"x\n""\n', ',"', '"""\n', '" \n', ' "']
  for (const part of bad) {
    const started = performance.now()
    rowsOf(part.repeat(Math.ceil(2_000_000 / part.length)), 64 * 1024)
    assert.ok(performance.now() - started < 3000, JSON.stringify(part))
  }
})

test('rows are what another reader of CSV makes of the same text', () => {
  const letters = ['a', 'é', '"', ',', '\n', '\r\n', ' ', "'", 'xyz', '😀']
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  for (let round = 0; round < 2000; round++) {
    const record = () =>
      Array.from({ length: 3 }, () => Array.from({ length: random(5) }, () => letters[random(10)]).join(''))
    const records = Array.from({ length: 1 + random(5) }, record).filter((cells) =>
      cells.some((cell) => cell.trim() !== ''),
    )
    const text = records.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
    const theirs = parse(text, { relax_column_count: true })
    assert.deepEqual(
      rowsOf(text, 1 + random(20)).map(({ cells }) => cells),
      theirs,
      JSON.stringify(text),
    )
  }
})

function rowsOf(text: string, size: number): Row[] {
  const splitter = new RowSplitter(',')
  const parts: Row[][] = []
  for (let at = 0; at < text.length; at += size) parts.push(splitter.push(text.slice(at, at + size)))
  return [...parts, splitter.end()].flat()
}
