import type { Actor } from '../actor.ts'
import { lockContact } from '../contacts/actions.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import type { EventName } from '../events/names.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { isUuid } from '../ids.ts'
import { lockTask } from '../tasks/actions.ts'
import { type DeliveryFilter, deliveryRows, loggedDelivery, makeDueAgain } from './delivery-store.ts'
import { joinQueue } from './queue-actions.ts'
import { DELIVERIES_TOPIC } from './topics.ts'

export interface Delivery {
  id: string
  subscription_id: string
  contact_id: string | null
  event: EventName
  status: 'pending' | 'delivered' | 'failed'
  /** Of the newest attempt, as are error and duration; null when no status line came. */
  response_status: number | null
  /** A sentence; null when delivered. */
  error: string | null
  attempts: number
  duration_ms: number | null
  created_at: string
  finished_at: string | null
}

/** The deliveries of an org, newest first; those of a deleted contact or subscription are not among them. */
export async function listDeliveries(db: Reader, orgId: string, filter: DeliveryFilter): Promise<Delivery[]> {
  const ids = [filter.contactId, filter.subscriptionId].filter((id) => id !== undefined)
  if (!ids.every(isUuid)) return []
  const rows = await deliveryRows(db, orgId, filter)
  return rows.map(({ id, subscription_id, contact_id, event, state, ...rest }) => ({
    id,
    subscription_id,
    contact_id,
    event: event as EventName,
    status: state === 'ready' || state === 'queued' ? 'pending' : state,
    ...rest,
  }))
}

/**
 * Makes a finished delivery due again: the same record, to be sent with the same id. It takes the place in its
 * contact's queue that its event has among what is still due.
 *
 * @throws ApiError `not_found`; `validation` when it is still due
 */
export async function redeliver(tx: Tx, { orgId, lane }: Actor, id: string): Promise<void> {
  const key = { orgId, id }
  const found = isUuid(id) ? await loggedDelivery(tx, key) : undefined
  if (!found) throw noSuchDelivery()
  const { subscription_id: subscriptionId, contact_id: contactId, queue_key: queueKey } = found
  const isThere = contactId === null ? await lockTask(tx, orgId, queueKey) : await lockContact(tx, orgId, contactId)
  if (!isThere) throw noSuchDelivery()
  const state = await joinQueue(tx, { orgId, subscriptionId, queueKey }, lane)
  if (!(await makeDueAgain(tx, key, { state, lane }))) {
    const message = 'The delivery is still due: it is sent without being asked for again.'
    throw validationError([{ path: '', code: 'not_allowed', message }])
  }
  hint(tx, DELIVERIES_TOPIC)
}

function noSuchDelivery(): ApiError {
  return new ApiError('not_found', 'There is no such delivery.')
}
