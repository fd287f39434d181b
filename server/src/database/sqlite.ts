/** SQLite in one process: group commit on one write connection, reads on another, long reads and checkpoints on threads. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseConnection, Kysely, type KyselyPlugin } from 'kysely'
import { lastId, raiseIdFloor } from '../ids.ts'
import type { Database } from './engine.ts'
import { isAway, isBusy, unavailable } from './faults.ts'
import { HintBoard, hintsOf } from './hints.ts'
import { pendingMigrations } from './migrate.ts'
import type { Reader, Tables, Tx } from './schema.ts'
import { SqliteCheckpoints } from './sqlite-checkpoints.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { Pieces, sqliteDialect } from './sqlite-dialect.ts'
import { CommitFile, checkCommits, checkFiles, lockFolder, type SqliteFiles, sqliteFiles } from './sqlite-files.ts'
import { openSqlite } from './sqlite-open.ts'
import { SqliteSnapshots } from './sqlite-snapshots.ts'
import { SqliteThread, SqliteThreads } from './sqlite-thread.ts'

/** A group ends after this many pieces of work or milliseconds, so that the event loop gets its turn. */
const GROUP_MAX = 500
const GROUP_MS_MAX = 10
const BUSY_RETRY_MS = 5
const BUSY_MS_MAX = 5_000
const SLOW_THREADS = 2

export interface SqliteOptions {
  folder: string
  /** A server keeps other servers off the folder and moves checkpoints to a thread; a command does neither. */
  role: 'server' | 'command'
  plugins: KyselyPlugin[]
}

/** @throws StartError when the files are damaged, newer than this program, or in use by another server */
export async function openSqliteDatabase({ folder, role, plugins }: SqliteOptions): Promise<Database> {
  const files = sqliteFiles(folder)
  const unlock = role === 'server' ? lockFolder(files) : () => {}
  try {
    const commitsMin = checkFiles(files)
    const commitFile = new CommitFile(files.commits)
    if (!existsSync(files.database)) {
      commitFile.write(0)
      // SQLite gives its log the mode of the database file, so that has to be right from the start.
      closeSync(openSync(files.database, 'a', 0o600))
    }
    await patiently(() => checkContent(files, commitsMin))
    const db = await patiently(() => openSqlite(files.database))
    const writer = new SqliteConnection(db)
    await patiently(() => migrate(writer, files.database))
    return new SqliteDatabase({ files, writer, commitFile, unlock, role, plugins })
  } catch (error) {
    unlock()
    throw error
  }
}

