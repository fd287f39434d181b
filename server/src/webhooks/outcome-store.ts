/** Writes down what came of sendings, many at a time. */
import { type Selectable, sql } from 'kysely'
import { isPostgres, type Tx } from '../database/engine.ts'
import { givenRows, overRows } from '../database/given-rows.ts'
import type { DeliveryAttemptTable, DeliveryHourTable, DeliveryTable } from '../database/schema.ts'
import { unindexed } from '../database/unindexed.ts'

export type FinishedDelivery = Pick<
  DeliveryTable,
  'org_id' | 'id' | 'state' | 'response_status' | 'error' | 'duration_ms' | 'finished_at'
>

export type RecordedDelivery = Pick<Selectable<DeliveryTable>, 'id' | 'attempts' | 'contact_deleted'>

export type QueueKey = Pick<DeliveryTable, 'org_id' | 'subscription_id' | 'queue_key'>

const QUEUE_KEY = { org_id: 'uuid', subscription_id: 'uuid', queue_key: 'uuid' } as const

/**
 * Holds the head of each queue and what comes behind it, on PostgreSQL, where others lock rows too: contact by contact
 * and in the order of the subscriptions, as whoever emits events does, so that no two wait for each other in a circle.
 */
export async function lockHeads(tx: Tx, queues: readonly QueueKey[]): Promise<void> {
  if (!isPostgres(tx)) return
  await sql`select head.id
    from (select * from ${givenRows(tx, queues, QUEUE_KEY)} order by queue_key, subscription_id) as queue
    cross join lateral (
      select d.id from delivery d where d.org_id = queue.org_id and d.subscription_id = queue.subscription_id
      and d.queue_key = queue.queue_key and d.state in ('ready', 'queued') order by d.seq limit 2 for update) as head
    `.execute(tx)
}

/** Finishes those of the deliveries that are still due. */
export const finishDeliveries = overRows<FinishedDelivery>()(
  {
    org_id: 'uuid',
    id: 'uuid',
    state: 'text',
    response_status: 'integer',
    error: 'text',
    duration_ms: 'integer',
    finished_at: 'timestamptz',
  },
  (_db, given) => sql<RecordedDelivery>`
    update delivery set state = given.state, attempts = delivery.attempts + 1,
      response_status = given.response_status, error = given.error, duration_ms = given.duration_ms,
      finished_at = given.finished_at
    from ${given} where delivery.org_id = given.org_id and delivery.id = given.id and ${unindexed('delivery.state')} = 'ready'
    returning delivery.id, delivery.attempts, delivery.contact_deleted`,
)

const ATTEMPT_COLUMNS = {
  org_id: 'uuid',
  delivery_id: 'uuid',
  number: 'integer',
  started_at: 'timestamptz',
  duration_ms: 'integer',
  delivered: 'integer',
  response_status: 'integer',
  error: 'text',
  url: 'text',
  request_headers: 'text',
  response_headers: 'text',
  response_body: 'text',
  timings: 'text',
} as const satisfies Record<keyof DeliveryAttemptTable, string>

export const insertAttempts = overRows<DeliveryAttemptTable>()(ATTEMPT_COLUMNS, (_db, given) => {
  const columns = sql.join(Object.keys(ATTEMPT_COLUMNS).map((name) => sql.ref(name)))
  return sql`insert into delivery_attempt (${columns}) select ${columns} from ${given}`
})

export type HourOfOutcomes = DeliveryHourTable

const HOUR_COLUMNS = {
  org_id: 'uuid',
  subscription_id: 'uuid',
  hour: 'integer',
  delivered: 'integer',
  failed: 'integer',
} as const satisfies Record<keyof DeliveryHourTable, string>

/** Adds to the counts of the charts, in one order: a process that has just lost a subscription may add beside the next. */
export const countOutcomes = overRows<HourOfOutcomes>()(HOUR_COLUMNS, (_db, given) => {
  const columns = sql.join(Object.keys(HOUR_COLUMNS).map((name) => sql.ref(name)))
  return sql`insert into delivery_hour (${columns}) select ${columns} from ${given}
    where true order by org_id, subscription_id, hour on conflict (org_id, subscription_id, hour) do update
    set delivered = delivery_hour.delivered + excluded.delivered, failed = delivery_hour.failed + excluded.failed`
})

const promote = overRows<QueueKey>()(
  QUEUE_KEY,
  (_db, given) => sql<{ subscription_id: string }>`
    update delivery set state = 'ready'
    from (select given.org_id, (
        select n.id from delivery n where n.org_id = given.org_id and n.subscription_id = given.subscription_id
        and n.queue_key = given.queue_key and n.state in ('ready', 'queued') and n.state = 'queued'
        order by n.seq limit 1) as id
      from ${given}) as next
    where delivery.org_id = next.org_id and delivery.id = next.id and ${unindexed('delivery.state')} = 'queued'
    returning delivery.subscription_id`,
)

/**
 * Makes the next delivery of each queue ready, in a statement of its own after the head was finished: whoever had to
 * wait for the head's row then sees what has joined the queue meanwhile.
 *
 * @returns the subscriptions that have something ready now
 */
export async function promoteNext(tx: Tx, queues: readonly QueueKey[]): Promise<Set<string>> {
  return new Set((await promote(tx, queues)).map((row) => row.subscription_id))
}
