/** Looks at a database as it lies, without bringing it up to date as opening it does. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { now } from '../clock.ts'
import { StartError } from '../start-error.ts'
import { readPostgresUrl } from '../text/postgres-url.ts'
import type { StoreOptions } from './open.ts'
import { serverFaults } from './postgres.ts'
import type { PostgresLink } from './postgres-link.ts'
import { PostgresPool } from './postgres-pool.ts'
import { replicaState } from './postgres-replica.ts'
import { checkCommits, checkFiles, sqliteFiles } from './sqlite-files.ts'

const PAGE_FAULTS_MAX = 3
const BUSY_MS_MAX = 5_000

export interface Inspection {
  /** 0 for a database without tables of Kith's. */
  schemaVersion: number
  /** Each a sentence; the database cannot be used while there is one. */
  faults: string[]
  /** What it is, for people. */
  about: string
  /** Of the key that its signing secrets are sealed with; null where none has been used yet. */
  keyFingerprint: string | null
  /** How far the clock of the server is ahead of ours; null for a file. */
  clockAheadMs: number | null
}

/**
 * Inspects a database and changes nothing.
 *
 * @returns undefined where there is none yet
 * @throws Error of the driver when it cannot be reached
 */
export async function inspectDatabase(store: StoreOptions): Promise<Inspection | undefined> {
  return store.engine === 'sqlite' ? inspectSqlite(store.folder) : inspectPostgres(store.url)
}

function inspectSqlite(folder: string): Inspection | undefined {
  if (!['kith.db', 'kith.db-wal', 'kith.commits'].some((name) => existsSync(join(folder, name)))) return undefined
  const files = sqliteFiles(folder)
  const found: Inspection = { schemaVersion: 0, faults: [], about: 'SQLite', keyFingerprint: null, clockAheadMs: null }
  try {
    const commitsMin = checkFiles(files)
    // A connection that may write would move a damaged log into the database when it is closed.
    const db = new DatabaseSync(files.database, { readOnly: true, timeout: BUSY_MS_MAX })
    try {
      const one = (sql: string) => db.prepare(sql).get() as Record<string, unknown> | undefined
      found.about = `SQLite ${one('select sqlite_version() as version')!.version}`
      found.schemaVersion = Number(one('pragma user_version')!.user_version)
      const pages = db.prepare(`pragma quick_check(${PAGE_FAULTS_MAX})`).all()
      found.faults.push(...pages.map((row) => String(row.quick_check)).filter((text) => text !== 'ok'))
      const commits = found.schemaVersion === 0 ? 0 : Number(one('select commits from commit_counter')!.commits)
      checkCommits(files, commitsMin, commits)
      if (found.schemaVersion === 0) return found
      found.keyFingerprint = (one(FINGERPRINT)?.value as string | undefined) ?? null
    } finally {
      db.close()
    }
  } catch (err) {
    if (!(err instanceof StartError)) throw err
    found.faults.push(err.message)
  }
  return found
}

const FINGERPRINT = `select value from meta where key = 'key_fingerprint'`

async function inspectPostgres(url: string): Promise<Inspection> {
  const { servers } = readPostgresUrl(url)!
  const pool = new PostgresPool({ servers, attrs: 'read-write', connectionsMax: 1 })
  // Where none takes writes, any of them can be asked why.
  const other = new PostgresPool({ servers, attrs: 'any', connectionsMax: 1 })
  try {
    const link = await pool.connect().catch((error) => {
      if (error.code !== '25006') throw error
      return other.connect()
    })
    try {
      return await inspectLink(link)
    } finally {
      link.release()
    }
  } finally {
    await Promise.all([pool.end(), other.end()])
  }
}

/**
 * How far the replica is behind that lists may be read from.
 *
 * @throws Error of the driver when it cannot be reached
 */
export async function inspectReplica(url: string): Promise<{ server: string; behindMs: number }> {
  const { servers, attrs = 'prefer-standby' } = readPostgresUrl(url)!
  const pool = new PostgresPool({ servers, attrs, connectionsMax: 1 })
  try {
    return await replicaState(pool)
  } finally {
    await pool.end()
  }
}

async function inspectLink(link: PostgresLink): Promise<Inspection> {
  const askedAt = now()
  const { rows } = await link.query<{ version: string; now: string; has_tables: boolean }>(
    `select current_setting('server_version') as version, extract(epoch from clock_timestamp()) * 1000 as now,
      to_regclass('schema_version') is not null as has_tables`,
  )
  const { version: server, now: serverNow, has_tables } = rows[0]!
  const clockAheadMs = Math.round(Number(serverNow) - (askedAt + now()) / 2)
  const about = `PostgreSQL ${server}`
  const faults = await serverFaults(link)
  if (!has_tables) return { schemaVersion: 0, faults, about, keyFingerprint: null, clockAheadMs }
  const { rows: versions } = await link.query<{ version: number }>('select version from schema_version')
  const version = versions[0]?.version ?? 0
  const keys = version > 0 ? (await link.query<{ value: string }>(FINGERPRINT)).rows : []
  return { schemaVersion: version, faults, about, keyFingerprint: keys[0]?.value ?? null, clockAheadMs }
}
