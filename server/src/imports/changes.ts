import type { Contact, ContactInput } from '../contacts/schema.ts'
import type { Tx } from '../database/engine.ts'
import { type ContactChange, changeOf, recordChanges } from './change-store.ts'
import type { ImportKey } from './store.ts'

/** What a batch of an import changes, noted for undoing it: one line a contact, however many rows are about it. */
export class Changes {
  readonly #key: ImportKey
  readonly #byContact = new Map<string, ContactChange>()

  constructor(key: ImportKey) {
    this.#key = key
  }

  added({ id, updated_at }: Contact): void {
    this.#byContact.set(id, { contactId: id, kind: 'added', at: updated_at, before: null, after: null })
  }

  async updated(
    tx: Tx,
    { before, after, patch }: { before: Contact; after: Contact; patch: ContactInput },
  ): Promise<void> {
    const { id, updated_at: at } = after
    const earlier = this.#byContact.get(id) ?? (await changeOf(tx, this.#key, id))
    if (earlier?.kind === 'added') {
      this.#byContact.set(id, { ...earlier, at })
      return
    }
    const fields = Object.keys(patch) as (keyof Contact)[]
    const valuesOf = (contact: Contact) => Object.fromEntries(fields.map((field) => [field, contact[field]]))
    this.#byContact.set(id, {
      contactId: id,
      kind: 'updated',
      at,
      before: { ...valuesOf(before), ...earlier?.before },
      after: { ...earlier?.after, ...valuesOf(after) },
    })
  }

  save(tx: Tx): Promise<void> {
    return recordChanges(tx, this.#key, [...this.#byContact.values()])
  }
}
