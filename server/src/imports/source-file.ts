/** The file that is imported: read once to know it, and again for its rows. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { ApiError, validationError } from '../http/errors.ts'
import type { Delimiter } from '../text/csv-delimiter.ts'
import { type Row, RowSplitter } from '../text/csv-rows.ts'
import { decoded, type Encoding, EncodingSurvey } from '../text/encoding.ts'

export const PIECE_BYTES = 128 * 1024

export interface SourceFile {
  /** Without folders; only ever shown. */
  name: string
  bytes: number
  /** SHA-256 of all bytes, hex. */
  hash: string
  encoding: Encoding
  /** The bytes from the beginning; each piece may be overwritten by the next. */
  pieces(): AsyncIterable<Uint8Array>
}

/** How the bytes of a file are made into rows. */
export interface Format {
  encoding: Encoding
  delimiter: Delimiter
}

/**
 * Reads the whole file once.
 *
 * @throws ApiError `validation` at `file` when it cannot be read, is empty, or is no text of a known encoding
 */
export async function surveyFile(path: string): Promise<SourceFile> {
  const survey = new FileSurvey()
  try {
    for await (const piece of piecesOf(path)) survey.push(piece)
  } catch (error) {
    throw error instanceof ApiError ? error : fileFault(messageOf(error))
  }
  return { name: basename(path), ...survey.end(), pieces: () => piecesOf(path) }
}

/** Is told a file's bytes piece by piece, and says in the end what they are. */
export class FileSurvey {
  readonly #hash = createHash('sha256')
  readonly #encoding = new EncodingSurvey()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** @throws ApiError `validation` at `file` when this is no text */
  push(piece: Uint8Array): void {
    this.#hash.update(piece)
    this.#bytes += piece.length
    asFileFault(() => this.#encoding.push(piece))
  }

  /** @throws ApiError `validation` at `file` when it is empty, or no text of a known encoding */
  end(): Pick<SourceFile, 'bytes' | 'hash' | 'encoding'> {
    if (this.#bytes === 0) throw fileFault('The file is empty.')
    const encoding = asFileFault(() => this.#encoding.end())
    return { bytes: this.#bytes, hash: this.#hash.digest('hex'), encoding }
  }
}

function asFileFault<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fileFault((error as Error).message)
  }
}

/** The text of the first 128 KiB, or of the whole file. */
export async function startOfFile(
  file: SourceFile,
  encoding: Encoding = file.encoding,
): Promise<{ text: string; isWhole: boolean }> {
  for await (const text of decoded(file.pieces(), encoding)) return { text, isWhole: file.bytes <= PIECE_BYTES }
  return { text: '', isWhole: true }
}

/** Longer texts go where V8 collects garbage seldom, and splitting them into rows would hold the event loop. */
const DECODED_BYTES = 16 * 1024

/**
 * All rows, the header first, as they come in: some hundreds at a time.
 *
 * @throws ApiError `validation` at `file` when the file is not the surveyed one any more
 */
export async function* readRows(file: SourceFile, format: Format): AsyncGenerator<{ rows: Row[]; bytesRead: number }> {
  const rows = new RowSplitter(format.delimiter)
  const hash = createHash('sha256')
  let bytesRead = 0
  const counted = async function* () {
    for await (const piece of file.pieces()) {
      hash.update(piece)
      for (let at = 0; at < piece.length; at += DECODED_BYTES) {
        const part = piece.subarray(at, at + DECODED_BYTES)
        bytesRead += part.length
        yield part
      }
    }
  }
  for await (const text of decoded(counted(), format.encoding)) yield { rows: rows.push(text), bytesRead }
  if (hash.digest('hex') !== file.hash) throw fileFault('The file was changed while it was being read.')
  yield { rows: rows.end(), bytesRead }
}

export function fileFault(message: string): Error {
  return validationError([{ path: 'file', code: 'not_allowed', message }])
}

/** The bytes in pieces; each is overwritten by the next. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path)
  try {
    // Its rows are read in a second pass, which a pipe has not.
    if (!(await handle.stat()).isFile()) throw new Error('It must be a file, not a folder, a pipe or a device.')
    const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
    for (;;) {
      const { bytesRead } = await handle.read({ buffer })
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'There is no such file.',
  EACCES: 'The file may not be read.',
  EISDIR: 'It must be a file, not a folder, a pipe or a device.',
}

function messageOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return (code && REASONS[code]) ?? message
}
