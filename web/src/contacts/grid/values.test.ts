import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contact } from '@server/contacts/schema.ts'
import fc from 'fast-check'
import { isSame, parsedValue, textOf } from './values.ts'

const contact = (fields: Partial<Contact>) => ({ full_name: 'Ada', deal_value: null, tags: [], ...fields }) as Contact

test('a text is trimmed, and an empty one clears the field', () => {
  assert.deepEqual(parsedValue('company', '  Acme '), { value: 'Acme' })
  assert.deepEqual(parsedValue('company', '   '), { value: null })
  assert.equal(textOf(contact({ company: null }), 'company'), '')
})

test('an amount is read as people write it', () => {
  const amounts: [string, number][] = [
    ['48200', 48200],
    ['48,200', 48200],
    ['48,200.50', 48200.5],
    ['1.234.567,5', 1234567.5],
    ['48.200,50', 48200.5],
    ['€ 48 200', 48200],
    ['$1,000', 1000],
    ['12,5', 12.5],
    ['1.234', 1.234],
    ['-7', -7],
  ]
  for (const [text, amount] of amounts) assert.deepEqual(parsedValue('deal_value', text), { value: amount }, text)
  for (const text of ['ten', '1,2,3', '12x', '--1', '1.2.3', '.']) {
    assert.ok('fault' in parsedValue('deal_value', text), text)
  }
  assert.deepEqual(parsedValue('deal_value', ''), { value: null })
})

test('every number that the server sends is read back as itself', () => {
  fc.assert(
    fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (amount) => {
      const text = textOf(contact({ deal_value: amount === 0 ? 0 : amount }), 'deal_value')
      assert.deepEqual(parsedValue('deal_value', text), { value: amount === 0 ? 0 : amount })
    }),
  )
})

test('tags stand between commas, and are read back as they were', () => {
  assert.equal(textOf(contact({ tags: ['fintech', 'Berlin, Mitte'] }), 'tags'), 'fintech, "Berlin, Mitte"')
  assert.deepEqual(parsedValue('tags', ' a ,, b,a'), { value: ['a', 'b'] })
  assert.deepEqual(parsedValue('tags', ''), { value: [] })
  const tag = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', '"', 'é'), minLength: 1 })
  const tags = fc.uniqueArray(tag.map((text) => text.trim()).filter((text) => text !== ''))
  fc.assert(
    fc.property(tags, (given) =>
      assert.deepEqual(parsedValue('tags', textOf(contact({ tags: given }), 'tags')), { value: given }),
    ),
  )
})

test('a list is the same by its entries', () => {
  assert.equal(isSame(['a'], ['a']), true)
  assert.equal(isSame(['a', 'b'], ['b', 'a']), false)
  assert.equal(isSame(null, ''), false)
})
