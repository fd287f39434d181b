import type { Actor, Lane } from '../actor.ts'
import type { Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import type { EventName } from '../events/names.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import {
  activeQueues,
  activeSubscriptions,
  insertDeliveries,
  type NewDelivery,
  newestUnfinished,
  promoteLane,
  type Queue,
} from './queue-store.ts'
import { DELIVERIES_TOPIC } from './topics.ts'

interface ActiveQueue {
  id: string
  events: string
  /** Of what is at its end; undefined where nobody has looked, since nothing can be. */
  lane?: number | null
}

export interface DueEvent {
  eventId: string
  event: EventName
  contactId: string | null
  queueKey: string
  createdAt: string
  isFirst: boolean
}

/**
 * Queues one delivery of each event for each active subscription that wants it. No two of the events are of one queue.
 *
 * Only the head of a contact's queue is `ready`; what comes behind it waits as `queued` until the head has ended.
 */
export async function queueDeliveries(
  tx: Tx,
  { orgId, lane }: Pick<Actor, 'orgId' | 'lane'>,
  due: readonly DueEvent[],
): Promise<void> {
  const active = due.some(({ isFirst }) => isFirst) ? await activeSubscriptions(tx, { orgId }) : []
  const deliveries: NewDelivery[] = []
  for (const { eventId, event, contactId, queueKey, createdAt, isFirst } of due) {
    const queues: ActiveQueue[] = isFirst ? active : await activeQueues(tx, { orgId, queueKey })
    for (const { id: subscriptionId, events, lane: laneBefore = null } of queues) {
      if (!events.includes(`"${event}"`)) continue
      deliveries.push({
        org_id: orgId,
        id: newId(),
        subscription_id: subscriptionId,
        event_id: eventId,
        event,
        contact_id: contactId,
        queue_key: queueKey,
        lane,
        state: await stateBehind(tx, { orgId, subscriptionId, queueKey }, { laneBefore, lane }),
        created_at: createdAt,
      })
    }
  }
  if (deliveries.length === 0) return
  await insertDeliveries(tx, deliveries)
  for (const id of new Set(deliveries.map(({ subscription_id }) => subscription_id)))
    announce(tx, orgId, 'delivery', id)
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
  return stateBehind(tx, queue, { laneBefore: before?.lane ?? null, lane })
}

/** @param lanes.laneBefore of what is at the end of the queue, null where nothing is */
async function stateBehind(
  tx: Tx,
  queue: Queue,
  { laneBefore, lane }: { laneBefore: number | null; lane: Lane },
): Promise<'ready' | 'queued'> {
  if (laneBefore === null) return 'ready'
  // Somebody waits for what a large import left in this queue, so the import's part goes ahead too.
  if (laneBefore > lane) await promoteLane(tx, { ...queue, lane })
  return 'queued'
}
