/** How attempts ended, by the hour. */
import type { Reader } from '../database/engine.ts'

/** Those of an org, or of one of its subscriptions, from an hour on. */
export function hourRows(
  db: Reader,
  { orgId, subscriptionId, fromHour }: { orgId: string; subscriptionId?: string; fromHour: number },
) {
  let query = db
    .selectFrom('delivery_hour')
    .select(['subscription_id', 'hour', 'delivered', 'failed'])
    .where('org_id', '=', orgId)
    .where('hour', '>=', fromHour)
    .orderBy('subscription_id')
    .orderBy('hour')
  if (subscriptionId !== undefined) query = query.where('subscription_id', '=', subscriptionId)
  return query.execute()
}
