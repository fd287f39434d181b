/** Requests as nobody would write them, for the fuzz test: the same seed makes the same ones. */
import fc from 'fast-check'
import type { Headers, Sent } from './http-client.ts'

/** A request to a path below `/api/v1`; `{contact}` and `{task}` in path and body stand for a record made before. */
export interface GeneratedRequest {
  method: string
  path: string
  body: Sent
  headers: Headers
}

/** @returns that many requests, the same ones for the same seed */
export function generateRequests(count: number, seed: number): GeneratedRequest[] {
  return fc.sample(request, { numRuns: count, seed })
}

const oddText = fc.constantFrom(
  ...['', ' ', '\0', 'a\0b', '\ud800', 'x\udfff', '\u{1f600}', '\u200b', '\ufeff', '\u0085', '\u2028', 'İ', 'ﬁ', 'ẞ'],
  ...[
    '%',
    '_',
    '\\',
    "'",
    '"',
    '; drop table contact',
    '<script>alert(1)</script>',
    '=1+1',
    '\x1b[2J',
    'a\r\nb',
    '1e400',
  ],
  ...[
    '__proto__',
    'constructor',
    'null',
    'NaN',
    'é',
    'e\u0301',
    '\u1100\u1161\u11a8',
    '\ud83d\udc68\u200d\ud83d\udc69',
  ],
  ...['x'.repeat(64), 'x'.repeat(65), 'x'.repeat(200), 'x'.repeat(201), '\u{1f600}'.repeat(200), 'x'.repeat(501)],
)
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 3, arbitrary: oddText },
)
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1e15, -1e15, 1e15 + 1, 5e-324, 1.797e308, 2 ** 53, 0.1),
)
const time = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') })
    .map((date) => date.toISOString()),
  fc.constantFrom('2026-02-30T00:00:00Z', '2026-05-14', '2026-05-14T09:30:00+02:00', '2026-05-14T24:00:00Z', 'now', ''),
)
const anything = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }), fc.array(text))

/** Mostly right, so that most bodies get past the first fault. */
const mostly = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: anything })

const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('Ada', 'Zoë', 'ÅSA'),
  text,
)
const contactFields = {
  full_name: mostly(name),
  company: mostly(name),
  email: mostly(fc.oneof(fc.emailAddress(), fc.constant(null))),
  phone: mostly(fc.string({ maxLength: 20 })),
  location: mostly(fc.string({ unit: 'grapheme', maxLength: 20 })),
  deal_stage: mostly(fc.constantFrom('lead', 'won', 'Zz', null, '')),
  deal_value: mostly(fc.oneof(number, fc.constantFrom(5, 5, 7, null))),
  label: mostly(fc.constantFrom('hot', 'cold', null)),
  tags: mostly(fc.array(name, { maxLength: 60 })),
}
const taskFields = {
  title: mostly(name),
  priority: mostly(fc.constantFrom('high', 'low', null)),
  category: mostly(fc.constantFrom('call', null)),
  due_at: mostly(time),
  contact_id: mostly(fc.constantFrom('{contact}', null)),
  status: mostly(fc.constantFrom('open', 'done', 'completed', 'cancelled')),
}
const strange = fc.dictionary(
  fc.oneof(text, fc.constantFrom('id', 'created_at', '__proto__', 'org_id', 'toString')),
  anything,
  { maxKeys: 3 },
)

function bodyOf(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Sent> {
  const object = fc.record(fields, { requiredKeys: [] })
  const json = (value: unknown) => JSON.stringify(value)
  return fc.oneof(
    { weight: 12, arbitrary: object.map(json) },
    { weight: 2, arbitrary: fc.tuple(object, strange).map(([known, more]) => json({ ...known, ...more })) },
    { weight: 1, arbitrary: fc.tuple(object.map(json), fc.nat(200)).map(([whole, end]) => whole.slice(0, end)) },
    { weight: 1, arbitrary: fc.jsonValue().map(json) },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom<Sent>(undefined, '{}', '', '['.repeat(500), 'x'.repeat(65_537)) },
  )
}

