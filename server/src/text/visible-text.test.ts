import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visibleJson, visibleText } from './visible-text.ts'

test('control characters and turned writing become visible, letters of every script stay', () => {
  assert.equal(visibleText('a\nb\r\tc'), 'a\\nb\\r\\tc')
  assert.equal(visibleText('\u001b[31mred\u009b0m\u0000\u007f'), '\\u001b[31mred\\u009b0m\\u0000\\u007f')
  assert.equal(visibleText('\u202egnp.exe\u2066\u2028'), '\\u202egnp.exe\\u2066\\u2028')
  assert.equal(visibleText('Zoë 李 שלום 👩‍👩‍👧 é'), 'Zoë 李 שלום 👩‍👩‍👧 é')
})

test('JSON means the same after its control characters are escaped', () => {
  const value = { 'k\u009b': '\u001b[31m\u009b\u2028\u202e"\\' }
  const json = visibleJson(JSON.stringify(value))
  assert.deepEqual(JSON.parse(json), value)
  assert.match(json, /^[\x20-\x7e]*$/)
})
