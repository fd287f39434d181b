/** Finds what is to be sent. Looks across orgs: a dispatcher serves all of them. */
import { sql } from 'kysely'
import { compiled } from '../database/compiled.ts'
import { isPostgres, type Reader } from '../database/engine.ts'
import { lookedUp, overRows } from '../database/given-rows.ts'
import type { LeaseKey } from './lease-store.ts'

/**
 * Subscriptions that have a delivery ready, in order. The index is left and entered again behind each one, so that the
 * cost is theirs, not that of all that is ready.
 *
 * @param after where to go on; undefined for the beginning
 */
export async function busySubscriptions(
  db: Reader,
  { after = FIRST, max }: { after?: LeaseKey | undefined; max: number },
): Promise<LeaseKey[]> {
  const inOrg = sql`from delivery d where d.state = 'ready' and d.org_id = busy.org_id
    and d.subscription_id > busy.subscription_id order by d.subscription_id limit 1`
  const inNextOrg = sql`from delivery d where d.state = 'ready' and d.org_id > busy.org_id
    order by d.org_id, d.subscription_id limit 1`
  // SQLite has no lateral joins, and compares a pair with an index by its first half alone.
  const step = isPostgres(db)
    ? sql`select n.org_id, n.subscription_id from busy cross join lateral (
        (select 0 as place, d.org_id, d.subscription_id ${inOrg})
        union all (select 1, d.org_id, d.subscription_id ${inNextOrg}) order by place limit 1) n`
    : sql`select n.org_id, n.subscription_id from busy join delivery n
        on n.seq = coalesce((select d.seq ${inOrg}), (select d.seq ${inNextOrg}))`
  const { rows } = await sql<LeaseKey>`
    with recursive busy (org_id, subscription_id) as (
      select * from (select d.org_id, d.subscription_id from delivery d where d.state = 'ready'
        and (d.org_id, d.subscription_id) > (${after.org_id}, ${after.subscription_id})
        order by d.org_id, d.subscription_id limit 1) as head
      union all ${step})
    select org_id, subscription_id from busy limit ${max}`.execute(db)
  return rows
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
const FIRST: LeaseKey = { org_id: NO_ID, subscription_id: NO_ID }

/** The heads of a subscription's queues, live lane first. */
export const readyDeliveries = compiled<LeaseKey & { max: number }>()((db, p) =>
  db
    .selectFrom('delivery')
    .select(['id', 'lane', 'seq'])
    .where('org_id', '=', p('org_id'))
    .where('subscription_id', '=', p('subscription_id'))
    .where('state', '=', sql.lit('ready' as const))
    .orderBy('lane')
    .orderBy('seq')
    .limit(p('max')),
)

/** As `readyDeliveries`, of one lane and from a place in it on: what has ended before that place is not gone through. */
export const readyInLane = compiled<LeaseKey & { lane: number; fromSeq: number; max: number }>()((db, p) =>
  db
    .selectFrom('delivery')
    .select(['id', 'lane', 'seq'])
    .where('org_id', '=', p('org_id'))
    .where('subscription_id', '=', p('subscription_id'))
    .where('state', '=', sql.lit('ready' as const))
    .where('lane', '=', p('lane'))
    .where('seq', '>=', p('fromSeq'))
    .orderBy('seq')
    .limit(p('max')),
)

export interface DueDelivery {
  org_id: string
  id: string
  event: string
  queue_key: string
  lane: number
  /** The exact bytes to sign and send. */
  body: Uint8Array
}

/** Those of the deliveries that are still to be sent, with what that needs. */
export const dueDeliveries = overRows<{ org_id: string; id: string }>()(
  { org_id: 'uuid', id: 'uuid' },
  (db, given) => sql<DueDelivery>`
    select d.org_id, d.id, d.event, d.queue_key, d.lane, e.body
    from ${given} ${lookedUp(db, 'delivery', 'd', sql`d.org_id = given.org_id and d.id = given.id`)}
    join event e on e.org_id = d.org_id and e.id = d.event_id where d.state = 'ready'`,
)
