import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import { EVENT_NAMES, type EventName } from '../events/names.ts'
import { ApiError, type Detail, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import type { AddressGuard } from '../outgoing/address-guard.ts'
import { isUuid } from '../uuid.ts'
import { sealText } from './secret-box.ts'
import { newSigningSecret } from './secrets.ts'
import {
  insertSubscription,
  replaceSecret,
  type SubscriptionRow,
  subscriptionById,
  subscriptionRows,
  updateSubscription,
} from './store.ts'
import { SUBSCRIPTIONS_TOPIC } from './topics.ts'

const NOTE_MAX = 200
const OLD_SECRET_MS = 24 * 3_600_000

export interface SubscriptionInput {
  url: string
  events: readonly string[]
  note?: string | null
}

export interface NewSubscription {
  id: string
  url: string
  events: EventName[]
  /** The signing secret as displayed, `whsec_…`. */
  secret: string
}

export interface Subscription {
  id: string
  url: string
  events: EventName[]
  note: string | null
  /** Null while it is active. */
  paused_at: string | null
  /** Until when a replaced secret goes on signing; null when there is none. */
  old_secret_until: string | null
  created_at: string
}

/**
 * Makes a subscription with a new signing secret, whose text is in this answer only.
 *
 * @param key 32 bytes that the secret is sealed with
 * @throws ApiError `validation` when the guard refuses the URL, or the events are not a choice of the six
 */
export async function createSubscription(
  tx: Tx,
  { orgId }: Actor,
  input: SubscriptionInput,
  { guard, key }: { guard: AddressGuard; key: Uint8Array },
): Promise<NewSubscription> {
  const url = input.url.trim()
  const note = input.note?.trim() || null
  const faults = [...urlFaults(url, guard), ...eventFaults(input.events), ...noteFaults(note)]
  if (faults.length > 0) throw validationError(faults)
  const id = newId()
  const secret = newSigningSecret()
  const events = chosenEvents(input.events)
  const href = guard.judgeUrl(url).url!.href
  await insertSubscription(tx, {
    org_id: orgId,
    id,
    url: href,
    events: JSON.stringify(events),
    note,
    secret: sealText(key, secret, secretContext(orgId, id)),
    previous_secret: null,
    previous_secret_until: null,
    paused_at: null,
    created_at: toIso(now()),
    deleted_at: null,
  })
  announce(tx, orgId, 'webhook', id)
  return { id, url: href, events, secret }
}

/** In the documented order. */
function chosenEvents(names: readonly string[]): EventName[] {
  return EVENT_NAMES.filter((name) => names.includes(name))
}

/** All subscriptions of an org, oldest first. */
export async function listSubscriptions(db: Reader, orgId: string): Promise<Subscription[]> {
  return (await subscriptionRows(db, orgId)).map(subscriptionOf)
}

/** @throws ApiError `not_found` */
export async function getSubscription(db: Reader, orgId: string, id: string): Promise<Subscription> {
  const row = isUuid(id) ? await subscriptionById(db, { orgId, id }) : undefined
  if (!row) throw noSuchSubscription()
  return subscriptionOf(row)
}

/** @throws ApiError `not_found` */
export async function requireSubscription(db: Reader, orgId: string, id: string): Promise<void> {
  await getSubscription(db, orgId, id)
}

export interface SubscriptionPatch {
  url?: string | undefined
  events?: readonly string[] | undefined
  note?: string | null | undefined
}

/**
 * Changes where a subscription's deliveries go from now on (those that wait too), what is sent, or its note.
 *
 * @throws ApiError `not_found`; `validation` as with `createSubscription`
 */
export async function changeSubscription(
  tx: Tx,
  actor: Actor,
  id: string,
  patch: SubscriptionPatch,
  { guard }: { guard: AddressGuard },
): Promise<Subscription> {
  const url = patch.url?.trim()
  const note = patch.note?.trim() || null
  const faults = [
    ...(url === undefined ? [] : urlFaults(url, guard)),
    ...(patch.events ? eventFaults(patch.events) : []),
    ...noteFaults(note),
  ]
  if (faults.length > 0) throw validationError(faults)
  return change(tx, actor, id, {
    ...(url !== undefined && { url: guard.judgeUrl(url).url!.href }),
    ...(patch.events && { events: JSON.stringify(chosenEvents(patch.events)) }),
    ...(patch.note !== undefined && { note }),
  })
}

/** @returns why nothing may be sent to this URL, as a sentence; null when it may */
export function refusalOf(guard: AddressGuard, url: string): string | null {
  return urlFaults(url.trim(), guard)[0]?.message ?? null
}

/**
 * Pauses a subscription: no delivery is made for new events, and what is due waits until it is resumed.
 *
 * @throws ApiError `not_found`
 */
export function pauseSubscription(tx: Tx, actor: Actor, id: string): Promise<Subscription> {
  return change(tx, actor, id, { paused_at: toIso(now()) })
}

/** @throws ApiError `not_found` */
export function resumeSubscription(tx: Tx, actor: Actor, id: string): Promise<Subscription> {
  return change(tx, actor, id, { paused_at: null })
}

/**
 * Deletes a subscription, what is due of it and its log. Nothing of it is seen or sent from here on; its rows, of
 * which there may be millions, are erased little by little.
 *
 * @throws ApiError `not_found`
 */
export async function deleteSubscription(tx: Tx, actor: Actor, id: string): Promise<void> {
  await change(tx, actor, id, { deleted_at: toIso(now()), secret: new Uint8Array(), previous_secret: null })
}

/**
 * Gives a subscription a new secret, whose text is in this answer only. The one it replaces goes on for 24 hours; one
 * that was still going on from a replacement before ends.
 *
 * @throws ApiError `not_found`
 * @see contract §8
 */
export async function rotateSecret(
  tx: Tx,
  { orgId }: Actor,
  id: string,
  { key }: { key: Uint8Array },
): Promise<{ id: string; secret: string; old_secret_until: string }> {
  const secret = newSigningSecret()
  const sealed = sealText(key, secret, secretContext(orgId, id))
  const until = toIso(now() + OLD_SECRET_MS)
  const isThere = isUuid(id) && (await replaceSecret(tx, { orgId, id }, { secret: sealed, previousUntil: until }))
  if (!isThere) throw noSuchSubscription()
  hint(tx, SUBSCRIPTIONS_TOPIC)
  announce(tx, orgId, 'webhook', id)
  return { id, secret, old_secret_until: until }
}

/** Ends a replaced secret before its 24 hours are over. @throws ApiError `not_found` */
export function endOldSecret(tx: Tx, actor: Actor, id: string): Promise<Subscription> {
  return change(tx, actor, id, { previous_secret: null, previous_secret_until: null })
}

/** What a subscription's secrets are sealed for. */
export function secretContext(orgId: string, subscriptionId: string): string {
  return `${orgId}/${subscriptionId}`
}

async function change(
  tx: Tx,
  { orgId }: Actor,
  id: string,
  columns: Parameters<typeof updateSubscription>[2],
): Promise<Subscription> {
  const row = isUuid(id) ? await updateSubscription(tx, { orgId, id }, columns) : undefined
  if (!row) throw noSuchSubscription()
  hint(tx, SUBSCRIPTIONS_TOPIC)
  announce(tx, orgId, 'webhook', id)
  return subscriptionOf(row)
}

function noSuchSubscription(): ApiError {
  return new ApiError('not_found', 'There is no such subscription.')
}

function subscriptionOf(row: SubscriptionRow): Subscription {
  const { previous_secret_until: until, ...rest } = row
  return {
    id: rest.id,
    url: rest.url,
    events: JSON.parse(rest.events),
    note: rest.note,
    paused_at: rest.paused_at,
    old_secret_until: until !== null && until > toIso(now()) ? until : null,
    created_at: rest.created_at,
  }
}

function urlFaults(url: string, guard: AddressGuard): Detail[] {
  if (url === '') return [{ path: 'url', code: 'required', message: 'url is required.' }]
  const { refused } = guard.judgeUrl(url)
  return refused === undefined ? [] : [{ path: 'url', code: 'not_allowed', message: refused }]
}

function eventFaults(events: readonly string[]): Detail[] {
  if (events.length === 0)
    return [{ path: 'events', code: 'required', message: 'events must name at least one event.' }]
  return events.flatMap((name, at): Detail[] => {
    const path = `events/${at}`
    if (!EVENT_NAMES.includes(name as EventName)) {
      return [{ path, code: 'not_allowed', message: `There is no event ${name}; there are ${EVENT_NAMES.join(', ')}.` }]
    }
    return events.indexOf(name) < at
      ? [{ path, code: 'not_allowed', message: `The event ${name} is there twice.` }]
      : []
  })
}

function noteFaults(note: string | null): Detail[] {
  if (note === null) return []
  if (!note.isWellFormed() || note.includes('\0')) {
    return [{ path: 'note', code: 'bad_format', message: 'note holds characters that cannot be stored.' }]
  }
  if ([...note].length <= NOTE_MAX) return []
  return [{ path: 'note', code: 'too_long', message: `note must be at most ${NOTE_MAX} characters.` }]
}
