import type { Static, TSchema } from 'typebox'
import { parseTime } from '../times.ts'
import { isUuid } from '../uuid.ts'
import type { Detail, DetailCode } from './errors.ts'
import { addFault, pathOf, pathOfUnknown, shortened } from './faults.ts'

/** Reads a value by a schema; what it returns counts only when it added no fault. */
export type Check<T> = (value: unknown, faults: Detail[], basePath?: string) => T

/**
 * Compiles a schema to the check of an input by the rules of the contract, with no coercion and every fault listed.
 *
 * What it returns is new and holds only the schema's own fields, those that were sent: strings trimmed and null when
 * empty, times in the stored form, -0 as 0, null for a list as `[]`. Defaults are left to the caller.
 *
 * The keywords are those of KEYWORDS, with these meanings of Kith's own:
 * - `readOnly`: server-set, so `not_allowed` when sent.
 * - `format: 'uuid'`: names a record, so a malformed one is `not_found` like one that is not there.
 * - `minLength`: at least 1 says that a value is needed, so null is `required` and not `wrong_type`.
 * - `x-distinct` on a list: empty entries and repeats are dropped before `maxItems` counts.
 * - `x-verbatim` on a string: taken exactly as sent, not trimmed (passwords).
 *
 * @throws TypeError when the schema holds what this does not check, so that no rule is silently ignored
 * @see contract §1, §5 and §10, "Codes of `details`"
 */
export function compileCheck<S extends TSchema>(schema: S): Check<Static<S>> {
  const read = compileRead(schema, false)
  return (value, faults, basePath = '') => read(value, faults, basePath, undefined) as Static<S>
}

/** Reads the value of `key` in what has the path `base`; no key means that `base` is its own path. */
export type Read = (value: unknown, faults: Detail[], base: string, key: string | number | undefined) => unknown

/** As `compileCheck`, for one field of something larger. */
export function compileRead(schema: TSchema, isRequired: boolean): Read {
  const keywords = knownKeywords(schema)
  const types = keywords.type === undefined ? [] : [keywords.type].flat()
  const isNullable = types.includes('null')
  const type = types.find((name) => name !== 'null') ?? ''
  const compile = COMPILERS[type]
  if (!compile || types.length > (isNullable ? 2 : 1)) {
    throw new TypeError(`not one checked type (with or without null): ${JSON.stringify(schema)}`)
  }
  const refuseOther = refuseType(TYPE_NAMES[type] + (isNullable ? ' or null' : ''))
  const needsValue = isRequired || (keywords.minLength ?? 0) > 0
  const readEmpty = isNullable ? () => (type === 'array' ? [] : null) : refuseEmpty
  const readNull = isNullable || needsValue ? readEmpty : refuseOther
  const readValue = compile(keywords, { refuseType: refuseOther, readEmpty })
  return (value, faults, base, key) => (value === null ? readNull : readValue)(value, faults, base, key)
}

interface Keywords {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  items?: TSchema
  maxItems?: number
  properties?: Record<string, TSchema>
  required?: string[]
  additionalProperties?: boolean
  readOnly?: boolean
  'x-distinct'?: boolean
  'x-verbatim'?: boolean
}

const CHECKED =
  'type enum const minLength maxLength pattern format minimum maximum items maxItems properties required additionalProperties'
const ANNOTATIONS = '$id title description default examples deprecated'
const KEYWORDS = new Set(`${CHECKED} ${ANNOTATIONS} readOnly x-distinct x-verbatim`.split(' '))

function knownKeywords(schema: TSchema): Keywords {
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword))
  if (unknown.length > 0) throw new TypeError(`keywords that are not checked: ${unknown.join(', ')}`)
  return schema as Keywords
}

/** How a reader answers what is the same for all types. */
interface Answers {
  refuseType: Read
  readEmpty: Read
}

const COMPILERS: Record<string, (keywords: Keywords, answers: Answers) => Read> = {
  string: (keywords, answers) =>
    keywords.enum || keywords.const !== undefined ? compileChoice(keywords, answers) : compileText(keywords, answers),
  number: compileNumber,
  integer: compileNumber,
  boolean: compileBoolean,
  array: compileList,
  object: compileObject,
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}