const encoded = text.map((value) => encodeURIComponent(value.toWellFormed()))
const rawInPath = fc.string({
  unit: fc.constantFrom(...'abc019-._~!$&\'()*+,;=:@/?%|^`{}<>"\\[]\u00e9\u00ff'),
  maxLength: 12,
})
const queryPart = fc.oneof(
  fc.tuple(fc.constant('q'), fc.oneof(encoded, fc.constantFrom('ada', 'z', 'ås', '%25', '_').map(encodeURI))),
  fc.tuple(
    fc.constantFrom('stage', 'label', 'status'),
    fc.oneof(encoded, fc.constantFrom('lead', 'hot', 'open', 'done')),
  ),
  fc.tuple(
    fc.constantFrom('limit', 'offset'),
    fc.oneof(
      fc.integer({ min: -1, max: 202 }).map(String),
      fc.constantFrom('', '1e1', '0x5', '%205', '+5', '1000000000', '1000000001', '5.0', '9'.repeat(30)),
      encoded,
    ),
  ),
  fc.tuple(encoded, encoded),
  fc.tuple(rawInPath, rawInPath),
)
const query = fc
  .array(queryPart, { maxLength: 3 })
  .map((parts) => (parts.length ? `?${parts.map((pair) => pair.join('=')).join('&')}` : ''))
const rarely = (some: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: some })

const recordId = (kind: string) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(`{${kind}}`) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: encoded },
    { weight: 1, arbitrary: rawInPath },
  )
const headers: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Headers>({}) },
  {
    weight: 2,
    arbitrary: fc.oneof(fc.constantFrom('k1', 'k2', 'k3'), fc.string({ maxLength: 300 })).map((key): Headers => {
      return { 'idempotency-key': key.trim() || 'k' }
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('text/plain', 'application/json; charset=utf-8', 'application/json; charset=x', 'x')
      .map((type): Headers => ({ 'content-type': type })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'x-forwarded-for',
          'x-forwarded-proto',
          'accept',
          'range',
          'if-none-match',
          'cookie',
          'expect',
          'te',
        ),
        fc.string({ maxLength: 50 }),
      )
      .filter(([name]) => name !== 'expect')
      .map(([name, value]): Headers => ({ [name]: value.trim() || 'x' })),
  },
)

type Shape = [method: string, path: fc.Arbitrary<string>, body: fc.Arbitrary<Sent>]

const none = fc.constant<Sent>(undefined)
const at = (path: string) => fc.constant(path)
const record = (path: string, kind: string) => recordId(kind).map((id) => `/${path}/${id}`)
const shapes: { weight: number; shape: Shape }[] = [
  { weight: 6, shape: ['POST', at('/contacts'), bodyOf(contactFields)] },
  { weight: 5, shape: ['PATCH', record('contacts', 'contact'), bodyOf(contactFields)] },
  { weight: 2, shape: ['GET', record('contacts', 'contact'), none] },
  { weight: 1, shape: ['DELETE', record('contacts', 'contact'), none] },
  { weight: 4, shape: ['GET', fc.tuple(at('/contacts'), query).map((parts) => parts.join('')), none] },
  { weight: 2, shape: ['GET', fc.tuple(at('/deals'), query).map((parts) => parts.join('')), none] },
  { weight: 2, shape: ['GET', fc.tuple(at('/tasks'), query).map((parts) => parts.join('')), none] },
  { weight: 4, shape: ['POST', at('/tasks'), bodyOf(taskFields)] },
  { weight: 3, shape: ['PATCH', record('tasks', 'task'), bodyOf(taskFields)] },
  { weight: 1, shape: ['GET', rawInPath.map((rest) => `/${rest}`), none] },
  { weight: 1, shape: ['PUT', at('/contacts'), none] },
  { weight: 1, shape: ['HEAD', fc.tuple(at('/contacts'), query).map((parts) => parts.join('')), none] },
]

const request: fc.Arbitrary<GeneratedRequest> = fc.oneof(
  ...shapes.map(({ weight, shape: [method, path, body] }) => ({
    weight,
    arbitrary: fc
      .record({ method: fc.constant(method), path, more: rarely(query), body, headers })
      .map(({ more, ...rest }) => ({ ...rest, path: rest.path + (rest.path.includes('?') ? '' : more) }))
      .map((made) => (method === 'HEAD' ? { ...made, path: wellFormed(made.path) } : made)),
  })),
)

/** What refuses malformed requests cannot know that an answer to HEAD has no body. */
function wellFormed(path: string): string {
  return path.replaceAll(/[^!-~]/g, '')
}
