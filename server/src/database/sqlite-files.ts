/**
 * The files of a data folder: `kith.db` with its write-ahead log, `kith.commits`, `kith.lock`.
 *
 * SQLite's own integrity check says "ok" after a write-ahead log has been lost or cut, with rows missing. So every
 * commit counts up in the database and then, outside it, in `kith.commits`: at start the database may be ahead of the
 * file (a crash came between the two), never behind it.
 */
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../start-error.ts'
import { isBusy } from './faults.ts'

const OWNER_ONLY = 0o600

export interface SqliteFiles {
  folder: string
  database: string
  commits: string
  lock: string
}

/** @returns the paths in a data folder, which is made (mode 0700) where it is missing */
export function sqliteFiles(folder: string): SqliteFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return {
    folder,
    database: join(folder, 'kith.db'),
    commits: join(folder, 'kith.commits'),
    lock: join(folder, 'kith.lock'),
  }
}

/**
 * Looks at the set of files before SQLite touches it, since SQLite would make an empty database where one is missing.
 *
 * @returns the number of commits that the database must hold at least
 * @throws StartError when a part of the set is missing or is something else
 */
export function checkFiles(files: SqliteFiles): number {
  const counted = readCommits(files.commits)
  const bytes = existsSync(files.database) ? statSync(files.database).size : undefined
  const hasLog = existsSync(`${files.database}-wal`) && statSync(`${files.database}-wal`).size > 0
  if (bytes === undefined || bytes === 0) {
    if (counted === undefined || counted === 0) {
      if (!hasLog) return 0
    }
    throw damaged(`${files.database} is ${bytes === 0 ? 'empty' : 'missing'}, though other files of the set are there.`)
  }
  const head = Buffer.alloc(16)
  const fd = openSync(files.database, 'r')
  try {
    readSync(fd, head, 0, 16, 0)
  } finally {
    closeSync(fd)
  }
  if (head.toString('latin1') !== 'SQLite format 3\0') throw damaged(`${files.database} is not a database of Kith's.`)
  if (counted === undefined) throw damaged(`${files.commits} is missing or unreadable.`)
  return counted
}

/** @throws StartError when the database has fewer commits than were counted beside it */
export function checkCommits(files: SqliteFiles, counted: number, inDatabase: number): void {
  if (inDatabase >= counted) return
  throw damaged(
    `${files.database} lacks the last ${counted - inDatabase} commits: its write-ahead log (kith.db-wal) was lost or is older.`,
  )
}

/** Writes the number of commits. Not synced: it may stay behind the database, never run ahead of it. */
export class CommitFile {
  readonly #fd: number

  constructor(path: string) {
    // Never cut short: another process may have made and written it a moment ago.
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY)
  }

  write(commits: number): void {
    try {
      writeSync(this.#fd, `${String(commits).padStart(16, '0')}\n`, 0)
    } catch {
      // The commit is durable already; the next one writes a newer number.
    }
  }

  close(): void {
    closeSync(this.#fd)
  }
}

/**
 * Keeps a second server off the folder. The lock is SQLite's own on a file of its own, so the system drops it with the
 * process, however that ends. Commands do not take it.
 *
 * @returns what releases it
 * @throws StartError when another server holds it
 */
export function lockFolder(files: SqliteFiles): () => void {
  closeSync(openSync(files.lock, 'a', OWNER_ONLY))
  const db = new DatabaseSync(files.lock, { timeout: 0 })
  try {
    db.exec('pragma journal_mode = delete; begin exclusive')
  } catch (error) {
    db.close()
    if (!isBusy(error)) throw error
    throw new StartError(
      `Another server is running on ${files.folder}. Stop it first, or use another folder with --data.`,
    )
  }
  return () => db.close()
}

function readCommits(path: string): number | undefined {
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'latin1')
  return /^[0-9]{16}\n/.test(text) ? Number(text.slice(0, 16)) : undefined
}

function damaged(what: string): StartError {
  return new StartError(
    `${what} Nothing was changed. Put the missing file back, or move the folder away and bring a backup back with "kith restore FILE".`,
  )
}
