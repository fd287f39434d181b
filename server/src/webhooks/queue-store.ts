/** The queues of due deliveries, one for each subscription and contact. */
import { sql } from 'kysely'
import { compiled } from '../database/compiled.ts'
import { compiledRows } from '../database/compiled-rows.ts'
import { forUpdate, isPostgres, type Reader, type Tx } from '../database/engine.ts'
import type { DeliveryTable } from '../database/schema.ts'

export interface Queue {
  orgId: string
  subscriptionId: string
  queueKey: string
}

/** As literals: SQLite uses a partial index only where the query repeats its condition word for word. */
export const UNFINISHED = [sql.lit('ready' as const), sql.lit('queued' as const)]

/**
 * The org's active subscriptions. On PostgreSQL their rows are held, so that none is erased before the
 * delivery is there; the foreign key would hold them anyway, but fail where the row has just gone.
 *
 * Which of them want an event is left to the caller: SQLite prepares a statement anew for each pattern of a LIKE.
 */
export const activeSubscriptions = compiled<{ orgId: string }>()((db, p) => activeOf(db, p('orgId')))

/**
 * The same with the lane of what is at the end of the queue of each with that key, null where nothing is; that is locked
 * as by `newestUnfinished`, one subscription after the other.
 */
export const activeQueues = compiled<Omit<Queue, 'subscriptionId'>>()((db, p) =>
  db
    .selectFrom(activeOf(db, p('orgId')).as('active'))
    .select((eb) => [
      'active.id',
      'active.events',
      newestOf(db, p('orgId'), p('queueKey')).where('subscription_id', '=', eb.ref('active.id')).as('lane'),
    ]),
)

const findNewestUnfinished = compiled<Queue>()((db, p) =>
  newestOf(db, p('orgId'), p('queueKey')).where('subscription_id', '=', p('subscriptionId')),
)

/**
 * The end of a queue, locked: whoever finishes it has to wait for this transaction, and then sees and promotes what it
 * has put behind.
 */
export async function newestUnfinished(tx: Tx, queue: Queue): Promise<{ lane: number } | undefined> {
  return (await findNewestUnfinished(tx, queue))[0]
}

function activeOf(db: Reader, orgId: string) {
  const query = db
    .selectFrom('subscription')
    .select(['id', 'events'])
    .where('org_id', '=', orgId)
    .where('paused_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
  return isPostgres(db) ? query.forKeyShare() : query
}

function newestOf(db: Reader, orgId: string, queueKey: string) {
  const newest = db
    .selectFrom('delivery')
    .select('lane')
    .where('org_id', '=', orgId)
    .where('queue_key', '=', queueKey)
    .where('state', 'in', UNFINISHED)
    .orderBy('seq', 'desc')
    .limit(1)
  return forUpdate(db as Tx, newest)
}

export async function promoteLane(tx: Tx, { lane, ...queue }: Queue & { lane: number }): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ lane })
    .where('org_id', '=', queue.orgId)
    .where('subscription_id', '=', queue.subscriptionId)
    .where('queue_key', '=', queue.queueKey)
    .where('state', 'in', UNFINISHED)
    .where('lane', '>', lane)
    .execute()
}

export type NewDelivery = Pick<
  DeliveryTable,
  | 'org_id'
  | 'id'
  | 'subscription_id'
  | 'event_id'
  | 'event'
  | 'contact_id'
  | 'queue_key'
  | 'lane'
  | 'state'
  | 'created_at'
>

export const insertDeliveries = compiledRows<NewDelivery>()((tx, rows) =>
  tx.insertInto('delivery').values(
    rows.map((p) => ({
      org_id: p('org_id'),
      id: p('id'),
      subscription_id: p('subscription_id'),
      event_id: p('event_id'),
      event: p('event'),
      contact_id: p('contact_id'),
      queue_key: p('queue_key'),
      lane: p('lane'),
      state: p('state'),
      created_at: p('created_at'),
    })),
  ),
)
