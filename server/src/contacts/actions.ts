import { recordActivity } from '../activities/actions.ts'
import type { Actor } from '../actor.ts'
import type { Reader, Reads, Tx } from '../database/engine.ts'
import { readerFor } from '../database/paging.ts'
import { emit, eventTimes } from '../events/actions.ts'
import { ApiError } from '../http/errors.ts'
import type { Listed } from '../http/paging.ts'
import { announce } from '../live/announce.ts'
import { requireStage } from '../orgs/actions.ts'
import { foldForSearch, searchTextOf } from '../text/search-text.ts'
import { isUuid } from '../uuid.ts'
import { moveCount, uncountContact } from './counts.ts'
import type { Duplicate, DuplicateQuery } from './grid-schema.ts'
import { NewContacts, requireName } from './new-contact-actions.ts'
import type { Contact, ContactInput, ContactListItem, ContactQuery } from './schema.ts'
import { contactSearchPage } from './search-store.ts'
import {
  type ContactChange,
  type ContactKey,
  type ContactState,
  contactById,
  contactForUpdate,
  contactPage,
  deleteContactRows,
  similarContacts,
  updateContact,
} from './store.ts'

/**
 * Adds a contact and emits `contact.created`.
 *
 * @throws ApiError `validation` when neither name is there, or the pipeline is strict and lacks the stage
 */
export async function createContact(tx: Tx, actor: Actor, input: ContactInput): Promise<Contact> {
  const batch = new NewContacts(tx, actor)
  const contact = await batch.add(input)
  await batch.save()
  return contact
}

/** @throws ApiError `not_found` */
export async function getContact(db: Reader, orgId: string, id: string): Promise<Contact> {
  const contact = isUuid(id) ? await contactById(db, { orgId, id }) : undefined
  if (!contact) throw noSuchContact()
  return contact
}

/** One page of the contacts that match, newest first. */
export function listContacts(from: Reads, orgId: string, query: ContactQuery): Promise<Listed<ContactListItem>> {
  const filter = { orgId, stage: query.stage, label: query.label }
  const text = query.q === undefined ? '' : foldForSearch(query.q)
  if (text !== '') return contactSearchPage(from.slow, text, filter, query)
  return contactPage(readerFor(from, query), filter, query)
}

/**
 * Changes what the patch names and emits `contact.updated`, then `deal.stage_changed` when the stage differs.
 *
 * @throws ApiError `not_found`; `validation` when no name would remain, or a strict pipeline lacks the stage
 */
export async function changeContact(tx: Tx, actor: Actor, id: string, patch: ContactInput): Promise<Contact> {
  const key = { orgId: actor.orgId, id }
  const { last_event_at, ...before } = await lockedContact(tx, key)
  const nextTime = eventTimes(last_event_at)
  const contact: Contact = { ...before, ...patch, tags: patch.tags === undefined ? before.tags : (patch.tags ?? []) }
  requireName(contact)
  const hasMoved = contact.deal_stage !== before.deal_stage
  if (hasMoved && contact.deal_stage !== null) await requireStage(tx, actor.orgId, contact.deal_stage)
  const changed = fieldsThatDiffer(before, contact)
  contact.updated_at = nextTime()
  const movedAt = hasMoved ? nextTime() : undefined
  await updateContact(tx, key, {
    ...columnsOf(contact, changed),
    updated_at: contact.updated_at,
    last_event_at: movedAt ?? contact.updated_at,
    updated_by: actor.name,
  })
  await moveCount(tx, actor.orgId, before, contact)
  await emit(tx, actor, {
    name: 'contact.updated',
    contactId: id,
    taskId: null,
    ts: contact.updated_at,
    payload: { contact, changed },
  })
  if (movedAt) {
    await recordActivity(tx, actor, {
      contactId: id,
      kind: 'stage_changed',
      body: `${before.deal_stage ?? 'no stage'} → ${contact.deal_stage ?? 'no stage'}`,
      occurredAt: movedAt,
    })
    await emit(tx, actor, {
      name: 'deal.stage_changed',
      contactId: id,
      taskId: null,
      ts: movedAt,
      payload: { contact, new_stage: contact.deal_stage, previous_stage: before.deal_stage },
    })
  }
  return contact
}

/**
 * Deletes a contact for good, with its activities and deliveries, and emits `contact.deleted`.
 *
 * @throws ApiError `not_found`
 */
export async function deleteContact(tx: Tx, actor: Actor, id: string): Promise<void> {
  const key = { orgId: actor.orgId, id }
  const { last_event_at, ...contact } = await lockedContact(tx, key)
  const ts = eventTimes(last_event_at)()
  await emit(tx, actor, { name: 'contact.deleted', contactId: id, taskId: null, ts, payload: { contact } })
  await deleteContactRows(tx, key, ts)
  // Its event may be gone with it.
  announce(tx, actor.orgId, 'contact', id)
  await uncountContact(tx, actor.orgId, contact)
}

const DUPLICATES_MAX = 5

/**
 * Contacts that one with these fields may repeat, oldest first: those with the same e-mail address, ignoring case, and
 * those with the same name, ignoring case and accents. Where a company is given, the name counts at that company or at
 * none; without a name, the company counts alone.
 */
export function findDuplicates(
  db: Reader,
  orgId: string,
  { full_name = null, company = null, email = null }: DuplicateQuery,
  limit = DUPLICATES_MAX,
): Promise<Duplicate[]> {
  const texts = new Set<string>()
  if (full_name || company) texts.add(searchTextOf(full_name, company))
  if (full_name) texts.add(searchTextOf(full_name, null))
  return similarContacts(db, orgId, { texts: [...texts], email: email || null, limit })
}

/** @returns whether the org has this contact, which is then locked: its queue takes one writer at a time */
export async function lockContact(tx: Tx, orgId: string, id: string): Promise<boolean> {
  return isUuid(id) && (await contactForUpdate(tx, { orgId, id })) !== undefined
}

async function lockedContact(tx: Tx, key: ContactKey): Promise<ContactState> {
  const contact = isUuid(key.id) ? await contactForUpdate(tx, key) : undefined
  if (!contact) throw noSuchContact()
  return contact
}

function noSuchContact(): ApiError {
  return new ApiError('not_found', 'There is no such contact.')
}

function fieldsThatDiffer(before: Contact, after: Contact): (keyof ContactInput)[] {
  return (Object.keys(after) as (keyof ContactInput)[]).filter((field) => {
    if (field === 'tags') return JSON.stringify(before.tags) !== JSON.stringify(after.tags)
    return before[field] !== after[field]
  })
}

/** The columns of those fields and no others: each that is set costs its indexes a change, even to what it was. */
function columnsOf(contact: Contact, fields: (keyof ContactInput)[]): Partial<ContactChange> {
  const columns: Record<string, unknown> = {}
  for (const field of fields) columns[field] = field === 'tags' ? JSON.stringify(contact.tags) : contact[field]
  if ('full_name' in columns || 'company' in columns) {
    columns.search_text = searchTextOf(contact.full_name, contact.company)
  }
  return columns
}
