import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalMarkOf, parseAmount } from './amount.ts'

const CLEAR: [text: string, value: number][] = [
  ['1200', 1200],
  ['1,234.50', 1234.5],
  ['1.234,50', 1234.5],
  ['1,234,567', 1_234_567],
  ['1.234.567', 1_234_567],
  ['12,5', 12.5],
  ['12.50', 12.5],
  ['0,123', 0.123],
  ['1234,567', 1234.567],
  ['€ 1 200', 1200],
  ["CHF 1'200.50", 1200.5],
  ['1\u00a0200,00 €', 1200],
  ['1\u202f200 kr', 1200],
  ['$1,200', 1200],
  ['-$5', -5],
  ['$-5', -5],
  ['\u22125', -5],
  ['(300)', -300],
  ['USD12', 12],
  ['1e-7', 1e-7],
  ['1.5e+20', 1.5e20],
  [' 7 ', 7],
]

for (const [text, value] of CLEAR) {
  test(`${JSON.stringify(text)} is ${value} with either decimal mark`, () => {
    const marks = /^\$1,200$/.test(text) ? (['.'] as const) : (['.', ','] as const)
    for (const mark of marks) assert.equal(parseAmount(text, mark), value)
  })
}

test('one mark before three digits is what the decimal mark makes it', () => {
  assert.deepEqual([parseAmount('1.234', '.'), parseAmount('1.234', ',')], [1.234, 1234])
  assert.deepEqual([parseAmount('1,234', '.'), parseAmount('1,234', ',')], [1234, 1.234])
})

for (const text of [
  '10k',
  '5M',
  'abc',
  '1.2.3',
  '1,23,4',
  '12,34,567',
  '--5',
  '(5',
  '5)',
  '-(5)',
  '1 2',
  '',
  '€',
  '1-2',
  '9'.repeat(65),
]) {
  test(`${JSON.stringify(text.slice(0, 20))} is no amount`, () => assert.equal(parseAmount(text, '.'), undefined))
}

test('an amount shows which decimal mark is in use only where it fits no other', () => {
  const marks = ['12.5', '12,5', '1.234.567', '1,234.5', '1.234', '1,234', '12', 'x', '1.200,00 kr.'].map(decimalMarkOf)
  assert.deepEqual(marks, ['.', ',', ',', '.', undefined, undefined, undefined, undefined, ','])
})
