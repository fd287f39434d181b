import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import { newId } from '../ids.ts'
import { queueDeliveries } from '../webhooks/queue-actions.ts'
import type { EventName } from './names.ts'
import { insertEvent } from './store.ts'
import { EVENTS_TOPIC } from './topics.ts'

export interface NewEvent {
  name: EventName
  /** The contact whose queue and log its deliveries belong to. */
  contactId: string | null
  taskId: string | null
  ts: string
  payload: object
  /** No delivery about this contact or task can be waiting yet, so none is looked for. */
  isFirst?: boolean
}

/**
 * Writes an event and a due delivery for each subscription that wants it, in the transaction of the change.
 *
 * The body's bytes are made here and nowhere else. Whoever emits holds the lock of the contact's row (of the task's
 * where there is no contact): it keeps the order of a queue on PostgreSQL.
 */
export async function emit(tx: Tx, actor: Actor, event: NewEvent): Promise<void> {
  const id = await writeEvent(tx, actor, event)
  hint(tx, EVENTS_TOPIC)
  await queueDeliveries(tx, {
    orgId: actor.orgId,
    eventId: id,
    event: event.name,
    contactId: event.contactId,
    queueKey: event.contactId ?? event.taskId ?? id,
    lane: actor.lane,
    createdAt: event.ts,
    isFirst: event.isFirst ?? false,
  })
}

/** Writes an event alone, for a delivery that the caller queues. @returns its id */
export async function writeEvent(tx: Tx, actor: Actor, event: Omit<NewEvent, 'isFirst'>): Promise<string> {
  const id = newId()
  const body = Buffer.from(JSON.stringify({ event: event.name, ts: event.ts, payload: event.payload }))
  await insertEvent(tx, {
    org_id: actor.orgId,
    id,
    name: event.name,
    contact_id: event.contactId,
    task_id: event.taskId,
    ts: event.ts,
    body,
  })
  return id
}

/**
 * Gives the times of the events of one change: each is later than every one before it about the same record.
 *
 * @param lastEventAt the record's newest `ts`; undefined for a new record
 */
export function eventTimes(lastEventAt?: string): () => string {
  let last = lastEventAt === undefined ? 0 : Date.parse(lastEventAt)
  return () => {
    last = Math.max(now(), last + 1)
    return toIso(last)
  }
}
