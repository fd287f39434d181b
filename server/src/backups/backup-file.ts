/**
 * The file of a backup, the same for both engines: JSON lines, compressed (zstd). First a header; then for each table
 * a line `{"table", "columns"}` and its rows, an array of values each; last a line that counts the rows and holds the
 * SHA-256 of all bytes before it, so that a cut or changed file is told from a whole one.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Row } from './store.ts'

export const FORMAT_VERSION = 1

/** The first line. */
export interface Header {
  kith_backup: number
  kith_version: string
  schema_version: number
  /** What it was made from; it restores into either. */
  engine: 'sqlite' | 'postgres'
  created_at: string
  /** Of the key without which the signing secrets do not open; null when none has been used yet. */
  key_fingerprint: string | null
}

export interface TableLine {
  table: string
  columns: string[]
}

/** The last line. `rows` counts by table. */
interface Footer {
  rows: Record<string, number>
  sha256: string
}

/** A file that is no whole backup, or cannot be used here. The message is a sentence. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault'
}

const CHUNK_LENGTH = 64 * 1024
const LINE_BYTES_MAX = 64 * 2 ** 20

/**
 * Writes a new file, owner-only, synced when the promise resolves.
 *
 * @param lines the header, then lines of tables and rows
 * @returns how many rows of each table it holds
 */
export async function writeBackupFile(
  path: string,
  lines: AsyncIterable<Header | TableLine | Row>,
): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(bytesOf(lines, rows), compress, out)
  return rows
}

async function* bytesOf(lines: AsyncIterable<Header | TableLine | Row>, rows: Record<string, number>) {
  const digest = createHash('sha256')
  let table = ''
  let text = ''
  for await (const line of lines) {
    if (Array.isArray(line)) {
      rows[table]! += 1
      text += `${JSON.stringify(line.map(written))}\n`
    } else {
      if ('table' in line) {
        table = line.table
        rows[table] = 0
      }
      text += `${JSON.stringify(line)}\n`
    }
    if (text.length < CHUNK_LENGTH) continue
    digest.update(text)
    yield text
    text = ''
  }
  digest.update(text)
  yield `${text}${JSON.stringify({ rows, sha256: digest.digest('hex') } satisfies Footer)}\n`
}

/** Who reads a backup is told its lines in order. What is told counts only once `readBackupFile` has resolved. */
export interface BackupReader {
  header?(header: Header): Promise<void> | void
  table?(line: TableLine): Promise<void> | void
  row?(row: Row, bytes: number): Promise<void> | void
}

/**
 * Reads a backup from end to end.
 *
 * @returns its header, and how many rows of each table it holds
 * @throws BackupFault when the file is no backup, is cut short or was changed; what the reader throws
 */
export async function readBackupFile(
  path: string,
  reader: BackupReader,
): Promise<{ header: Header; rows: Record<string, number> }> {
  const parse = new Lines(reader)
  let inReader: unknown
  try {
    await pipeline(createReadStream(path), createZstdDecompress(), async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        await parse.push(chunk).catch((err) => {
          inReader = err
          throw err
        })
      }
    })
  } catch (err) {
    // A failure of the stream itself is the file's, unless the system could not read it.
    if (err === inReader || (err as NodeJS.ErrnoException).syscall) throw err
    throw new BackupFault(`${path} is damaged or is not a backup of Kith's.`, { cause: err })
  }
  return parse.end()
}

/** Takes bytes apart into lines, checks their order and tells the reader. */
class Lines {
  readonly #reader: BackupReader
  readonly #digest = createHash('sha256')
  readonly #rows: Record<string, number> = {}
  #rest: Buffer[] = []
  #restBytes = 0
  #header: Header | undefined
  #table = ''
  #columns = 0
  #footer: Footer | undefined
  #digestAtFooter = ''

  constructor(reader: BackupReader) {
    this.#reader = reader
  }

  async push(chunk: Buffer): Promise<void> {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const tail = chunk.subarray(start, end + 1)
      const line = this.#restBytes === 0 ? tail : Buffer.concat([...this.#rest, tail])
      this.#rest = []
      this.#restBytes = 0
      start = end + 1
      await this.#line(line)
    }
    if (start === chunk.length) return
    this.#rest.push(chunk.subarray(start))
    this.#restBytes += chunk.length - start
    if (this.#restBytes > LINE_BYTES_MAX) throw damaged()
  }

  end(): { header: Header; rows: Record<string, number> } {
    const isWhole = this.#header && this.#footer && this.#restBytes === 0
    if (!isWhole) throw new BackupFault('The backup is cut short: its end is missing.')
    const isSame =
      this.#footer!.sha256 === this.#digestAtFooter && JSON.stringify(this.#footer!.rows) === JSON.stringify(this.#rows)
    if (!isSame) throw damaged()
    return { header: this.#header!, rows: this.#rows }
  }

  async #line(bytes: Buffer): Promise<void> {
    if (this.#footer) throw damaged()
    const line = parsed(bytes)
    if (!this.#header) {
      this.#header = checkedHeader(line)
      await this.#reader.header?.(this.#header)
    } else if (Array.isArray(line)) {
      if (line.length !== this.#columns || this.#table === '') throw damaged()
      this.#rows[this.#table]! += 1
      await this.#reader.row?.(line.map(read), bytes.length)
    } else if (isTableLine(line) && !Object.hasOwn(this.#rows, line.table)) {
      this.#table = line.table
      this.#columns = line.columns.length
      this.#rows[line.table] = 0
      await this.#reader.table?.(line)
    } else if (isFooter(line)) {
      this.#footer = line
      this.#digestAtFooter = this.#digest.digest('hex')
      return
    } else {
      throw damaged()
    }
    this.#digest.update(bytes)
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw damaged(cause)
  }
}

function checkedHeader(line: unknown): Header {
  const header = line as Header
  if (typeof header !== 'object' || header === null || !Number.isInteger(header.kith_backup)) throw damaged()
  if (header.kith_backup > FORMAT_VERSION) {
    throw new BackupFault(`The backup was made by Kith ${header.kith_version}, which is newer than this program.`)
  }
  return header
}

function isTableLine(line: unknown): line is TableLine {
  const { table, columns } = (line ?? {}) as Partial<TableLine>
  return typeof table === 'string' && Array.isArray(columns) && columns.every((name) => typeof name === 'string')
}

function isFooter(line: unknown): line is Footer {
  const { rows, sha256 } = (line ?? {}) as Partial<Footer>
  return typeof sha256 === 'string' && typeof rows === 'object'
}

function damaged(cause?: unknown): BackupFault {
  return new BackupFault("The backup is damaged, or the file is not a backup of Kith's.", { cause })
}

/** Bytes are written `{"base64": …}`: no column holds an object of its own. */
function written(value: unknown): unknown {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

function read(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { base64 } = value as { base64?: unknown }
  if (typeof base64 !== 'string') throw damaged()
  return Buffer.from(base64, 'base64')
}
