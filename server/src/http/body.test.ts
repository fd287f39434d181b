import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import test from 'node:test'
import { parseJsonBody } from './body.ts'
import { ApiError } from './errors.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function refusal(bytes: Uint8Array): [path: string, code: string] {
  try {
    parseJsonBody(bytes)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 'validation')
    assert.equal(error.details?.length, 1)
    return [error.details[0]!.path, error.details[0]!.code]
  }
  assert.fail('the body was taken')
}

test('a body is the JSON object in its bytes', () => {
  assert.deepEqual(parseJsonBody(bytesOf('{"full_name": "Zoë 😀", "tags": ["a"], "deal_value": 1.5}')), {
    full_name: 'Zoë 😀',
    tags: ['a'],
    deal_value: 1.5,
  })
  assert.deepEqual(parseJsonBody(bytesOf(' \r\n{}\t')), {})
  assert.deepEqual(parseJsonBody(bytesOf('\ufeff{}')), {})
})

test('of a repeated key the last value counts', () => {
  assert.deepEqual(parseJsonBody(bytesOf('{"label": "hot", "label": "cold"}')), { label: 'cold' })
})

test('a body that is not JSON is a 422 at the empty path', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '{}}',
    "{'a': 1}",
    '{"a": 1,}',
    '{"a": NaN}',
    '{"a": 01}',
    '{"a": "\n"}',
    'null null',
    '\ufeff\ufeff{}',
  ]) {
    assert.deepEqual(refusal(bytesOf(text)), ['', 'not_json'], JSON.stringify(text))
  }
})

test('a body that is not valid UTF-8 is a 422 at the empty path', () => {
  const cases = [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]
  for (const bad of cases) {
    const bytes = Uint8Array.from([...bytesOf('{"a": "'), ...bad, ...bytesOf('"}')])
    assert.deepEqual(refusal(bytes), ['', 'not_json'], bad.join())
  }
  assert.deepEqual(refusal(Buffer.from('{"a": 1}', 'utf16le')), ['', 'not_json'])
})

test('a body that is not an object is a 422 at the empty path', () => {
  for (const text of ['null', '[]', '[{}]', '"text"', '12', 'true']) {
    assert.deepEqual(refusal(bytesOf(text)), ['', 'wrong_type'], text)
  }
})

test('a body nested 20 deep is read, one of 21 is a 422', () => {
  const nested = (levels: number) => bytesOf(`{"a": ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`)
  assert.ok(parseJsonBody(nested(20)))
  assert.deepEqual(refusal(nested(21)), ['', 'out_of_range'])
  const objects = (levels: number) => bytesOf(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
  assert.ok(parseJsonBody(objects(20)))
  assert.deepEqual(refusal(objects(21)), ['', 'out_of_range'])
})

test('brackets in texts and side by side are no nesting', () => {
  assert.ok(parseJsonBody(bytesOf(`{"a": "${'['.repeat(100)}", "b": [${'[],'.repeat(100)}[]]}`)))
  assert.ok(parseJsonBody(bytesOf(`{"a": "\\"${'{'.repeat(100)}", "\\\\": "${'['.repeat(30)}"}`)))
})

test('keys of the prototype chain are plain keys and change no prototype', () => {
  const body = parseJsonBody(bytesOf('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'))
  assert.deepEqual(Object.keys(body), ['__proto__', 'constructor'])
  assert.equal(Object.getPrototypeOf(body), Object.prototype)
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

test('64 KiB of the worst body is read or refused at once', () => {
  const worst = [
    '['.repeat(65_536),
    '{"a":'.repeat(13_107),
    '"'.repeat(65_536),
    `{"a": "${'\\'.repeat(65_500)}`,
    '0'.repeat(65_536),
  ]
  for (const text of worst) {
    const startedAt = performance.now()
    assert.throws(() => parseJsonBody(bytesOf(text)), ApiError)
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 50, `${text.slice(0, 20)}…: ${tookMs} ms`)
  }
})
