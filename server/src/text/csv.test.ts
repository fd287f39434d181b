import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guarded, tagsText, unguarded } from './csv.ts'

for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '\0', "'=", "''@"]) {
  test(`a value that begins with ${JSON.stringify(start)} gets one apostrophe, which comes off again`, () => {
    assert.equal(guarded(`${start}x`), `'${start}x`)
    assert.equal(unguarded(`'${start}x`), `${start}x`)
  })
}

test('other values stay as they are, apostrophes too', () => {
  for (const value of ['', 'Ada', "'", "'tis", "''", 'a=b', '1-2']) {
    assert.deepEqual([guarded(value), unguarded(value)], [value, value])
  }
})

test('a tag that holds a separator stands in quotation marks', () => {
  assert.equal(tagsText(['a', 'b, c', 'd;e', 'f"g']), 'a;"b, c";"d;e";"f""g"')
})
