import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import test from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { parseJsonBody } from './body.ts'
import { compileCheck } from './check.ts'
import { type Detail, validationError } from './errors.ts'
import { nullable, serverSet } from './fields.ts'

const Own = {
  full_name: nullable(Type.String({ maxLength: 5 })),
  email: nullable(Type.String({ maxLength: 254, format: 'email' })),
  deal_value: nullable(Type.Number({ minimum: -1e15, maximum: 1e15 })),
  due_at: nullable(Type.String({ format: 'date-time' })),
  contact_id: nullable(Type.String({ format: 'uuid' })),
  tags: nullable(Type.Array(Type.String({ maxLength: 4 }), { maxItems: 3, 'x-distinct': true })),
  status: Type.Enum(['open', 'done'], { type: 'string' }),
  priority: nullable(Type.Enum(['low', 'high'], { type: 'string' })),
  title: Type.String({ minLength: 1, maxLength: 5 }),
  age: Type.Integer({ minimum: 0, maximum: 10 }),
  strict: Type.Boolean(),
}
const Patch = Type.Object(
  { ...Type.Partial(Type.Object(Own)).properties, id: serverSet(Type.String()) },
  { additionalProperties: false },
)
const checkPatch = compileCheck(Patch)

function check(value: unknown, using: (value: unknown, faults: Detail[]) => unknown = checkPatch) {
  const faults: Detail[] = []
  const object = using(value, faults)
  return {
    object,
    faults: faults.map(({ path, code }) => `${path} ${code}`),
    messages: faults.map((one) => one.message),
  }
}

test('what is sent is read, and what is not sent is absent', () => {
  const cases: [sent: Record<string, unknown>, read: Record<string, unknown>][] = [
    [{}, {}],
    [{ full_name: 'Ada' }, { full_name: 'Ada' }],
    [{ full_name: '  Ada \n' }, { full_name: 'Ada' }],
    [{ full_name: '' }, { full_name: null }],
    [{ full_name: ' \t\u00a0\ufeff' }, { full_name: null }],
    [{ full_name: null }, { full_name: null }],
    [{ full_name: '12345' }, { full_name: '12345' }],
    [{ full_name: '  12345  ' }, { full_name: '12345' }],
    [{ full_name: '😀😀😀😀😀' }, { full_name: '😀😀😀😀😀' }],
    [{ email: 'ada@example.com' }, { email: 'ada@example.com' }],
    [{ deal_value: 1e15 }, { deal_value: 1e15 }],
    [{ deal_value: -1e15 }, { deal_value: -1e15 }],
    [{ deal_value: 5e-324 }, { deal_value: 5e-324 }],
    [{ deal_value: null }, { deal_value: null }],
    [{ due_at: '2026-05-14T11:30:00+02:00' }, { due_at: '2026-05-14T09:30:00.000Z' }],
    [{ contact_id: '0196cdb9-2a3b-7000-8000-000000000000' }, { contact_id: '0196cdb9-2a3b-7000-8000-000000000000' }],
    [{ tags: [] }, { tags: [] }],
    [{ tags: null }, { tags: [] }],
    [{ tags: ['b', ' a ', 'b', '', ' ', 'a'] }, { tags: ['b', 'a'] }],
    [{ tags: ['a', 'b', 'c', 'a', 'b', ''] }, { tags: ['a', 'b', 'c'] }],
    [{ status: 'done' }, { status: 'done' }],
    [{ priority: '' }, { priority: null }],
    [{ priority: null }, { priority: null }],
    [{ title: '12345' }, { title: '12345' }],
    [{ age: 10 }, { age: 10 }],
    [{ strict: false }, { strict: false }],
  ]
  for (const [sent, expected] of cases) {
    assert.deepEqual(check(sent), { object: expected, faults: [], messages: [] }, JSON.stringify(sent))
  }
})

test('-0 is read as 0', () => {
  assert.ok(Object.is(checkPatch({ deal_value: -0 }, []).deal_value, 0))
})

