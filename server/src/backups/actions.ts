import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { now, toIso } from '../clock.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { SCHEMA_VERSION } from '../database/migrate.ts'
import { KEPT_TABLES, type KeptTable } from '../database/tables.ts'
import { VERSION } from '../version.ts'
import {
  BackupFault,
  FORMAT_VERSION,
  type Header,
  readBackupFile,
  type TableLine,
  writeBackupFile,
} from './backup-file.ts'
import { clearEmptyDatabase, columnsOf, insertRows, keyFingerprintOf, pagesOf, type Row, settle } from './store.ts'

export interface BackupSummary {
  header: Header
  /** How many rows of each table. */
  rows: Record<string, number>
}

/**
 * Writes the database as it is now to a new file, whatever is written to it meanwhile, in constant memory.
 *
 * Signing secrets are in it as they are kept, sealed; the key is not.
 *
 * @throws BackupFault when the file exists
 */
export async function makeBackup(db: Database, path: string): Promise<BackupSummary> {
  refuseExisting(path)
  const part = `${path}.part`
  await rm(part, { force: true })
  try {
    const summary = await db.snapshot(async (reader) => {
      const header = await headerOf(db.engine, reader)
      return { header, rows: await writeBackupFile(part, linesOf(header, reader)) }
    })
    refuseExisting(path)
    await rename(part, path)
    await syncFolder(dirname(path))
    return summary
  } catch (err) {
    await rm(part, { force: true })
    throw err
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new BackupFault(`${path} exists already; a backup is never overwritten.`)
}

async function headerOf(engine: Database['engine'], reader: Reader): Promise<Header> {
  return {
    kith_backup: FORMAT_VERSION,
    kith_version: VERSION,
    schema_version: SCHEMA_VERSION,
    engine,
    created_at: toIso(now()),
    key_fingerprint: await keyFingerprintOf(reader),
  }
}

async function* linesOf(header: Header, reader: Reader): AsyncGenerator<Header | TableLine | Row> {
  yield header
  for (const table of KEPT_TABLES) {
    const columns = await columnsOf(reader, table)
    yield { table: table.name, columns }
    for await (const rows of pagesOf(reader, table, columns)) yield* rows
  }
}

/** A new name is durable only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Reads a backup from end to end and checks that this program can restore it.
 *
 * @throws BackupFault when it is cut short, changed, of another schema, or no backup at all
 */
export async function checkBackup(path: string): Promise<BackupSummary> {
  return readBackupFile(path, { header: refuseOtherSchema })
}

function refuseOtherSchema({ schema_version: version, kith_version: kith }: Header): void {
  if (version === SCHEMA_VERSION) return
  const which = version > SCHEMA_VERSION ? 'newer' : 'older'
  throw new BackupFault(
    `The backup was made by Kith ${kith} (schema version ${version}), which is ${which} than this program ` +
      `(${SCHEMA_VERSION}). Restore it with that version; a later one brings the database up to date when it starts.`,
  )
}

/**
 * Restores a backup into an empty database, in one transaction and constant memory. Counters, search index and
 * sequences are right afterwards.
 *
 * @param path of a file that `checkBackup` has found whole; it is checked again, but what was changed since may meet
 *   the database's own errors first
 * @throws BackupFault when the database is not empty, or as `checkBackup`; nothing has changed then
 */
export function restoreBackup(db: Database, path: string): Promise<BackupSummary> {
  return db.write(async (tx) => {
    if (!(await clearEmptyDatabase(tx))) {
      throw new BackupFault('The database is not empty, and a backup is restored into an empty one only.')
    }
    const restore = new Restore(tx, db.engine)
    const summary = await readBackupFile(path, {
      header: refuseOtherSchema,
      table: (line) => restore.table(line),
      row: (row, bytes) => restore.row(row, bytes),
    })
    await restore.end()
    return summary
  })
}

const BATCH_ROWS = 100
const BATCH_BYTES = 2 ** 20
const ROW_IDS_PER_ORG = 2 ** 32

/** Gathers rows and inserts them together. */
class Restore {
  readonly #tx: Tx
  readonly #isSqlite: boolean
  readonly #orgNumbers = new Map<unknown, number>()
  readonly #contacts = new Map<unknown, number>()
  #table: KeptTable | undefined
  #columns: string[] = []
  #rows: Row[] = []
  #bytes = 0
  #idMax = ''

  constructor(tx: Tx, engine: Database['engine']) {
    this.#tx = tx
    this.#isSqlite = engine === 'sqlite'
  }

  async table({ table, columns }: TableLine): Promise<void> {
    await this.#flush()
    const kept = KEPT_TABLES.find(({ name }) => name === table)
    const known = kept && (await columnsOf(this.#tx, kept))
    if (!kept || !columns.every((name) => known!.includes(name))) {
      throw new BackupFault(`The backup holds what this program does not know: ${table} (${columns.join(', ')}).`)
    }
    this.#table = kept
    this.#columns = columns
  }

  async row(row: Row, bytes: number): Promise<void> {
    const id = row[this.#columns.indexOf('id')]
    if (typeof id === 'string' && id > this.#idMax) this.#idMax = id
    if (this.#table!.name === 'org') {
      this.#orgNumbers.set(id, row[this.#columns.indexOf('number')] as number)
    }
    this.#rows.push(this.#needsRowId() ? [...row, this.#rowId(row)] : row)
    this.#bytes += bytes
    if (this.#rows.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.#flush()
  }

  async end(): Promise<void> {
    await this.#flush()
    await settle(this.#tx, this.#idMax)
  }

  async #flush(): Promise<void> {
    const rows = this.#rows
    this.#rows = []
    this.#bytes = 0
    if (rows.length === 0) return
    const columns = this.#needsRowId() ? [...this.#columns, 'row_id'] : this.#columns
    await insertRows(this.#tx, this.#table!, columns, rows)
  }

  #needsRowId(): boolean {
    return this.#isSqlite && this.#table!.name === 'contact'
  }

  /** Contacts come in the order of their ids, so the row ids grow with them. */
  #rowId(row: Row): number {
    const orgId = row[this.#columns.indexOf('org_id')]
    const n = (this.#contacts.get(orgId) ?? 0) + 1
    this.#contacts.set(orgId, n)
    return this.#orgNumbers.get(orgId)! * ROW_IDS_PER_ORG + n
  }
}
