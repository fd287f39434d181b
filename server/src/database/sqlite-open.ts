import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a connection as every one of Kith's is: write-ahead log, synced at each commit, foreign keys on, deleted
 * content overwritten, no waiting for locks.
 */
export function openSqlite(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 0 })
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma secure_delete = on;
    pragma cache_size = -8000;
    pragma temp_store = memory;
    pragma trusted_schema = off;
  `)
  return db
}
