import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { styleFor } from './style.ts'
import { fields, table } from './table.ts'

const plain = styleFor(new PassThrough())

test('columns are aligned, also where letters are two columns wide or carry marks', () => {
  const rows = [
    { name: 'Ada', count: 7 },
    { name: '李小龍', count: 1200 },
    { name: 'Zoe\u0308', count: 15 },
  ]
  const text = table(
    rows,
    [
      { title: 'NAME', value: ({ name }) => name },
      { title: 'COUNT', align: 'right', value: ({ count }) => count },
      { title: 'END', value: () => 'x' },
    ],
    plain,
  )
  assert.deepEqual(text.split('\n'), [
    'NAME    COUNT  END',
    'Ada         7  x',
    '李小龍   1200  x',
    'Zoe\u0308        15  x',
  ])
})

test('nothing in a cell can start a line or steer the terminal', () => {
  const text = table(['a\nb\u001b[31m'], [{ title: 'NAME', value: (row) => row }], plain)
  assert.equal(text, 'NAME\na\\nb\\u001b[31m')
})

test('nothing is a dash, a claim is yes or no, a list has commas', () => {
  assert.equal(
    fields(
      [
        ['Id', '1'],
        ['Revoked', null],
        ['Strict', true],
        ['Paused', false],
        ['Scopes', ['read', 'write']],
        ['Tags', []],
        ['Note', ''],
      ],
      plain,
    ),
    'Id       1\nRevoked  -\nStrict   yes\nPaused   no\nScopes   read, write\nTags     -\nNote     -',
  )
})
