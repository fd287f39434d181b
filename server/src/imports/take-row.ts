/** What a row does to a contact, through the actions that everybody calls. */
import type { Actor } from '../actor.ts'
import { changeContact, getContact, lockContact } from '../contacts/actions.ts'
import type { NewContacts } from '../contacts/new-contact-actions.ts'
import type { Contact, ContactInput } from '../contacts/schema.ts'
import type { Tx } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { requireStage } from '../orgs/actions.ts'
import type { Changes } from './changes.ts'
import { reasonOf } from './convert.ts'
import type { Refusal } from './schema.ts'

/** @returns the id of the contact, which the caller saves, or why the org's rules refuse it */
export async function addContact(
  added: NewContacts,
  { input, changes }: { input: ContactInput; changes: Changes },
): Promise<string | Refusal> {
  try {
    const contact = await added.add(input)
    changes.added(contact)
    return contact.id
  } catch (error) {
    return refusalOfRule(error)
  }
}

interface Update {
  id: string
  input: ContactInput
  how: 'fill' | 'update'
  changes: Changes
}

/** @returns why the org's rules refuse it; `gone` when there is no such contact any more; undefined when it is done */
export async function updateContact(
  tx: Tx,
  actor: Actor,
  { id, input, how, changes }: Update,
): Promise<Refusal | 'gone' | undefined> {
  try {
    // The stage of a row counts also where the contact keeps its own, so that the check can tell.
    if (input.deal_stage) await requireStage(tx, actor.orgId, input.deal_stage)
    if (!(await lockContact(tx, actor.orgId, id))) return 'gone'
    const before = await getContact(tx, actor.orgId, id)
    const patch = patchOf(before, input, how)
    if (Object.keys(patch).length === 0) return undefined
    await changes.updated(tx, { before, after: await changeContact(tx, actor, id, patch), patch })
    return undefined
  } catch (error) {
    return refusalOfRule(error)
  }
}

const TAGS_MAX = 50

/**
 * What a row changes of a contact. An empty cell changes nothing; tags are put beside those that are there.
 *
 * @param how `fill` leaves what the contact has
 */
export function patchOf(contact: Contact, input: ContactInput, how: 'fill' | 'update'): ContactInput {
  const patch: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(input)) {
    if (field === 'tags' || value === null || value === undefined) continue
    const current = contact[field as keyof Contact]
    if (current === value || (how === 'fill' && current !== null)) continue
    patch[field] = value
  }
  const tags = [...new Set([...contact.tags, ...(input.tags ?? [])])].slice(0, TAGS_MAX)
  if (tags.length > contact.tags.length) patch.tags = tags
  return patch
}

/** @throws the error itself when it is none of a rule */
export function refusalOfRule(error: unknown): Refusal {
  if (error instanceof ApiError && error.code === 'validation') {
    return { reason: reasonOf(error.details ?? []), cell: null }
  }
  throw error
}
