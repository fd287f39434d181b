import { isUtf8 } from 'node:buffer'
import { type ApiError, type DetailCode, validationError } from './errors.ts'

const NESTING_MAX = 20

/**
 * The JSON object in the bytes of a body. Of a repeated key the last value counts. Keys such as `__proto__` are plain
 * keys of the result, which the check of a schema refuses like any unknown field; numbers too large are Infinity, which
 * it refuses too.
 *
 * @param bytes UTF-8, a byte order mark is skipped; whether no bytes at all are a fault is for the caller
 * @throws ApiError `validation` at the empty path: `not_json` when it is not UTF-8 or not JSON, `out_of_range` when
 *   objects and arrays are nested more than 20 deep, `wrong_type` when it is not an object
 */
export function parseJsonBody(bytes: Uint8Array): Record<string, unknown> {
  if (!isUtf8(bytes)) throw fault('not_json', 'The body is not valid UTF-8.')
  if (isNestedTooDeep(bytes)) throw fault('out_of_range', `The body is nested more than ${NESTING_MAX} levels deep.`)
  const value = parse(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('wrong_type', 'The body must be a JSON object, such as {"full_name": "Ada Lovelace"}.')
  }
  return value as Record<string, unknown>
}

function fault(code: DetailCode, message: string): ApiError {
  return validationError([{ path: '', code, message }])
}

const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const QUOTE = 0x22
const BACKSLASH = 0x5c

function isNestedTooDeep(bytes: Uint8Array): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isInText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      depth++
      if (depth > NESTING_MAX) return true
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth--
  }
  return false
}

const utf8 = new TextDecoder()

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw fault('not_json', 'The body is not valid JSON.')
  }
}