test('a fault is a 422 at its field', () => {
  const cases: [sent: unknown, faults: string[]][] = [
    [{ full_name: '123456' }, ['full_name too_long']],
    [{ full_name: '😀😀😀😀😀😀' }, ['full_name too_long']],
    [{ full_name: 12 }, ['full_name wrong_type']],
    [{ full_name: true }, ['full_name wrong_type']],
    [{ full_name: ['x'] }, ['full_name wrong_type']],
    [{ full_name: {} }, ['full_name wrong_type']],
    [{ full_name: 'a\0' }, ['full_name bad_format']],
    [{ full_name: '\ud800' }, ['full_name bad_format']],
    [{ full_name: 'a\udc00b' }, ['full_name bad_format']],
    [{ deal_value: '12' }, ['deal_value wrong_type']],
    [{ deal_value: '' }, ['deal_value wrong_type']],
    [{ deal_value: 1e16 }, ['deal_value out_of_range']],
    [{ deal_value: 1000000000000000.1 }, ['deal_value out_of_range']],
    [{ deal_value: -1000000000000001 }, ['deal_value out_of_range']],
    [{ deal_value: Number.POSITIVE_INFINITY }, ['deal_value out_of_range']],
    [{ deal_value: Number.NaN }, ['deal_value out_of_range']],
    [{ due_at: '2026-02-30T00:00:00Z' }, ['due_at bad_format']],
    [{ due_at: 0 }, ['due_at wrong_type']],
    [{ contact_id: 'nobody' }, ['contact_id not_found']],
    [{ contact_id: '0196CDB9-2A3B-7000-8000-000000000000' }, ['contact_id not_found']],
    [{ tags: 'a' }, ['tags wrong_type']],
    [{ tags: { 0: 'a' } }, ['tags wrong_type']],
    [{ tags: ['a', 5, 'b', null, '12345'] }, ['tags/1 wrong_type', 'tags/3 wrong_type', 'tags/4 too_long']],
    [{ tags: ['', 'a\0'] }, ['tags/1 bad_format']],
    [{ tags: ['a', 'b', 'c', 'd'] }, ['tags out_of_range']],
    [{ status: 'closed' }, ['status not_allowed']],
    [{ status: 'Open' }, ['status not_allowed']],
    [{ status: 1 }, ['status wrong_type']],
    [{ status: null }, ['status wrong_type']],
    [{ status: '' }, ['status required']],
    [{ priority: 'none' }, ['priority not_allowed']],
    [{ title: null }, ['title required']],
    [{ title: '' }, ['title required']],
    [{ title: '  ' }, ['title required']],
    [{ title: '123456' }, ['title too_long']],
    [{ age: 11 }, ['age out_of_range']],
    [{ age: -1 }, ['age out_of_range']],
    [{ age: 1.5 }, ['age wrong_type']],
    [{ age: '1' }, ['age wrong_type']],
    [{ age: null }, ['age wrong_type']],
    [{ strict: 'true' }, ['strict wrong_type']],
    [{ strict: 0 }, ['strict wrong_type']],
    [{ id: 'x' }, ['id not_allowed']],
    [{ id: null }, ['id not_allowed']],
    [{ nickname: 'x' }, ['nickname unknown_field']],
    [{ toString: 'x' }, ['toString unknown_field']],
    [{ 'a/b~c': 1 }, ['a~1b~0c unknown_field']],
    [null, [' wrong_type']],
    [[], [' wrong_type']],
    ['text', [' wrong_type']],
    [undefined, [' wrong_type']],
  ]
  for (const [sent, expected] of cases) assert.deepEqual(check(sent).faults, expected, JSON.stringify(sent))
})

test('every fault is listed, in the order of the body', () => {
  const sent = { id: 1, tags: [1, 'ok', 2], full_name: 'too long', nickname: 0, title: '' }
  assert.deepEqual(check(sent).faults, [
    'id not_allowed',
    'tags/0 wrong_type',
    'tags/2 wrong_type',
    'full_name too_long',
    'nickname unknown_field',
    'title required',
  ])
})

