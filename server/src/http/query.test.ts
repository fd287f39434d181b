import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import type { Detail } from './errors.ts'
import { compileQuery } from './query.ts'

const readList = compileQuery(
  Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    offset: Type.Integer({ minimum: 0, maximum: 1e9, default: 0 }),
    label: Type.Optional(Type.String({ maxLength: 64 })),
    q: Type.Optional(Type.String({ maxLength: 200 })),
    status: Type.Optional(Type.Enum(['open', 'done'], { type: 'string' })),
  }),
)

function read(query: string, using: typeof readList = readList) {
  const faults: Detail[] = []
  const values = using(query, faults)
  return { values, faults: faults.map(({ path, code }) => `${path} ${code}`) }
}

const DEFAULTS = { limit: 50, offset: 0 }

test('what a query does not give has its default', () => {
  assert.deepEqual(read(''), { values: DEFAULTS, faults: [] })
  assert.deepEqual(read('&&'), { values: DEFAULTS, faults: [] })
  assert.deepEqual(read('limit=7'), { values: { limit: 7, offset: 0 }, faults: [] })
})

test('a query is read as its values', () => {
  const cases: [string, Record<string, unknown>][] = [
    ['limit=1&offset=1000000000', { limit: 1, offset: 1e9 }],
    ['limit=200&', { limit: 200 }],
    ['limit=007', { limit: 7 }],
    ['l%69mit=7', { limit: 7 }],
    ['q=ada+lovelace', { q: 'ada lovelace' }],
    ['q=a%2Bb', { q: 'a+b' }],
    ['q=a=b', { q: 'a=b' }],
    ['q=%25_%5C', { q: '%_\\' }],
    ['q=l%C3%B6ve%20%F0%9F%98%80', { q: 'löve 😀' }],
    ['q=+ada+', { q: 'ada' }],
    ['label=hot&status=done', { label: 'hot', status: 'done' }],
  ]
  for (const [query, expected] of cases) {
    assert.deepEqual(read(query), { values: { ...DEFAULTS, ...expected }, faults: [] }, query)
  }
})

test('an empty text is not given', () => {
  for (const query of ['q=', 'q', 'label=', 'q=+', 'label=%20&q']) {
    assert.deepEqual(read(query), { values: DEFAULTS, faults: [] }, query)
  }
})

test('a fault of a query is a 422 at its key', () => {
  const cases: [string, string[]][] = [
    ['limit=', ['limit bad_format']],
    ['limit', ['limit bad_format']],
    ['offset=', ['offset bad_format']],
    ['status=', ['status required']],
    ['limit=0', ['limit out_of_range']],
    ['limit=201', ['limit out_of_range']],
    ['offset=1000000001', ['offset out_of_range']],
    [`offset=${'9'.repeat(400)}`, ['offset out_of_range']],
    ['offset=-1', ['offset bad_format']],
    ['limit=1e1', ['limit bad_format']],
    ['limit=+5', ['limit bad_format']],
    ['limit=%2B5', ['limit bad_format']],
    ['limit=%205', ['limit bad_format']],
    ['limit=5%0A', ['limit bad_format']],
    ['limit=0x5', ['limit bad_format']],
    ['limit=5.0', ['limit bad_format']],
    ['limit=%D9%A5', ['limit bad_format']],
    ['status=closed', ['status not_allowed']],
    ['status=OPEN', ['status not_allowed']],
    ['limit=5&limit=5', ['limit not_allowed']],
    ['q=a&q=b&q=c', ['q not_allowed']],
    ['q=&q=', ['q not_allowed']],
    ['q=a&%71=b', ['q not_allowed']],
    ['page=2', ['page unknown_field']],
    ['page=2&page=3', ['page unknown_field']],
    ['Limit=5', ['Limit unknown_field']],
    ['limit[]=5', ['limit[] unknown_field']],
    ['__proto__=1&constructor=2', ['__proto__ unknown_field', 'constructor unknown_field']],
    ['a/b~=1', ['a~1b~0 unknown_field']],
    ['=1', [' unknown_field']],
    ['q=%', ['q bad_format']],
    ['q=%zz', ['q bad_format']],
    ['q=%C3', ['q bad_format']],
    ['q=%ED%A0%80', ['q bad_format']],
    ['q=%00', ['q bad_format']],
    ['q=ö', ['q bad_format']],
    ['limit=%', ['limit bad_format']],
    ['%zz=1', ['%zz bad_format']],
    ['limit=0&offset=x&page=1', ['limit out_of_range', 'offset bad_format', 'page unknown_field']],
  ]
  for (const [query, expected] of cases) assert.deepEqual(read(query).faults, expected, query)
})

