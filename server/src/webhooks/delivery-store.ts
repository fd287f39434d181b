/** The delivery log. */
import type { Reader, Tx } from '../database/engine.ts'

const LISTED_COLUMNS = [
  'd.id',
  'd.subscription_id',
  'd.contact_id',
  'd.event',
  'd.state',
  'd.response_status',
  'd.error',
  'd.attempts',
  'd.duration_ms',
  'd.created_at',
  'd.finished_at',
] as const

export interface DeliveryFilter {
  contactId?: string | undefined
  subscriptionId?: string | undefined
  limit: number
}

/** The newest first. Never those of a deleted contact or subscription. */
export function deliveryRows(db: Reader, orgId: string, { contactId, subscriptionId, limit }: DeliveryFilter) {
  let query = db
    .selectFrom('delivery as d')
    .innerJoin('subscription as s', (join) =>
      join.onRef('s.org_id', '=', 'd.org_id').onRef('s.id', '=', 'd.subscription_id'),
    )
    .select(LISTED_COLUMNS)
    .where('d.org_id', '=', orgId)
    .where('d.contact_deleted', '=', 0)
    .where('s.deleted_at', 'is', null)
    .limit(limit)
  if (contactId !== undefined) query = query.where('d.contact_id', '=', contactId)
  if (subscriptionId !== undefined) query = query.where('d.subscription_id', '=', subscriptionId)
  const isNarrowed = contactId !== undefined || subscriptionId !== undefined
  // Each order is one that an index has: the org's deliveries by id, a contact's and a subscription's by number.
  return query.orderBy(isNarrowed ? 'd.seq' : 'd.id', 'desc').execute()
}

export interface DeliveryKey {
  orgId: string
  id: string
}

/** The queue of a delivery that is in the log. */
export function loggedDelivery(db: Reader, { orgId, id }: DeliveryKey) {
  return db
    .selectFrom('delivery as d')
    .innerJoin('subscription as s', (join) =>
      join.onRef('s.org_id', '=', 'd.org_id').onRef('s.id', '=', 'd.subscription_id'),
    )
    .select(['d.subscription_id', 'd.contact_id', 'd.queue_key'])
    .where('d.org_id', '=', orgId)
    .where('d.id', '=', id)
    .where('d.contact_deleted', '=', 0)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Makes a finished delivery due. @returns false when it is due already */
export async function makeDueAgain(
  tx: Tx,
  { orgId, id }: DeliveryKey,
  due: { state: 'ready' | 'queued'; lane: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('delivery')
    .set({ ...due, finished_at: null })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('state', 'in', ['delivered', 'failed'])
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