test('a required field that is missing, null or empty is required', () => {
  const checkCreate = compileCheck(
    Type.Object(
      { id: Type.String({ readOnly: true }), title: Type.String({ maxLength: 5 }), age: Type.Integer() },
      { additionalProperties: false },
    ),
  )
  assert.deepEqual(check({ title: 'a', age: 1 }, checkCreate).faults, [])
  assert.deepEqual(check({}, checkCreate).faults, ['title required', 'age required'])
  assert.deepEqual(check({ title: null, age: null }, checkCreate).faults, ['title required', 'age required'])
  assert.deepEqual(check({ title: ' ', age: 1 }, checkCreate).faults, ['title required'])
})

test('an address is one that looks like it, of at most 254 characters', () => {
  const taken = [
    'a@b.co',
    'ada.lovelace+crm@mail.example.co.uk',
    "o'brien@example.com",
    'ада@пример.рф',
    'ada@xn--e1afmkfd.example',
    `${'a'.repeat(242)}@example.com`,
  ]
  const refused = [
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a@b@c.de',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@exam_ple.com',
    'ada lovelace@example.com',
    'Ada <ada@example.com>',
    '<ada@example.com>',
    'mailto:ada@example.com',
    'a@example.com,b@example.com',
    'ada@example.com\nBcc: x@y.z',
    'ada\u200b@example.com',
    'ada@example.com\u200b',
    'ada\u0007@example.com',
  ]
  for (const email of taken) assert.deepEqual(check({ email }).faults, [], email)
  for (const email of refused) assert.deepEqual(check({ email }).faults, ['email bad_format'], email)
  assert.deepEqual(check({ email: `${'a'.repeat(243)}@example.com` }).faults, ['email too_long'])
})

test('objects in objects and lists have their own paths', () => {
  const Line = Type.Object({ name: Type.String({ maxLength: 2 }) }, { additionalProperties: false })
  const checkOrder = compileCheck(
    Type.Object({ first: Line, rest: Type.Array(Line, { maxItems: 2 }) }, { additionalProperties: false }),
  )
  const ok = { first: { name: 'a' }, rest: [{ name: 'b' }, { name: 'b' }] }
  assert.deepEqual(check(ok, checkOrder), { object: ok, faults: [], messages: [] })
  const bad = { first: { name: 'abc', x: 1 }, rest: [{ name: 'b' }, {}, { name: 1 }] }
  assert.deepEqual(check(bad, checkOrder).faults, [
    'first/name too_long',
    'first/x unknown_field',
    'rest/1/name required',
    'rest/2/name wrong_type',
    'rest out_of_range',
  ])
  const faults: Detail[] = []
  checkOrder({ first: { name: '' }, rest: null }, faults, 'orders/7')
  assert.deepEqual(
    faults.map((one) => one.path),
    ['orders/7/first/name', 'orders/7/rest'],
  )
})

test('a verbatim text is taken exactly as sent', () => {
  const checkPassword = compileCheck(
    Type.Object(
      { password: Type.String({ minLength: 3, maxLength: 5, 'x-verbatim': true }) },
      { additionalProperties: false },
    ),
  )
  assert.deepEqual(check({ password: '  a  ' }, checkPassword).object, { password: '  a  ' })
  assert.deepEqual(check({ password: '     ' }, checkPassword).faults, [])
  assert.deepEqual(check({ password: '  a   ' }, checkPassword).faults, ['password too_long'])
  assert.deepEqual(check({ password: '😀😀' }, checkPassword).faults, ['password out_of_range'])
  assert.deepEqual(check({ password: '' }, checkPassword).faults, ['password required'])
})

test('a pattern and a single choice are checked', () => {
  const checkColour = compileCheck(
    Type.Object(
      { colour: Type.String({ pattern: '^#[0-9a-f]{6}$' }), kind: Type.Literal('stage') },
      { additionalProperties: false },
    ),
  )
  assert.deepEqual(check({ colour: '#00ff00', kind: 'stage' }, checkColour).faults, [])
  assert.deepEqual(check({ colour: 'red', kind: 'step' }, checkColour).faults, [
    'colour bad_format',
    'kind not_allowed',
  ])
})

