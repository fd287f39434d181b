/** Brings a database to the schema of this program: numbered steps, forward only, each in one transaction. */
import { StartError } from '../start-error.ts'
import { first } from './migrations/0001-first.ts'
import { prospecting } from './migrations/0002-prospecting.ts'
import { rowIds } from './migrations/0003-row-ids.ts'
import { searchPages } from './migrations/0004-search-pages.ts'

export interface Migration {
  version: number
  name: string
  /** Statements for each engine, run in order. */
  sqlite: string[]
  postgres: string[]
}

export const MIGRATIONS: readonly Migration[] = [first, prospecting, rowIds, searchPages]

export const SCHEMA_VERSION = MIGRATIONS[MIGRATIONS.length - 1]!.version

/** @returns the migrations still to run on a database of this version. @throws StartError when it is newer than us */
export function pendingMigrations(version: number): Migration[] {
  if (version > SCHEMA_VERSION) {
    throw new StartError(
      `This database has schema version ${version}; this program knows versions up to ${SCHEMA_VERSION}. ` +
        'Start the newer version of Kith that wrote it. Nothing was changed.',
    )
  }
  return MIGRATIONS.filter((migration) => migration.version > version)
}