interface Job {
  work(tx: Tx): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Settled {
  settle(): void
  hints: Iterable<string>
}

interface Parts {
  files: SqliteFiles
  writer: SqliteConnection
  commitFile: CommitFile
  unlock(): void
  role: 'server' | 'command'
  plugins: KyselyPlugin[]
}

class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly read: Kysely<Tables>
  readonly slow: Kysely<Tables>
  readonly #parts: Parts
  readonly #writes: Kysely<Tables>
  readonly #pieces: Pieces
  readonly #reader: SqliteConnection
  readonly #snapshots: SqliteSnapshots
  readonly #threads: SqliteThreads
  readonly #hints = new HintBoard()
  readonly #checkpoints: SqliteCheckpoints | undefined
  readonly #queue: Job[] = []
  #working: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#pieces = new Pieces(parts.writer)
    this.#writes = this.#kysely(parts.writer, this.#pieces)
    this.#reader = new SqliteConnection(openSqlite(parts.files.database))
    this.#reader.run('pragma query_only = on')
    this.#snapshots = new SqliteSnapshots(this.#reader)
    this.read = this.#kysely(this.#snapshots)
    this.#threads = new SqliteThreads(parts.files.database, SLOW_THREADS)
    this.slow = this.#kysely(this.#threads)
    if (parts.role === 'server') {
      parts.writer.run('pragma wal_autocheckpoint = 0')
      this.#checkpoints = new SqliteCheckpoints(parts.files.database)
      this.#threads.warm()
    }
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(unavailable())
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (result: unknown) => void, reject })
      this.#working ??= this.#workOff()
    })
  }

  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const connection = new SqliteConnection(await patiently(() => openSqlite(this.#parts.files.database)))
    try {
      connection.run('pragma query_only = on')
      connection.run('begin')
      // The first read is what fixes the view.
      connection.run('select commits from commit_counter')
      return await work(this.#kysely(connection))
    } finally {
      connection.close()
    }
  }

  onHint(listener: (topic: string) => void): () => void {
    return this.#hints.listen(listener)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  #kysely(connection: DatabaseConnection, pieces?: Pieces): Kysely<Tables> {
    return new Kysely<Tables>({ dialect: sqliteDialect(connection, pieces), plugins: this.#parts.plugins })
  }

  async #close(): Promise<void> {
    await this.#working
    await this.#checkpoints?.close()
    await this.#threads.close()
    this.#snapshots.end()
    this.#reader.close()
    this.#parts.writer.close()
    this.#parts.commitFile.close()
    this.#parts.unlock()
  }

  async #workOff(): Promise<void> {
    // All requests that arrive in this turn of the event loop share one commit.
    await nextTurn()
    while (this.#queue.length > 0) {
      await this.#checkpoints?.passed
      await this.#runGroup()
      await nextTurn()
    }
    this.#working = undefined
  }

  async #runGroup(): Promise<void> {
    const jobs: Job[] = []
    let done: Settled[]
    try {
      done = (await this.#tryGroup(jobs, false)) ?? (await this.#tryGroup(jobs, true))!
    } catch (error) {
      this.#abandon()
      // Without a transaction nobody's work has begun: all that wait get the same answer.
      for (const job of jobs.length > 0 ? jobs : this.#queue.splice(0)) {
        job.reject(isAway(error) ? unavailable(error) : error)
      }
      return
    }
    for (const { settle } of done) settle()
    for (const { hints } of done) this.#hints.tell(hints)
    this.#checkpoints?.due()
  }

  /**
   * Runs and commits the jobs; without any, those of the queue that fit into a group, which are added to them.
   *
   * @returns undefined when one can only be undone together with the others: then nothing is committed
   */
  async #tryGroup(jobs: Job[], hasSavepoints: boolean): Promise<Settled[] | undefined> {
    const { writer, commitFile } = this.#parts
    const isAgain = jobs.length > 0
    await this.#begin()
    this.#pieces.reset({ hasSavepoints })
    const counter = writer.run('select commits, last_id from commit_counter').rows[0]!
    raiseIdFloor(counter.last_id as string)
    const commits = Number(counter.commits) + 1
    const endsAt = performance.now() + GROUP_MS_MAX
    const hasRoom = () => this.#queue.length > 0 && jobs.length < GROUP_MAX && performance.now() < endsAt
    const done: Settled[] = []
    while (isAgain ? done.length < jobs.length : hasRoom()) {
      if (!isAgain) jobs.push(this.#queue.shift()!)
      done.push(await this.#runJob(jobs[done.length]!))
      if (!this.#pieces.isSpoilt) continue
      writer.run('rollback')
      return undefined
    }
    writer.run('update commit_counter set commits = ?, last_id = max(last_id, ?)', [
      commits,
      lastId() ?? counter.last_id,
    ])
    writer.run('commit')
    this.#snapshots.end()
    commitFile.write(commits)
    return done
  }

  /** @returns how the job's promise is to be settled once the group is durable. @throws when the database has failed */
  async #runJob(job: Job): Promise<Settled> {
    let hints: Iterable<string> = []
    try {
      const result = await this.#writes.transaction().execute(async (tx) => {
        const value = await job.work(tx)
        hints = hintsOf(tx)
        return value
      })
      return { settle: () => job.resolve(result), hints }
    } catch (error) {
      if (isAway(error) || !this.#parts.writer.db.isTransaction) throw error
      // What refused this job may be an earlier one of the group, so the refusal waits for the commit too.
      return { settle: () => job.reject(error), hints: [] }
    }
  }

  async #begin(): Promise<void> {
    const { writer } = this.#parts
    await patiently(() => {
      if (!writer.db.isOpen) this.#reopen()
      writer.run('begin immediate')
    })
  }

  /** After a failed write or sync the connection's cache cannot be trusted: the next group gets a fresh one. */
  #abandon(): void {
    try {
      this.#parts.writer.close()
      this.#reopen()
    } catch {
      // Still away: the next group tries again.
    }
  }

  #reopen(): void {
    const { writer, files } = this.#parts
    writer.replace(openSqlite(files.database))
    if (this.#checkpoints) writer.run('pragma wal_autocheckpoint = 0')
  }
}

/** Reads on a connection that cannot write: opening a refused database as ours would repair and migrate it. */
function checkContent(files: SqliteFiles, commitsMin: number): void {
  if (statSync(files.database).size === 0) return
  const db = new DatabaseSync(files.database, { readOnly: true, timeout: 0 })
  try {
    const version = Number(db.prepare('pragma user_version').get()!.user_version)
    pendingMigrations(version)
    const commits = version === 0 ? 0 : Number(db.prepare('select commits from commit_counter').get()!.commits)
    checkCommits(files, commitsMin, commits)
  } finally {
    db.close()
  }
}

/** On a thread where there is data already: an index of a million contacts takes seconds to build. */
async function migrate(writer: SqliteConnection, file: string): Promise<void> {
  const version = Number(writer.run('pragma user_version').rows[0]!.user_version)
  if (pendingMigrations(version).length === 0) return
  if (version === 0) return runMigrations(async (statement) => writer.db.prepare(statement).all())
  const thread = new SqliteThread(file)
  try {
    await runMigrations((statement) => thread.run(statement))
  } finally {
    await thread.close()
  }
}

async function runMigrations(run: (statement: string) => Promise<unknown[]>): Promise<void> {
  await run('begin immediate')
  try {
    // Another process may have been first while this one waited.
    const [row] = await run('pragma user_version')
    for (const migration of pendingMigrations(Number((row as { user_version: number }).user_version))) {
      for (const statement of migration.sqlite) await run(statement)
      await run(`pragma user_version = ${migration.version}`)
    }
    await run('commit')
  } catch (error) {
    // A full disk has rolled back already.
    await run('rollback').catch(() => {})
    throw error
  }
}

/** Tries again while another process holds the lock, for 5 s, without holding the event loop. */
async function patiently<T>(attempt: () => T | Promise<T>): Promise<T> {
  const endsAt = performance.now() + BUSY_MS_MAX
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= endsAt) throw error
    }
    await sleep(BUSY_RETRY_MS)
  }
}
