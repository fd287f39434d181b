import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../database/engine.ts'
import { openDatabase } from '../database/open.ts'
import type { Context } from './command.ts'
import { CommandFailed } from './failure.ts'

type Work<T> = (db: Database, config: Config) => Promise<T>

/**
 * Opens the database of the settings for one command, beside a server that may be running on it, and closes it
 * afterwards.
 *
 * @throws CommandFailed when there is none (nothing is made then), or it cannot be opened
 */
export async function withDatabase<T>(context: Context, work: Work<T>): Promise<T> {
  const { store } = context.config()
  if (store.engine === 'sqlite' && !hasDatabase(store.folder)) {
    throw new CommandFailed(
      `There is no database in ${store.folder} yet. "kith org create NAME" makes one; --data names another folder.`,
    )
  }
  return withNewDatabase(context, work)
}

/**
 * As `withDatabase`, but makes the database where there is none.
 *
 * @param role `server` keeps servers off a SQLite folder meanwhile, and is refused where one is running
 */
export async function withNewDatabase<T>(
  context: Context,
  work: Work<T>,
  role: 'server' | 'command' = 'command',
): Promise<T> {
  const config = context.config()
  const db = await openDatabase(config.store, role).catch((err) => {
    throw openingFailure(err)
  })
  try {
    return await work(db, config)
  } finally {
    await db.close()
  }
}

/** Whether there is anything of a database: where only a part of its files is left, opening it says which is missing. */
function hasDatabase(folder: string): boolean {
  return ['kith.db', 'kith.db-wal', 'kith.commits'].some((name) => existsSync(join(folder, name)))
}

/** What the system or the database itself answered is for the operator; anything else is a fault of ours. */
function openingFailure(err: unknown): unknown {
  const { message, code } = (err ?? {}) as { message?: string; code?: unknown }
  if (typeof code !== 'string') return err
  return new CommandFailed(`The database cannot be opened: ${message || code}.`, { cause: err })
}
