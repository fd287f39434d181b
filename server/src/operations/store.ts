import { sql } from 'kysely'
import type { Reader } from '../database/engine.ts'

/** Counting stops here: the queue is long then, and how long does not matter at once. */
export const DUE_MAX = 100_000

/** Asks the database for one row of no one's. */
export async function ping(db: Reader): Promise<void> {
  await db.selectFrom('meta').select('key').limit(1).execute()
}

/** How many deliveries of all orgs are due, up to `DUE_MAX`. */
export async function countDue(db: Reader): Promise<number> {
  const due = db
    .selectFrom('delivery')
    // A column that no index of all deliveries has: SQLite would go through such an index from end to end.
    .select('queue_key')
    // As literals: SQLite uses the partial index only where the query repeats its condition word for word.
    .where('state', 'in', [sql.lit('ready' as const), sql.lit('queued' as const)])
    .limit(DUE_MAX)
    .as('due')
  const { n } = await db
    .selectFrom(due)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}
