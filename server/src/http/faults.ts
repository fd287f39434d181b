import { DETAILS_MAX, type Detail, type DetailCode } from './errors.ts'

/** Stands for each fault that is counted, but is too far down the list to be shown. */
const UNLISTED: Detail = { path: '', code: 'too_many', message: '' }

/**
 * Adds a fault to the list. Past the faults that an answer shows it is only counted, and `message` is not called.
 *
 * @param message says what is wrong as one sentence for a person
 */
export function addFault(faults: Detail[], path: string, code: DetailCode, message: () => string): void {
  faults.push(faults.length < DETAILS_MAX ? { path, code, message: message() } : UNLISTED)
}

/** The path of a known field or of a place in a list: `tags/3`. Without a key it is the base itself. */
export function pathOf(base: string, key: string | number | undefined): string {
  if (key === undefined) return base
  return base === '' ? String(key) : `${base}/${key}`
}

/**
 * The path of a key that a caller made up: as in a JSON pointer `~` is `~0` and `/` is `~1`, and the rest of a long
 * key is left out.
 */
export function pathOfUnknown(base: string, key: string): string {
  return pathOf(
    base,
    shortened(
      key
        .slice(0, SHOWN_BYTES_MAX + 1)
        .replaceAll('~', '~0')
        .replaceAll('/', '~1'),
    ),
  )
}

const SHOWN_BYTES_MAX = 100

/**
 * A text of the caller's that an answer repeats, at most 100 bytes of JSON: a hundred faults with two of them each
 * have to stay below 32 KiB.
 */
export function shortened(text: string): string {
  let bytes = 0
  let shown = ''
  for (const letter of text.slice(0, SHOWN_BYTES_MAX + 1).toWellFormed()) {
    bytes += jsonBytes(letter.codePointAt(0)!)
    if (bytes > SHOWN_BYTES_MAX) return `${shown}…`
    shown += letter
  }
  return shown
}

function jsonBytes(code: number): number {
  if (code < 0x20) return 6
  if (code === 0x22 || code === 0x5c) return 2
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