function compileChoice(keywords: Keywords, { refuseType, readEmpty }: Answers): Read {
  const choices = (keywords.enum ?? [keywords.const]).filter((choice) => choice !== null)
  const allowed = new Set<unknown>(choices)
  const refuseOther = refuse('not_allowed', (name) => `${name} must be ${oneOf(choices)}.`)
  return (value, faults, base, key) => {
    if (typeof value !== 'string') return refuseType(value, faults, base, key)
    const choice = value.trim()
    if (choice === '') return readEmpty(value, faults, base, key)
    return allowed.has(choice) ? choice : refuseOther(value, faults, base, key)
  }
}

function oneOf(choices: unknown[]): string {
  return choices.length === 1 ? String(choices[0]) : `one of ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

function compileText(keywords: Keywords, { refuseType, readEmpty }: Answers): Read {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = keywords
  const isVerbatim = keywords['x-verbatim'] === true
  const readFormat = compileFormat(keywords)
  const refuseShort = refuse(
    'out_of_range',
    (name, value) => `${name} must be at least ${minLength} characters; it has ${codePoints(String(value))}.`,
  )
  const refuseLong = refuse(
    'too_long',
    (name, value) => `${name} must be at most ${maxLength} characters; it has ${codePoints(String(value))}.`,
  )
  return (value, faults, base, key) => {
    if (typeof value !== 'string') return refuseType(value, faults, base, key)
    const text = isVerbatim ? value : value.trim()
    if (text === '') return readEmpty(value, faults, base, key)
    if (text.includes('\0') || !text.isWellFormed()) return refuseUnstorable(text, faults, base, key)
    if (text.length > maxLength && codePoints(text) > maxLength) return refuseLong(text, faults, base, key)
    if (minLength > 1 && codePoints(text) < minLength) return refuseShort(text, faults, base, key)
    return readFormat ? readFormat(text, faults, base, key) : text
  }
}

const refuseUnstorable = refuse('bad_format', (name, value) =>
  String(value).includes('\0')
    ? `${name} must not contain the character U+0000.`
    : `${name} must be well-formed Unicode; it contains half of a surrogate pair.`,
)

/** Of well-formed text. */
function codePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) continue
    count--
    at++
  }
  return count
}

function compileFormat(keywords: Keywords): Read | undefined {
  if (keywords.pattern !== undefined) {
    if (keywords.format !== undefined) throw new TypeError('a pattern and a format on one string')
    const pattern = new RegExp(keywords.pattern, 'u')
    const refuseOther = refuse('bad_format', (name) => `${name} must match the pattern ${keywords.pattern}.`)
    return (value, faults, base, key) => (pattern.test(value as string) ? value : refuseOther(value, faults, base, key))
  }
  if (keywords.format === undefined) return undefined
  const readFormat = FORMATS[keywords.format]
  if (!readFormat) throw new TypeError(`a format that is not checked: ${keywords.format}`)
  return readFormat
}

const FORMATS: Record<string, Read> = {
  email: (value, faults, base, key) => (EMAIL.test(value as string) ? value : refuseEmail(value, faults, base, key)),
  'date-time': (value, faults, base, key) => parseTime(value as string) ?? refuseTime(value, faults, base, key),
  uuid: (value, faults, base, key) => (isUuid(value as string) ? value : refuseId(value, faults, base, key)),
}

/** One @ with no blank, control, bracket or list character before it, and a name of two labels or more after it. */
const EMAIL = /^[^\s\p{Cc}\p{Cf}()<>[\]\\,;:"@]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

const refuseEmail = refuse('bad_format', (name) => `${name} must be an e-mail address such as ada@example.com.`)

const refuseTime = refuse(
  'bad_format',
  (name) => `${name} must be a time that exists, with date and offset, such as 2026-05-14T09:30:00Z.`,
)

const refuseId = refuse('not_found', (name) => `${name} names no record.`)

function compileNumber(keywords: Keywords, { refuseType }: Answers): Read {
  const isInteger = [keywords.type].flat().includes('integer')
  const largest = isInteger ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  const { minimum = -largest, maximum = largest } = keywords
  const refuseRange = refuse(
    'out_of_range',
    (name, value) =>
      `${name} must be from ${minimum} to ${maximum}; it is ${Number.isFinite(value) ? value : 'too large'}.`,
  )
  const refuseFraction = refuse('wrong_type', (name, value) => `${name} must be a whole number; it is ${value}.`)
  return (value, faults, base, key) => {
    if (typeof value !== 'number') return refuseType(value, faults, base, key)
    if (!(value >= minimum && value <= maximum)) return refuseRange(value, faults, base, key)
    if (isInteger && !Number.isInteger(value)) return refuseFraction(value, faults, base, key)
    return value === 0 ? 0 : value
  }
}

function compileBoolean(_: Keywords, { refuseType }: Answers): Read {
  return (value, faults, base, key) => (typeof value === 'boolean' ? value : refuseType(value, faults, base, key))
}

function compileList(keywords: Keywords, { refuseType }: Answers): Read {
  const { items, maxItems = Number.POSITIVE_INFINITY } = keywords
  if (!items) throw new TypeError('a list without items')
  const readEntry = compileRead(items, false)
  const isDistinct = keywords['x-distinct'] === true
  const kind = isDistinct ? 'different entries' : 'entries'
  return (value, faults, base, key) => {
    if (!Array.isArray(value)) return refuseType(value, faults, base, key)
    const path = pathOf(base, key)
    const entries = isDistinct
      ? readDistinct(value, readEntry, faults, path)
      : value.map((entry, at) => readEntry(entry, faults, path, at))
    if (entries.length > maxItems) {
      const message = () => `${nameOf(path)} must have at most ${maxItems} ${kind}; it has ${entries.length}.`
      addFault(faults, path, 'out_of_range', message)
    }
    return entries
  }
}

function readDistinct(list: unknown[], readEntry: Read, faults: Detail[], path: string): unknown[] {
  const entries = new Set<unknown>()
  for (let at = 0; at < list.length; at++) {
    const value = list[at]
    if (typeof value === 'string' && value.trim() === '') continue
    const entry = readEntry(value, faults, path, at)
    if (entry !== undefined) entries.add(entry)
  }
  return [...entries]
}

function compileObject(keywords: Keywords, { refuseType }: Answers): Read {
  if (keywords.additionalProperties !== false) throw new TypeError('an object without additionalProperties: false')
  const required = keywords.required ?? []
  const fields = new Map(
    Object.entries(keywords.properties ?? {}).map(([field, schema]) => [
      field,
      knownKeywords(schema).readOnly ? refuseServerSet : compileRead(schema, required.includes(field)),
    ]),
  )
  return (value, faults, base, key) => {
    if (typeof value !== 'object' || Array.isArray(value)) return refuseType(value, faults, base, key)
    const path = pathOf(base, key)
    const sent = value as Record<string, unknown>
    const object: Record<string, unknown> = {}
    for (const field of Object.keys(sent)) {
      const read = fields.get(field)
      if (read) object[field] = read(sent[field], faults, path, field)
      else refuseUnknown(faults, path, field)
    }
    for (const field of required) {
      if (!Object.hasOwn(sent, field) && fields.get(field) !== refuseServerSet) refuseMissing(null, faults, path, field)
    }
    return object
  }
}

const refuseServerSet = refuse('not_allowed', (name) => `${name} is set by the server; it cannot be sent here.`)

const refuseEmpty = refuse('required', (name) => `${name} must not be empty.`)

const refuseMissing = refuse('required', (name) => `${name} is required.`)

function refuseUnknown(faults: Detail[], base: string, key: string): void {
  addFault(faults, pathOfUnknown(base, key), 'unknown_field', () => `There is no field "${shortened(key)}".`)
}

function refuseType(expected: string): Read {
  return refuse('wrong_type', (name, value) => `${name} must be ${expected}, not ${typeName(value)}.`)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** A reader that takes nothing: it adds a fault and returns undefined. */
function refuse(code: DetailCode, message: (name: string, value: unknown) => string): Read {
  return (value, faults, base, key) => {
    const path = pathOf(base, key)
    addFault(faults, path, code, () => message(nameOf(path), value))
    return undefined
  }
}

function nameOf(path: string): string {
  return path === '' ? 'The body' : path
}
