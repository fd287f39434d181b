import type { Lane } from '../actor.ts'
import type { Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import type { EventName } from '../events/names.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { activeSubscriptions, insertDelivery, newestUnfinished, promoteLane, type Queue } from './queue-store.ts'
import { DELIVERIES_TOPIC } from './topics.ts'

export interface DueEvent {
  orgId: string
  eventId: string
  event: EventName
  contactId: string | null
  queueKey: string
  lane: Lane
  createdAt: string
  isFirst: boolean
}

/**
 * Queues one delivery of an event for each active subscription that wants it.
 *
 * Only the head of a contact's queue is `ready`; what comes behind it waits as `queued` until the head has ended.
 */
export async function queueDeliveries(tx: Tx, due: DueEvent): Promise<void> {
  const active = await activeSubscriptions(tx, { orgId: due.orgId })
  const subscriptions = active.filter(({ events }) => events.includes(`"${due.event}"`))
  if (subscriptions.length === 0) return
  for (const { id: subscriptionId } of subscriptions) {
    const queue = { orgId: due.orgId, subscriptionId, queueKey: due.queueKey }
    await insertDelivery(tx, {
      org_id: due.orgId,
      id: newId(),
      subscription_id: subscriptionId,
      event_id: due.eventId,
      event: due.event,
      contact_id: due.contactId,
      queue_key: due.queueKey,
      lane: due.lane,
      state: due.isFirst ? 'ready' : await joinQueue(tx, queue, due.lane),
      created_at: due.createdAt,
    })
    announce(tx, due.orgId, 'delivery', subscriptionId)
  }
  hint(tx, DELIVERIES_TOPIC)
}

/**
 * Holds the end of a queue for a delivery that is about to join it. Whoever calls holds the lock of the queue's contact
 * or task, so that nobody joins beside.
 *
 * @returns the state that the delivery is to have
 */
export async function joinQueue(tx: Tx, queue: Queue, lane: Lane): Promise<'ready' | 'queued'> {
  const before = await newestUnfinished(tx, queue)
  if (!before) return 'ready'
  // Somebody waits for what a large import left in this queue, so the import's part goes ahead too.
  if (before.lane > lane) await promoteLane(tx, { ...queue, lane })
  return 'queued'
}
