/** Erases deliveries for good. */
import { sql } from 'kysely'
import { forUpdate, isPostgres, type Reader, type Tx } from '../database/engine.ts'
import { givenRows } from '../database/given-rows.ts'

export interface RowKey {
  org_id: string
  id: string
}

const ROW_KEY = { org_id: 'uuid', id: 'uuid' } as const

/** Erases deliveries with their attempts, and each event that then has no delivery left. */
export async function eraseDeliveries(tx: Tx, keys: readonly RowKey[]): Promise<void> {
  const given = givenRows(tx, keys, ROW_KEY)
  // Held, so that of two transactions that erase the last two deliveries of an event the later sees none left.
  const { rows: events } = await sql<RowKey>`
    select e.org_id, e.id from event e where (e.org_id, e.id) in (
      select d.org_id, d.event_id from ${given} join delivery d on d.org_id = given.org_id and d.id = given.id)
    order by e.org_id, e.id ${isPostgres(tx) ? sql`for update` : sql``}`.execute(tx)
  await sql`delete from delivery_attempt where (org_id, delivery_id) in (select org_id, id from ${given})`.execute(tx)
  await sql`delete from delivery where (org_id, id) in (select org_id, id from ${given})`.execute(tx)
  await eraseEvents(tx, events)
}

/** Erases those of the events that have no delivery. @returns how many */
export async function eraseEvents(tx: Tx, keys: readonly RowKey[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from event where (org_id, id) in (select org_id, id from ${givenRows(tx, keys, ROW_KEY)})
    and not exists (select 1 from delivery d where d.org_id = event.org_id and d.event_id = event.id)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Deliveries that ended before a time, the oldest first, locked until the transaction ends. */
export function finishedBefore(db: Reader, time: string, max: number): Promise<RowKey[]> {
  return forUpdate(
    db as Tx,
    db
      .selectFrom('delivery')
      .select(['org_id', 'id'])
      .where('finished_at', '<', time)
      .where('state', 'in', [sql.lit('delivered' as const), sql.lit('failed' as const)])
      .orderBy('finished_at')
      .limit(max),
  ).execute()
}

/** Events of before a time, the oldest first, from behind a place in that order. */
export function eventsBefore(
  db: Reader,
  time: string,
  { after, max }: { after: { ts: string; id: string } | undefined; max: number },
): Promise<(RowKey & { ts: string })[]> {
  let query = db
    .selectFrom('event')
    .select(['org_id', 'id', 'ts'])
    .where('ts', '<', time)
    .orderBy('ts')
    .orderBy('id')
    .limit(max)
  if (after) query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('ts', 'id'), '>', tuple(after.ts, after.id)))
  return query.execute()
}

export function deletedSubscription(db: Reader): Promise<RowKey | undefined> {
  return db
    .selectFrom('subscription')
    .select(['org_id', 'id'])
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at')
    .limit(1)
    .executeTakeFirst()
}

export function deliveriesOf(tx: Tx, subscription: RowKey, max: number): Promise<RowKey[]> {
  return tx
    .selectFrom('delivery')
    .select(['org_id', 'id'])
    .where('org_id', '=', subscription.org_id)
    .where('subscription_id', '=', subscription.id)
    .orderBy('state')
    .orderBy('event')
    .orderBy('id')
    .limit(max)
    .execute()
}

/** Waits for those who are still adding deliveries to a subscription, and keeps others out. */
export async function lockSubscription(tx: Tx, { org_id, id }: RowKey): Promise<void> {
  await forUpdate(
    tx,
    tx.selectFrom('subscription').select('id').where('org_id', '=', org_id).where('id', '=', id),
  ).execute()
}

export async function eraseSubscription(tx: Tx, { org_id, id }: RowKey): Promise<void> {
  await tx.deleteFrom('delivery_hour').where('org_id', '=', org_id).where('subscription_id', '=', id).execute()
  await tx.deleteFrom('send_again').where('org_id', '=', org_id).where('subscription_id', '=', id).execute()
  await tx.deleteFrom('subscription_lease').where('org_id', '=', org_id).where('subscription_id', '=', id).execute()
  await tx.deleteFrom('subscription').where('org_id', '=', org_id).where('id', '=', id).execute()
}

/** Forgets how the attempts of hours before this one ended. @returns how many rows it was */
export async function eraseHoursBefore(tx: Tx, hour: number): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('delivery_hour').where('hour', '<', hour).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
