/** The delivery log. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../database/engine.ts'
import { EVENT_NAMES, type EventName } from '../events/names.ts'

export const STATES = ['ready', 'queued', 'delivered', 'failed'] as const

export type DeliveryState = (typeof STATES)[number]

export interface DeliveryFilter {
  contactId?: string | undefined
  subscriptionId?: string | undefined
  states?: readonly DeliveryState[] | undefined
  event?: EventName | undefined
  /** The oldest id that is wanted. */
  fromId?: string | undefined
  /** Older than this id. */
  beforeId?: string | undefined
  limit: number
}

/** As the command lists them: the newest first. Never those of a deleted contact or subscription. */
export function deliveryRows(db: Reader, orgId: string, filter: DeliveryFilter) {
  return logged(db, orgId, filter)
    .select([
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
    ])
    .execute()
}

/** As the web app lists them: `deliveryRows`, with whom each is about, where it goes and whether it is a test. */
export function logRows(db: Reader, orgId: string, filter: DeliveryFilter) {
  return withNames(logged(db, orgId, filter)).execute()
}

/** One of `logRows`, with the body's bytes. */
export function logRowById(db: Reader, { orgId, id }: DeliveryKey) {
  return withNames(inLog(db, orgId))
    .innerJoin('event as e', (join) => join.onRef('e.org_id', '=', 'd.org_id').onRef('e.id', '=', 'd.event_id'))
    .select('e.body')
    .where('d.id', '=', id)
    .executeTakeFirst()
}

/** All attempts of a delivery, the newest first. */
export function attemptRows(db: Reader, { orgId, id }: DeliveryKey) {
  return db
    .selectFrom('delivery_attempt')
    .select([
      'number',
      'started_at',
      'duration_ms',
      'delivered',
      'response_status',
      'error',
      'url',
      'request_headers',
      'response_headers',
      'response_body',
      'timings',
    ])
    .where('org_id', '=', orgId)
    .where('delivery_id', '=', id)
    .orderBy('number', 'desc')
    .execute()
}

function inLog(db: Reader, orgId: string) {
  return db
    .selectFrom('delivery as d')
    .innerJoin('subscription as s', (join) =>
      join.onRef('s.org_id', '=', 'd.org_id').onRef('s.id', '=', 'd.subscription_id'),
    )
    .where('d.org_id', '=', orgId)
    .where('d.contact_deleted', '=', 0)
    .where('s.deleted_at', 'is', null)
}

function logged(db: Reader, orgId: string, filter: DeliveryFilter) {
  const { contactId, subscriptionId, states, event, fromId, beforeId, limit } = filter
  let query = inLog(db, orgId).orderBy('d.id', 'desc').limit(limit)
  if (subscriptionId !== undefined && contactId === undefined) {
    return query.where('d.id', 'in', newestIds(orgId, { ...filter, subscriptionId }))
  }
  if (contactId !== undefined) query = query.where('d.contact_id', '=', contactId)
  if (subscriptionId !== undefined) query = query.where('d.subscription_id', '=', subscriptionId)
  if (states) query = query.where('d.state', 'in', states)
  if (event !== undefined) query = query.where('d.event', '=', event)
  if (fromId !== undefined) query = query.where('d.id', '>=', fromId)
  if (beforeId !== undefined) query = query.where('d.id', '<', beforeId)
  return query
}

/**
 * The newest ids of a subscription. They are looked for by state and event, each of which the index has in order, so
 * that a filter which few of a million fit costs no more than one which all do.
 */
function newestIds(orgId: string, filter: DeliveryFilter & { subscriptionId: string }) {
  const { subscriptionId, states = STATES, event, fromId, beforeId, limit } = filter
  const events = event === undefined ? EVENT_NAMES : [event]
  const from = fromId === undefined ? sql`` : sql` and id >= ${fromId}`
  const before = beforeId === undefined ? sql`` : sql` and id < ${beforeId}`
  const parts = states.flatMap((state) => {
    // A deleted contact's deliveries are there as long as they are due.
    const visible = state === 'ready' || state === 'queued' ? sql` and contact_deleted = 0` : sql``
    return events.map(
      (name) => sql`select id from (select id from delivery where org_id = ${orgId}
        and subscription_id = ${subscriptionId} and state = ${state} and event = ${name}${from}${before}${visible}
        order by id desc limit ${limit}) part`,
    )
  })
  return sql<string>`(select id from (${sql.join(parts, sql` union all `)}) hits order by id desc limit ${limit})`
}

function withNames(query: ReturnType<typeof inLog>) {
  return query
    .leftJoin('contact as c', (join) => join.onRef('c.org_id', '=', 'd.org_id').onRef('c.id', '=', 'd.contact_id'))
    .select([
      'd.id',
      'd.subscription_id',
      's.url as subscription_url',
      'd.contact_id',
      'c.full_name',
      'c.company',
      'd.queue_key',
      'd.event',
      'd.state',
      'd.response_status',
      'd.error',
      'd.attempts',
      'd.duration_ms',
      'd.created_at',
      'd.finished_at',
    ])
}

export interface DeliveryKey {
  orgId: string
  id: string
}

/** The queue of a delivery that is in the log. */
export function loggedDelivery(db: Reader, { orgId, id }: DeliveryKey) {
  return inLog(db, orgId)
    .select(['d.id', 'd.subscription_id', 'd.contact_id', 'd.queue_key'])
    .where('d.id', '=', id)
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

interface FailedRange {
  orgId: string
  subscriptionId: string
  fromId: string
}

/** How many of a subscription have failed, and the newest of them. */
export async function countFailed(db: Reader, { orgId, subscriptionId, fromId }: FailedRange) {
  const row = await db
    .selectFrom('delivery')
    // Not every PostgreSQL knows the greatest of ids.
    .select((eb) => [eb.fn.countAll<number>().as('count'), sql<string | null>`max(cast(id as text))`.as('newest')])
    .where('org_id', '=', orgId)
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', 'failed')
    .where('event', 'in', EVENT_NAMES)
    .where('id', '>=', fromId)
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), newest: row.newest }
}

/** The oldest failed ones of a subscription behind an id, with their queues. */
export function failedDeliveries(
  db: Reader,
  { orgId, subscriptionId, afterId, untilId, max }: SendAgainRange & { max: number },
) {
  return db
    .selectFrom('delivery')
    .select(['id', 'subscription_id', 'contact_id', 'queue_key'])
    .where('org_id', '=', orgId)
    .where('id', 'in', oldestFailed())
    .orderBy('id')
    .execute()

  function oldestFailed() {
    const parts = EVENT_NAMES.map(
      (name) => sql`select id from (select id from delivery where org_id = ${orgId}
        and subscription_id = ${subscriptionId} and state = ${'failed'} and event = ${name} and id > ${afterId}
        and id <= ${untilId} order by id limit ${max}) part`,
    )
    return sql<string>`(select id from (${sql.join(parts, sql` union all `)}) hits order by id limit ${max})`
  }
}

interface SendAgainRange {
  orgId: string
  subscriptionId: string
  afterId: string
  untilId: string
}

/** Of those that may be shown. */
export async function countOfContact(db: Reader, orgId: string, contactId: string): Promise<number> {
  const { n } = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .where('contact_deleted', '=', 0)
    .executeTakeFirstOrThrow()
  return n
}