test('a message tells a person what to change', () => {
  const cases: [sent: unknown, message: string][] = [
    [{ full_name: 'Lovelace' }, 'full_name must be at most 5 characters; it has 8.'],
    [{ full_name: 12 }, 'full_name must be a string or null, not a number.'],
    [{ full_name: 'a\0' }, 'full_name must not contain the character U+0000.'],
    [{ full_name: '\ud800' }, 'full_name must be well-formed Unicode; it contains half of a surrogate pair.'],
    [{ deal_value: 2e15 }, 'deal_value must be from -1000000000000000 to 1000000000000000; it is 2000000000000000.'],
    [
      { deal_value: Number.POSITIVE_INFINITY },
      'deal_value must be from -1000000000000000 to 1000000000000000; it is too large.',
    ],
    [{ tags: ['a', 'b', 'c', 'd'] }, 'tags must have at most 3 different entries; it has 4.'],
    [{ tags: ['12345'] }, 'tags/0 must be at most 4 characters; it has 5.'],
    [{ tags: [null] }, 'tags/0 must be a string, not null.'],
    [{ status: 'closed' }, 'status must be one of open or done.'],
    [{ title: null }, 'title must not be empty.'],
    [{ age: 1.5 }, 'age must be a whole number; it is 1.5.'],
    [{ strict: [] }, 'strict must be true or false, not an array.'],
    [{ id: 'x' }, 'id is set by the server; it cannot be sent here.'],
    [{ nickname: 'x' }, 'There is no field "nickname".'],
    [[], 'The body must be an object, not an array.'],
    [{ email: 'x' }, 'email must be an e-mail address such as ada@example.com.'],
    [{ contact_id: 'x' }, 'contact_id names no record.'],
    [{ due_at: 'x' }, 'due_at must be a time that exists, with date and offset, such as 2026-05-14T09:30:00Z.'],
  ]
  for (const [sent, message] of cases) assert.deepEqual(check(sent).messages, [message])
})

test('keys of the prototype chain are unknown fields, and results are plain objects', () => {
  const body = parseJsonBody(Buffer.from('{"__proto__": {"title": "x"}, "constructor": 1, "title": "a"}'))
  const { object, faults } = check(body)
  assert.deepEqual(faults, ['__proto__ unknown_field', 'constructor unknown_field'])
  assert.deepEqual(Object.keys(object as object), ['title'])
  assert.equal(Object.getPrototypeOf(object), Object.prototype)
})

test('a hundred faults are listed, of 101 the hundredth says how many more', () => {
  const tags = (count: number) => Array.from({ length: count }, () => 0)
  const detailsOf = (count: number) => {
    const faults: Detail[] = []
    checkPatch({ tags: tags(count) }, faults)
    return validationError(faults).details!
  }
  assert.deepEqual(detailsOf(100).at(-1), {
    path: 'tags/99',
    code: 'wrong_type',
    message: 'tags/99 must be a string, not a number.',
  })
  assert.equal(detailsOf(101).length, 100)
  assert.deepEqual(detailsOf(101).at(-1), { path: '', code: 'too_many', message: 'There are 2 more faults.' })
  assert.deepEqual(detailsOf(30_000).at(-1), { path: '', code: 'too_many', message: 'There are 29901 more faults.' })
})

test('a schema with a rule that is not checked is refused', () => {
  const closed = { additionalProperties: false }
  const schemas = [
    Type.Object({}),
    Type.Object({ a: Type.String({ format: 'ipv4' }) }, closed),
    Type.Object({ a: Type.String({ format: 'email', pattern: 'a' }) }, closed),
    Type.Object({ a: Type.Number({ multipleOf: 2 }) }, closed),
    Type.Object({ a: Type.Union([Type.String(), Type.Number()]) }, closed),
    Type.Object({ a: Type.Unknown() }, closed),
    Type.Object({ a: Type.Record(Type.String(), Type.String()) }, closed),
    Type.Object({ a: Type.Unsafe<string>({ type: ['string', 'number'] }) }, closed),
    Type.Object({ a: Type.Enum(['x', 'y']) }, closed),
  ]
  for (const schema of schemas) assert.throws(() => compileCheck(schema), TypeError, JSON.stringify(schema))
})

