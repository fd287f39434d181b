/** The encoding of a text file: recognised from all of its bytes, then decoded in pieces. */
import { isAscii } from 'node:buffer'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Is told a file's bytes piece by piece, and says in the end what they are. */
export class EncodingSurvey {
  #encoding: Encoding = 'utf-8'
  #strict: TextDecoder | undefined
  #lenient: TextDecoder | undefined
  #isDamaged = false
  /** As UTF-8: letters beyond ASCII, and places that are none. */
  #letters = 0
  #faults = 0
  #holdsUndefined = false

  /** @throws Error with a sentence when this is no text */
  push(bytes: Uint8Array): void {
    if (!this.#strict) this.#begin(bytes)
    const isPlain = this.#encoding === 'utf-8' && isAscii(bytes)
    if (!this.#isDamaged) this.#tryStrictly(isPlain ? undefined : bytes)
    if (isPlain) return
    for (const character of this.#lenient!.decode(bytes, { stream: true })) {
      if (character === '\ufffd') this.#faults++
      else if (character > '\x7f') this.#letters++
    }
    this.#holdsUndefined ||= UNDEFINED_1252.some((byte) => bytes.includes(byte))
  }

  /** @throws Error with a sentence when it cannot be told, or the text is damaged */
  end(): Encoding {
    if (!this.#isDamaged) this.#tryStrictly(undefined)
    if (!this.#isDamaged) return this.#encoding
    if (this.#encoding !== 'utf-8' || this.#letters > this.#faults) {
      throw new Error(`The file looks like ${this.#encoding.toUpperCase()}, but is damaged. ${SAVE_AGAIN}`)
    }
    if (this.#holdsUndefined) throw new Error(`The file is neither UTF-8 nor UTF-16 nor Windows-1252. ${SAVE_AGAIN}`)
    return 'windows-1252'
  }

  #begin(start: Uint8Array): void {
    const kind = foreignKind(start)
    if (kind) throw new Error(`This is ${kind}, not a CSV file. Save what is in it as CSV first.`)
    this.#encoding = encodingOfStart(start)
    this.#strict = new TextDecoder(this.#encoding, { fatal: true })
    this.#lenient = new TextDecoder(this.#encoding)
  }

  /** @param bytes undefined where the last letter has to be complete: before plain ASCII, and at the end */
  #tryStrictly(bytes: Uint8Array | undefined): void {
    try {
      if (bytes) this.#strict?.decode(bytes, { stream: true })
      else this.#strict?.decode()
    } catch {
      this.#isDamaged = true
    }
  }
}

/** Decodes pieces of a file of this encoding; a byte order mark is left out. */
export async function* decoded(pieces: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

const SAVE_AGAIN = 'Save it as UTF-8 and try again.'

/** Bytes that stand for nothing in Windows-1252. */
const UNDEFINED_1252 = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

const FOREIGN: [start: number[], kind: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'an Excel workbook or another ZIP archive'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook'],
  [[0x1f, 0x8b], 'a gzip archive'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
]

function foreignKind(start: Uint8Array): string | undefined {
  return FOREIGN.find(([mark]) => mark.every((byte, at) => start[at] === byte))?.[1]
}

const START_BYTES_MAX = 4096

/** By byte order mark; else by zero bytes: in UTF-16 most letters have one, always on the same side. */
function encodingOfStart(bytes: Uint8Array): Encoding {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const zeros: [even: number, odd: number] = [0, 0]
  const length = Math.min(bytes.length, START_BYTES_MAX)
  for (let at = 0; at < length; at++) if (bytes[at] === 0) zeros[at % 2]!++
  const [even, odd] = zeros
  const few = length / 50
  const many = length / 8
  if (odd > many && even <= few) return 'utf-16le'
  if (even > many && odd <= few) return 'utf-16be'
  if (even + odd > many) throw new Error('This is not a text file.')
  return 'utf-8'
}
