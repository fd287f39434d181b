import type { Actor, Lane } from '../actor.ts'
import { lockContact } from '../contacts/actions.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import type { EventName } from '../events/names.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { firstIdAt } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { lockTask } from '../tasks/actions.ts'
import { isUuid } from '../uuid.ts'
import { requireSubscription } from './actions.ts'
import {
  attemptRows,
  countOfContact,
  type DeliveryFilter,
  type DeliveryState,
  deliveryRows,
  loggedDelivery,
  logRowById,
  logRows,
  makeDueAgain,
} from './delivery-store.ts'
import { lockSubscription } from './erasure-store.ts'
import { joinQueue } from './queue-actions.ts'
import { DELIVERIES_TOPIC } from './topics.ts'
import type { DeliveryAttempt, DeliveryDetails, LoggedDelivery, LogQuery } from './ui-schema.ts'

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
export async function listDeliveries(
  db: Reader,
  orgId: string,
  filter: Pick<DeliveryFilter, 'contactId' | 'subscriptionId' | 'limit'>,
): Promise<Delivery[]> {
  const ids = [filter.contactId, filter.subscriptionId].filter((id) => id !== undefined)
  if (!ids.every(isUuid)) return []
  const rows = await deliveryRows(db, orgId, filter)
  return rows.map(({ id, subscription_id, contact_id, event, state, ...rest }) => ({
    id,
    subscription_id,
    contact_id,
    event: event as EventName,
    status: statusOf(state),
    ...rest,
  }))
}

/** How many deliveries the log has about a contact. */
export function countDeliveriesAbout(db: Reader, orgId: string, contactId: string): Promise<number> {
  return countOfContact(db, orgId, contactId)
}

/** What a page of the log is of. */
export interface LogScope {
  subscriptionId?: string
  contactId?: string
}

/**
 * One page of the log as the web app shows it, newest first.
 *
 * @throws ApiError `not_found` for a subscription that is not there
 */
export async function deliveryLog(
  db: Database,
  orgId: string,
  scope: LogScope,
  query: LogQuery,
): Promise<LoggedDelivery[]> {
  if (scope.subscriptionId !== undefined) await requireSubscription(db.read, orgId, scope.subscriptionId)
  const { contactId = query.contact_id, subscriptionId } = scope
  const befores = [query.before, query.to && firstIdAt(query.to)].filter((before) => before !== undefined)
  const rows = await logRows(contactId === undefined ? db.read : db.slow, orgId, {
    contactId,
    subscriptionId,
    states: query.status && STATES_OF[query.status],
    event: query.event,
    fromId: query.from && firstIdAt(query.from),
    beforeId: befores.sort()[0],
    limit: query.limit,
  })
  return rows.map(loggedOf)
}

/** The newest deliveries of a subscription. */
export async function lastDelivery(db: Reader, orgId: string, subscriptionId: string): Promise<LoggedDelivery | null> {
  const [newest] = await logRows(db, orgId, { subscriptionId, limit: 1 })
  return newest ? loggedOf(newest) : null
}

/** A delivery with the bytes that are sent and each attempt at it. @throws ApiError `not_found` */
export async function getDelivery(db: Reader, orgId: string, id: string): Promise<DeliveryDetails> {
  const row = isUuid(id) ? await logRowById(db, { orgId, id }) : undefined
  if (!row) throw noSuchDelivery()
  const tries = await attemptRows(db, { orgId, id })
  return { ...loggedOf(row), body: Buffer.from(row.body).toString(), tries: tries.map(attemptOf) }
}

const STATES_OF: Record<Delivery['status'], DeliveryState[]> = {
  pending: ['ready', 'queued'],
  delivered: ['delivered'],
  failed: ['failed'],
}

function statusOf(state: DeliveryState): Delivery['status'] {
  return state === 'ready' || state === 'queued' ? 'pending' : state
}

function loggedOf(row: Awaited<ReturnType<typeof logRows>>[number]): LoggedDelivery {
  const { contact_id, full_name, company, queue_key, event, state, ...rest } = row
  return {
    ...rest,
    event: event as EventName,
    is_test: isTestQueue(row),
    contact: contact_id === null ? null : { id: contact_id, name: full_name ?? company ?? '' },
    status: statusOf(state),
  }
}

function attemptOf(row: Awaited<ReturnType<typeof attemptRows>>[number]): DeliveryAttempt {
  return {
    ...row,
    delivered: row.delivered === 1,
    request_headers: JSON.parse(row.request_headers),
    response_headers: row.response_headers === null ? null : JSON.parse(row.response_headers),
    timings: JSON.parse(row.timings),
  }
}

/** Tests of a subscription wait for one another in a queue of its own name. */
function isTestQueue({ subscription_id, queue_key }: { subscription_id: string; queue_key: string }): boolean {
  return queue_key === subscription_id
}

/**
 * Makes a finished delivery due again: the same record, to be sent with the same id. It takes the place in its
 * contact's queue that its event has among what is still due.
 *
 * @throws ApiError `not_found`; `validation` when it is still due
 */
export async function redeliver(tx: Tx, { orgId, lane }: Actor, id: string): Promise<void> {
  const found = isUuid(id) ? await loggedDelivery(tx, { orgId, id }) : undefined
  if (!found || !(await lockQueue(tx, orgId, found))) throw noSuchDelivery()
  if (!(await joinAgain(tx, orgId, found, lane))) {
    const message = 'The delivery is still due: it is sent without being asked for again.'
    throw validationError([{ path: '', code: 'not_allowed', message }])
  }
  hint(tx, DELIVERIES_TOPIC)
  announce(tx, orgId, 'delivery', found.subscription_id)
}

export type QueuedDelivery = NonNullable<Awaited<ReturnType<typeof loggedDelivery>>>

/** Makes finished deliveries due again; those that are gone or due are left alone. */
export async function redeliverAll(
  tx: Tx,
  { orgId, lane }: Actor,
  deliveries: readonly QueuedDelivery[],
): Promise<void> {
  for (const delivery of deliveries) {
    if (await lockQueue(tx, orgId, delivery)) await joinAgain(tx, orgId, delivery, lane)
  }
  hint(tx, DELIVERIES_TOPIC)
}

/** Holds the record that keeps the order of a delivery's queue. @returns whether it is there */
async function lockQueue(tx: Tx, orgId: string, delivery: QueuedDelivery): Promise<boolean> {
  const { contact_id, subscription_id, queue_key } = delivery
  if (contact_id !== null) return lockContact(tx, orgId, contact_id)
  if (!isTestQueue(delivery)) return lockTask(tx, orgId, queue_key)
  await lockSubscription(tx, { org_id: orgId, id: subscription_id })
  return true
}

async function joinAgain(tx: Tx, orgId: string, delivery: QueuedDelivery, lane: Lane): Promise<boolean> {
  const { id, subscription_id: subscriptionId, queue_key: queueKey } = delivery
  const state = await joinQueue(tx, { orgId, subscriptionId, queueKey }, lane)
  return makeDueAgain(tx, { orgId, id }, { state, lane })
}

function noSuchDelivery(): ApiError {
  return new ApiError('not_found', 'There is no such delivery.')
}