test('no answer to a 64 KiB body is over 32 KiB or takes over 50 ms', (t) => {
  const many = (count: number, entry: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => entry(at)).join()
  const worst = {
    'unknown keys': `{${many(7_000, (at) => `"${at}":0`)}}`,
    'long unknown keys': `{${many(99, (at) => `"${at}${'\\u0001'.repeat(107)}":0`)}}`,
    'long unknown keys of letters': `{${many(99, (at) => `"${at}${'é~/😀'.repeat(60)}":0`)}}`,
    'one long key': `{"${'\\"'.repeat(32_000)}":0}`,
    'tags of another type': `{"tags":[${'0,'.repeat(32_700)}0]}`,
    'tags too long': `{"tags":[${many(8_000, () => '"12345"')}]}`,
    'different tags': `{"tags":[${many(9_000, (at) => `"${at.toString(36)}"`)}]}`,
    'a long text': `{"full_name":"${'😀'.repeat(16_000)}"}`,
    'half pairs': `{"full_name":"${'\\ud800'.repeat(10_000)}"}`,
    blanks: `{"full_name":"${' '.repeat(32_000)}x${' '.repeat(32_000)}"}`,
    'an address': `{"email":"${'a.'.repeat(32_000)}"}`,
    'a time': `{"due_at":"2026-05-14T09:30:00.${'1'.repeat(65_000)}"}`,
    'a repeated key': `{${many(3_400, () => '"title":"too long"')}}`,
  }
  for (const [name, text] of Object.entries(worst)) {
    const bytes = Buffer.from(text)
    assert.ok(bytes.length <= 65_536, `${name}: ${bytes.length}`)
    const startedAt = performance.now()
    const faults: Detail[] = []
    checkPatch(parseJsonBody(bytes), faults)
    const { code, message, details } = validationError(faults)
    const answer = JSON.stringify({ error: code, message, details })
    const tookMs = performance.now() - startedAt
    t.diagnostic(`${name}: ${tookMs.toFixed(1)} ms, ${Buffer.byteLength(answer)} bytes`)
    assert.ok(tookMs < 50, `${name}: ${tookMs} ms`)
    assert.ok(Buffer.byteLength(answer) <= 32_768, `${name}: ${Buffer.byteLength(answer)} bytes`)
    assert.ok(answer.isWellFormed())
  }
})

test('no pattern of an address is super-linear', () => {
  const checkEmail = compileCheck(Type.String({ format: 'email' }))
  for (const worst of ['a.', 'a@', 'a@a.', '@', '.', '-', 'é']) {
    const text = `a@${worst.repeat(65_536 / worst.length)}`
    const startedAt = performance.now()
    checkEmail(text, [])
    checkEmail(worst.repeat(65_536 / worst.length), [])
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 20, `${worst}: ${tookMs} ms`)
  }
})

test('any JSON is read or refused, and what was read is read as itself', () => {
  const field = fc.constantFrom(...Object.keys(Patch.properties), 'nickname', '__proto__', '')
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.array(fc.string({ maxLength: 5 }), { maxLength: 5 }),
    fc.constantFrom('open', 'low', '2026-05-14T09:30:00+01:00', 'a@b.co', -0, Number.POSITIVE_INFINITY),
  )
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(field, value), { maxLength: 6, selector: ([key]) => key }), (entries) => {
      const { object, faults } = check(Object.fromEntries(entries))
      if (faults.length > 0) return
      assert.deepEqual(check(object), { object, faults: [], messages: [] })
      assert.deepEqual(JSON.parse(JSON.stringify(object)), object)
    }),
    { seed: 20260514, numRuns: 10_000 },
  )
  assert.deepEqual(Object.keys(Object.prototype), [])
})

test('a nullable field is written as a list of types, with null among its choices', () => {
  assert.deepEqual({ ...nullable(Type.String({ maxLength: 5 })) }, { type: ['string', 'null'], maxLength: 5 })
  assert.deepEqual(
    { ...nullable(Type.Enum(['a'], { type: 'string' })) },
    { type: ['string', 'null'], enum: ['a', null] },
  )
  assert.deepEqual(Patch.required, undefined)
})
