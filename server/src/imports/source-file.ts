/** The file that is imported: read once to know it, and again for its rows. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { validationError } from '../http/errors.ts'
import { decoded, type Encoding, EncodingSurvey } from './encoding.ts'
import { type Row, RowSplitter } from './rows.ts'

const PIECE_BYTES = 128 * 1024

export interface SourceFile {
  path: string
  /** Without folders; only ever shown. */
  name: string
  bytes: number
  /** SHA-256 of all bytes, hex. */
  hash: string
  encoding: Encoding
}

/** How the bytes of a file are made into rows. */
export interface Format {
  encoding: Encoding
  delimiter: string
}

/**
 * Reads the whole file once.
 *
 * @throws ApiError `validation` at `file` when it cannot be read, is empty, or is no text of a known encoding
 */
export async function surveyFile(path: string): Promise<SourceFile> {
  const hash = createHash('sha256')
  const survey = new EncodingSurvey()
  let bytes = 0
  try {
    for await (const piece of pieces(path)) {
      hash.update(piece)
      survey.push(piece)
      bytes += piece.length
    }
    if (bytes === 0) throw new Error('The file is empty.')
    return { path, name: basename(path), bytes, hash: hash.digest('hex'), encoding: survey.end() }
  } catch (error) {
    throw fileFault(messageOf(error))
  }
}

/** The text of the first 128 KiB, or of the whole file. */
export async function startOfFile(file: SourceFile): Promise<{ text: string; isWhole: boolean }> {
  for await (const text of decoded(pieces(file.path), file.encoding))
    return { text, isWhole: file.bytes <= PIECE_BYTES }
  return { text: '', isWhole: true }
}

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
    for await (const piece of pieces(file.path)) {
      bytesRead += piece.length
      hash.update(piece)
      yield piece
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
async function* pieces(path: string): AsyncGenerator<Uint8Array> {
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