test('q of 200 and label of 64 characters are taken, one more is too long', () => {
  assert.deepEqual(read(`q=${'%F0%9F%98%80'.repeat(200)}`).faults, [])
  assert.deepEqual(read(`q=${'%F0%9F%98%80'.repeat(201)}`).faults, ['q too_long'])
  assert.deepEqual(read(`label=${'x'.repeat(64)}`).faults, [])
  assert.deepEqual(read(`label=${'x'.repeat(65)}`).faults, ['label too_long'])
})

test('a key that is needed and has no default is a fault where it is not given, once', () => {
  const readDay = compileQuery(
    Type.Object({ day: Type.String({ format: 'date-time' }), q: Type.Optional(Type.String()) }),
  )
  const faultsOf = (query: string) => read(query, readDay as never).faults
  for (const query of ['', 'q=x', 'day=']) assert.deepEqual(faultsOf(query), ['day required'], query)
  assert.deepEqual(faultsOf('day=x'), ['day bad_format'])
  assert.deepEqual(faultsOf('day=2026-05-14T09:30:00Z'), [])
})

test('a number is written in digits, with a sign and a point where it has them, and lies within its bounds', () => {
  const readPlace = compileQuery(Type.Object({ south: Type.Number({ minimum: -90, maximum: 90 }) }))
  const readOf = (query: string) => read(query, readPlace as never)
  for (const [text, value] of Object.entries({ '41.99705': 41.99705, '-12': -12, '-0.5': -0.5, '90': 90 })) {
    assert.deepEqual(readOf(`south=${text}`), { values: { south: value }, faults: [] })
  }
  for (const text of ['1e3', '.5', '5.', '--1', '+1', '0x10', 'NaN', 'Infinity', '1,5', '%201', '']) {
    assert.deepEqual(readOf(`south=${text}`).faults, ['south bad_format'], text)
  }
  for (const text of ['90.0001', '-91', '9'.repeat(400)]) {
    assert.deepEqual(readOf(`south=${text}`).faults, ['south out_of_range'], text)
  }
})

test('where an endpoint takes no parameters any key is a 422', () => {
  const readNone = compileQuery(Type.Object({}))
  const faults: Detail[] = []
  assert.deepEqual(readNone('', faults), {})
  assert.deepEqual(faults, [])
  readNone('limit=5', faults)
  assert.deepEqual(faults, [{ path: 'limit', code: 'unknown_field', message: 'There is no parameter "limit".' }])
})

test('one query does not show in the next', () => {
  read('limit=7&q=ada')
  assert.deepEqual(read('offset=1').values, { limit: 50, offset: 1 })
  assert.deepEqual(read('').values, DEFAULTS)
})

test('a schema that a query cannot say is refused', () => {
  assert.throws(() => compileQuery(Type.Object({ tags: Type.Array(Type.String()) })), TypeError)
  assert.throws(() => compileQuery(Type.Object({ value: Type.Boolean() })), TypeError)
})

test('any text is read or refused, and q comes back as it was escaped', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const isTaken = !text.includes('\0') && text.isWellFormed()
      if (isTaken) {
        const trimmed = text.trim()
        assert.deepEqual(read(`q=${encodeURIComponent(text)}`), {
          values: trimmed === '' ? DEFAULTS : { ...DEFAULTS, q: trimmed },
          faults: [],
        })
      }
      read(text)
    }),
    { seed: 20260514, numRuns: 3_000 },
  )
})
