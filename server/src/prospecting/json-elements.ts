import { validationError } from '../http/errors.ts'

/** An outline with thousands of corners has some 100 KiB. */
const ELEMENT_BYTES_MAX = 8 * 2 ** 20
const REASON_LENGTH_MAX = 120

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OBJECT_START = 0x7b
const OBJECT_END = 0x7d
const LIST_START = 0x5b
const LIST_END = 0x5d
const LINE_FEED = 0x0a

/** Ends what stands before a list of elements. */
const LIST_NAME = /"(?:features|elements)"\s*:\s*$/
const LIST_NAME_BYTES_MAX = 64

/**
 * Finds the elements in JSON that comes in pieces: the members of the list `features` (GeoJSON) or `elements` (Overpass)
 * of one document, or documents that follow one another (GeoJSON lines). It looks for where an element ends and leaves
 * the rest to JSON.parse, so that little more than one piece is in memory.
 *
 * A general streaming parser makes a token of each value: stream-json 3.8 takes 47 s for a million places (412 MB), this
 * 6 s. Nor is that one meant for files from anybody.
 */
export class JsonElements {
  /**
   * Before the list; in the list; in what follows it, which is kept to its end; or among documents that are an element
   * each.
   */
  #part: 'before' | 'list' | 'behind' | 'documents' = 'before'
  #rest: Buffer = Buffer.alloc(0)
  /** From this length on, looking for the end of the element again is worth it: each time twice as much text. */
  #bytesWanted = 0
  #around = ''
  /** Elements so far. */
  #number = 0
  #lines = 1

  /**
   * @param piece may be overwritten afterwards
   * @returns the elements that are complete now
   * @throws ApiError `validation` at `file` that names the element and its line
   */
  push(piece: Uint8Array): unknown[] {
    this.#rest = Buffer.concat([this.#rest, piece])
    return this.#rest.length < this.#bytesWanted ? [] : this.#elements()
  }

  /**
   * @returns the elements that were left, and the document without those of its list; an empty one where the elements
   *   were documents
   * @throws ApiError `validation` at `file` when the file ends too early
   */
  end(): { elements: unknown[]; around: Record<string, unknown> } {
    const elements = this.#elements()
    if (this.#part === 'documents' && this.#rest.length === 0) return { elements, around: {} }
    if (this.#part !== 'behind') {
      const comma = afterSpace(this.#rest, 0)
      const start = this.#rest[comma] === COMMA ? afterSpace(this.#rest, comma + 1) : comma
      throw this.#fault('the file ends in the middle of it', this.#rest, start)
    }
    return { elements, around: this.#parsed(this.#around + this.#rest.toString()) as Record<string, unknown> }
  }

  #elements(): unknown[] {
    const bytes = this.#rest
    const elements: unknown[] = []
    let at = 0
    for (let next: number | undefined = 0; next !== undefined; next = this.#step(bytes, at, elements)) at = next
    this.#lines += lineFeedsIn(bytes, at)
    this.#rest = bytes.subarray(at)
    this.#bytesWanted = 2 * this.#rest.length
    if (this.#part === 'behind' && this.#rest.length > ELEMENT_BYTES_MAX) throw this.#fault('it does not end')
    return elements
  }

  /** @returns how far it has come, undefined when more bytes are needed */
  #step(bytes: Buffer, at: number, elements: unknown[]): number | undefined {
    if (this.#part === 'before') return this.#stepBefore(bytes, at)
    if (this.#part === 'behind') return undefined
    let start = afterSpace(bytes, at)
    if (start === bytes.length) return start > at ? start : undefined
    if (this.#part === 'list') {
      if (bytes[start] === LIST_END) {
        this.#part = 'behind'
        return start
      }
      if (this.#number > 0) {
        if (bytes[start] !== COMMA) throw this.#fault('a comma is missing before it', bytes, start)
        start = afterSpace(bytes, start + 1)
      }
    }
    const end = start < bytes.length ? objectEnd(bytes, start) : undefined
    if (end === 'none') throw this.#fault('it does not begin with {', bytes, start)
    if (end === undefined) {
      if (bytes.length - start > ELEMENT_BYTES_MAX) throw this.#fault('it does not end', bytes, start)
      return undefined
    }
    elements.push(this.#parsed(bytes.toString('utf8', start, end), bytes, start))
    this.#number++
    return end
  }

  /** Goes to behind the `[` of the list, or to the start where the first document has none. */
  #stepBefore(bytes: Buffer, at: number): number | undefined {
    const start = afterSpace(bytes, at)
    if (start === bytes.length) return undefined
    if (bytes[start] !== OBJECT_START) throw this.#fault('it does not begin with {', bytes, start)
    const list = listStart(bytes, start)
    if (list === 'none') {
      this.#part = 'documents'
      return start
    }
    if (list === undefined) {
      if (bytes.length > ELEMENT_BYTES_MAX) throw this.#fault('there is no list of features', bytes, start)
      return undefined
    }
    this.#part = 'list'
    this.#around = bytes.toString('utf8', start, list)
    return list
  }

  #parsed(text: string, bytes?: Buffer, start?: number): unknown {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw this.#fault((error as Error).message.slice(0, REASON_LENGTH_MAX), bytes, start)
    }
  }

  #fault(reason: string, bytes?: Buffer, start = 0): Error {
    const line = (this.#lines + (bytes ? lineFeedsIn(bytes, start) : 0)).toLocaleString('en')
    const where =
      this.#part === 'behind' ? 'behind its features' : `at feature ${(this.#number + 1).toLocaleString('en')}`
    const message = `The file is broken ${where}, line ${line}: ${reason}.`
    return validationError([{ path: 'file', code: 'not_json', message }])
  }
}

/** Behind white space, a byte order mark, and the mark before each element of a text sequence (RFC 8142). */
function afterSpace(bytes: Buffer, at: number): number {
  let after = at
  while (after < bytes.length && (bytes[after]! <= 0x20 || BYTE_ORDER_MARK.has(bytes[after]!))) after++
  return after
}

const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf])

/** @returns undefined when the object does not end in these bytes, `none` when it does not begin at `start` */
function objectEnd(bytes: Buffer, start: number): number | 'none' | undefined {
  if (bytes[start] !== OBJECT_START) return 'none'
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = closingQuote(bytes, at + 1)
    } else if (byte === OBJECT_START || byte === LIST_START) {
      depth++
    } else if (byte === OBJECT_END || byte === LIST_END) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/** @returns where the list begins, undefined when that is not in these bytes, `none` when the object ends without one */
function listStart(bytes: Buffer, start: number): number | 'none' | undefined {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = closingQuote(bytes, at + 1)
    } else if (byte === OBJECT_START || byte === LIST_START) {
      const name =
        depth === 1 && byte === LIST_START && bytes.toString('latin1', Math.max(0, at - LIST_NAME_BYTES_MAX), at)
      if (name && LIST_NAME.test(name)) return at + 1
      depth++
    } else if (byte === OBJECT_END || byte === LIST_END) {
      depth--
      if (depth === 0) return 'none'
    }
  }
  return undefined
}

function closingQuote(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

function lineFeedsIn(bytes: Buffer, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0 && at < end; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
