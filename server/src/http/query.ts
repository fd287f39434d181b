import type { Static, TObject, TSchema } from 'typebox'
import { compileRead, type Read } from './check.ts'
import type { Detail } from './errors.ts'
import { addFault, pathOfUnknown, shortened } from './faults.ts'

/**
 * Compiles the schema of an endpoint's query parameters: strings, closed sets of strings, and numbers.
 *
 * What it returns reads the text after `?` (empty when there is none, as it came, still escaped), adds every fault at
 * its key, and gives the values with the schema's defaults for what was not given. An empty text is not given, one of
 * a number or of a closed set is a fault; so is a required key without a default that is not given.
 *
 * @throws TypeError when the schema holds what a query cannot say
 * @see contract §10, "Query"
 */
export function compileQuery<S extends TObject>(schema: S): (query: string, faults: Detail[]) => Readonly<Static<S>> {
  const parameters = new Map(
    Object.entries<TSchema>(schema.properties).map(([key, value]) => [key, compileValue(value)]),
  )
  const defaults: Record<string, unknown> = {}
  for (const [key, value] of Object.entries<TSchema & { default?: unknown }>(schema.properties)) {
    if (value.default !== undefined) defaults[key] = value.default
  }
  Object.freeze(defaults)
  const required = ((schema as TSchema & { required?: string[] }).required ?? []).filter((key) => !(key in defaults))
  return (query, faults) => {
    const values = query === '' ? defaults : readQuery(query, parameters, defaults, faults)
    for (const key of required) {
      const isRefused = () => faults.some(({ path }) => path === key)
      if (values[key] === undefined && !isRefused()) addFault(faults, key, 'required', () => `${key} is required.`)
    }
    return values as Static<S>
  }
}

function compileValue(schema: TSchema): Read {
  const { type, enum: choices } = schema as TSchema & { type?: unknown; enum?: unknown[] }
  if (type === 'string') return compileRead(choices ? schema : { ...schema, type: ['string', 'null'] }, true)
  if (type === 'integer') return compileNumber(schema, DIGITS, 'a whole number, written in digits only')
  if (type === 'number') return compileNumber(schema, DECIMAL, 'a number, written as in -12.5')
  throw new TypeError(`a query parameter must be a string or a number: ${JSON.stringify(schema)}`)
}

function compileNumber(schema: TSchema, pattern: RegExp, expected: string): Read {
  const readNumber = compileRead(schema, true)
  return (value, faults, base, key) => {
    if (pattern.test(value as string)) return readNumber(Number(value), faults, base, key)
    addFault(faults, String(key), 'bad_format', () => `${key} must be ${expected}.`)
    return undefined
  }
}

const DIGITS = /^[0-9]+$/
const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/

function readQuery(
  query: string,
  parameters: Map<string, Read>,
  defaults: Record<string, unknown>,
  faults: Detail[],
): Record<string, unknown> {
  const values = { ...defaults }
  const times = new Map<string, number>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const rawKey = equals === -1 ? pair : pair.slice(0, equals)
    const key = decoded(rawKey)
    if (key === undefined) {
      refuseEscape(faults, rawKey)
      continue
    }
    const timesBefore = times.get(key) ?? 0
    times.set(key, timesBefore + 1)
    const read = parameters.get(key)
    if (timesBefore > 0) {
      if (read && timesBefore === 1) addFault(faults, key, 'not_allowed', () => `${key} may be given only once.`)
      continue
    }
    if (!read) {
      addFault(faults, pathOfUnknown('', key), 'unknown_field', () => `There is no parameter "${shortened(key)}".`)
      continue
    }
    const text = decoded(equals === -1 ? '' : pair.slice(equals + 1))
    if (text === undefined) refuseEscape(faults, key)
    else {
      const value = read(text, faults, '', key) ?? undefined
      if (value !== undefined) values[key] = value
    }
  }
  return values
}

/** A part of a query as it was meant, or undefined when it is not well escaped UTF-8. */
function decoded(part: string): string | undefined {
  if (PLAIN.test(part)) return part
  if (!ESCAPED.test(part)) return undefined
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

const PLAIN = /^[\w.~-]*$/
const ESCAPED = /^[!-~]*$/

function refuseEscape(faults: Detail[], key: string): void {
  const message = () => `${shortened(key)} is not well escaped: it must be UTF-8 with % and two hex digits a byte.`
  addFault(faults, pathOfUnknown('', key), 'bad_format', message)
}
