import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import { newId } from '../ids.ts'
import { queueDeliveries } from '../webhooks/queue-actions.ts'
import type { EventName } from './names.ts'
import { insertEvents } from './store.ts'
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
export function emit(tx: Tx, actor: Actor, event: NewEvent): Promise<void> {
  return emitAll(tx, actor, [event])
}

/** Does what `emit` does for events that each are about another record, in their order. */
export async function emitAll(tx: Tx, actor: Actor, events: readonly NewEvent[]): Promise<void> {
  const ids = await writeEvents(tx, actor, events)
  hint(tx, EVENTS_TOPIC)
  const due = events.map(({ name, contactId, taskId, ts, isFirst = false }, at) => ({
    eventId: ids[at]!,
    event: name,
    contactId,
    queueKey: contactId ?? taskId ?? ids[at]!,
    createdAt: ts,
    isFirst,
  }))
  await queueDeliveries(tx, actor, due)
}

/** Writes events alone, for deliveries that the caller queues. @returns their ids */
export async function writeEvents(
  tx: Tx,
  actor: Actor,
  events: readonly Omit<NewEvent, 'isFirst'>[],
): Promise<string[]> {
  const rows = events.map(({ name, contactId, taskId, ts, payload }) => ({
    org_id: actor.orgId,
    id: newId(),
    name,
    contact_id: contactId,
    task_id: taskId,
    ts,
    body: Buffer.from(JSON.stringify({ event: name, ts, payload })),
  }))
  await insertEvents(tx, rows)
  return rows.map(({ id }) => id)
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
