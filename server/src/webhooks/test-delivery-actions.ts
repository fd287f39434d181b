import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import { writeEvents } from '../events/actions.ts'
import type { EventName } from '../events/names.ts'
import { samplePayload } from '../events/sample.ts'
import { validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { getSubscription } from './actions.ts'
import { lockSubscription } from './erasure-store.ts'
import { joinQueue } from './queue-actions.ts'
import { insertDeliveries } from './queue-store.ts'
import { DELIVERIES_TOPIC } from './topics.ts'

/**
 * Sends a made-up event to one subscription, whether or not it wants that event: through the same guard, queue, sender
 * and log as any other. Its payload says `"test": true`, and it is about no contact of the org.
 *
 * @returns the delivery's id
 * @throws ApiError `not_found`; `validation` while the subscription is paused
 */
export async function sendTest(tx: Tx, actor: Actor, subscriptionId: string, event: EventName): Promise<string> {
  const { orgId, lane } = actor
  const { paused_at } = await getSubscription(tx, orgId, subscriptionId)
  if (paused_at !== null) {
    const message = 'The webhook is paused: resume it, then send a test.'
    throw validationError([{ path: '', code: 'not_allowed', message }])
  }
  await lockSubscription(tx, { org_id: orgId, id: subscriptionId })
  const ts = toIso(now())
  const payload = { test: true, ...samplePayload(event) }
  const [eventId] = await writeEvents(tx, actor, [{ name: event, contactId: null, taskId: null, ts, payload }])
  const id = newId()
  const queueKey = subscriptionId
  const delivery = {
    org_id: orgId,
    id,
    subscription_id: subscriptionId,
    event_id: eventId!,
    event,
    contact_id: null,
    queue_key: queueKey,
    lane,
    state: await joinQueue(tx, { orgId, subscriptionId, queueKey }, lane),
    created_at: ts,
  }
  await insertDeliveries(tx, [delivery])
  hint(tx, DELIVERIES_TOPIC)
  announce(tx, orgId, 'delivery', subscriptionId)
  return id
}
