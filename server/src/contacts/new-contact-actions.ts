import { recordActivities } from '../activities/actions.ts'
import { type Actor, LANE_IMPORT } from '../actor.ts'
import type { Tx } from '../database/engine.ts'
import { emitAll, eventTimes } from '../events/actions.ts'
import { validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { requireStage } from '../orgs/actions.ts'
import { searchTextOf } from '../text/search-text.ts'
import { countContacts } from './counts.ts'
import type { Contact, ContactInput } from './schema.ts'
import { insertContacts } from './store.ts'

/**
 * Contacts that are added together, in one transaction: all that comes of them is written by `save`, in a few statements
 * however many they are.
 */
export class NewContacts {
  readonly #tx: Tx
  readonly #actor: Actor
  readonly #stages = new Set<string>()
  #waiting: Contact[] = []

  constructor(tx: Tx, actor: Actor) {
    this.#tx = tx
    this.#actor = actor
  }

  /**
   * Makes a contact, which is there once it has been saved.
   *
   * @throws ApiError `validation` when neither name is there, or the pipeline is strict and lacks the stage
   */
  async add(input: ContactInput): Promise<Contact> {
    requireName(input)
    if (input.deal_stage) await this.#requireStage(input.deal_stage)
    const at = eventTimes()()
    const contact: Contact = {
      id: newId(),
      full_name: input.full_name ?? null,
      company: input.company ?? null,
      email: input.email ?? null,
      phone: input.phone ?? null,
      location: input.location ?? null,
      deal_stage: input.deal_stage ?? null,
      deal_value: input.deal_value ?? null,
      label: input.label ?? null,
      tags: input.tags ?? [],
      created_at: at,
      updated_at: at,
    }
    this.#waiting.push(contact)
    return contact
  }

  /** Whether this contact is still to be saved. */
  isWaiting(id: string): boolean {
    return this.#waiting.some((contact) => contact.id === id)
  }

  /** Writes the contacts, with their counts and histories, and emits `contact.created` for each. */
  async save(): Promise<void> {
    const contacts = this.#waiting
    if (contacts.length === 0) return
    this.#waiting = []
    const [tx, actor] = [this.#tx, this.#actor]
    await insertContacts(
      tx,
      contacts.map((contact) => rowOf(actor.orgId, contact)),
    )
    await countContacts(tx, actor.orgId, contacts)
    const isImported = actor.lane === LANE_IMPORT
    const activities = contacts.map(({ id, created_at }) => ({
      contactId: id,
      kind: isImported ? ('imported' as const) : ('created' as const),
      body: isImported ? 'Imported' : 'Created',
      occurredAt: created_at,
    }))
    await recordActivities(tx, actor, activities)
    const events = contacts.map((contact) => ({
      name: 'contact.created' as const,
      contactId: contact.id,
      taskId: null,
      ts: contact.created_at,
      payload: { contact },
      isFirst: true,
    }))
    await emitAll(tx, actor, events)
  }

  /** Asked for once a batch: many contacts have few stages. */
  async #requireStage(stage: string): Promise<void> {
    if (this.#stages.has(stage)) return
    await requireStage(this.#tx, this.#actor.orgId, stage)
    this.#stages.add(stage)
  }
}

/** @throws ApiError `validation` */
export function requireName({ full_name, company }: Pick<ContactInput, 'full_name' | 'company'>): void {
  if (full_name || company) return
  throw validationError([{ path: '', code: 'required', message: 'A contact needs a full_name or a company.' }])
}

function rowOf(orgId: string, contact: Contact) {
  return {
    ...contact,
    org_id: orgId,
    tags: JSON.stringify(contact.tags),
    search_text: searchTextOf(contact.full_name, contact.company),
    last_event_at: contact.created_at,
  }
}
