/** Changes on their way to the server, shown as if they were saved, and the refusals of those that were not. */
import type { Contact } from '@server/contacts/schema.ts'
import type { ColumnId } from './columns.ts'

export type Patch = Partial<Omit<Contact, 'id' | 'created_at' | 'updated_at'>>

export interface Refusal {
  /** What was to be saved, to try again. */
  patch: Patch
  message: string
}

interface Entry {
  sent: Patch[]
  /** The newest answer: pages that were asked for before it may still come after it. */
  answer: Contact | undefined
  merged?: { base: Contact; patches: Patch[]; contact: Contact }
}

/** Of one list. Listeners hear of each change of it; `version` is another one then. */
export class Edits {
  version = 0
  readonly #entries = new Map<string, Entry>()
  readonly #refusals = new Map<string, Refusal>()
  readonly #listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  getVersion = (): number => this.version

  /** @returns the same object while nothing of it has changed, so that its row is not drawn again */
  shown(contact: Contact): Contact {
    const entry = this.#entries.get(contact.id)
    if (!entry) return contact
    const base = entry.answer && entry.answer.updated_at > contact.updated_at ? entry.answer : contact
    if (entry.sent.length === 0) return base
    if (entry.merged?.base !== base || entry.merged.patches !== entry.sent) {
      entry.merged = { base, patches: entry.sent, contact: Object.assign({}, base, ...entry.sent) }
    }
    return entry.merged.contact
  }

  /** Shows the patch until `saved` or `refused` is called with it. */
  begin(id: string, patch: Patch): void {
    for (const field of Object.keys(patch)) this.#refusals.delete(keyOf(id, field))
    const entry = this.#entries.get(id) ?? { sent: [], answer: undefined }
    this.#entries.set(id, { ...entry, sent: [...entry.sent, patch] })
    this.#changed()
  }

  saved(patch: Patch, answer: Contact): void {
    const entry = this.#entries.get(answer.id)!
    const isNewest = !entry.answer || answer.updated_at > entry.answer.updated_at
    this.#entries.set(answer.id, { sent: without(entry.sent, patch), answer: isNewest ? answer : entry.answer })
    this.#changed()
  }

  /** The old value shows again, and the fields say why. */
  refused(id: string, patch: Patch, messageOf: (field: string) => string | undefined): void {
    const entry = this.#entries.get(id)!
    this.#entries.set(id, { ...entry, sent: without(entry.sent, patch) })
    for (const field of Object.keys(patch)) {
      const message = messageOf(field)
      if (message !== undefined) this.#refusals.set(keyOf(id, field), { patch, message })
    }
    this.#changed()
  }

  refusalOf(id: string, field: ColumnId): Refusal | undefined {
    return this.#refusals.get(keyOf(id, field))
  }

  /** As `refusalOf`, of any field: most rows have none, and ask only this. */
  hasRefusal(id: string): boolean {
    if (this.#refusals.size === 0) return false
    return [...this.#refusals.keys()].some((key) => key.startsWith(`${id} `))
  }

  forgetRefusal(id: string, field: ColumnId): void {
    if (this.#refusals.delete(keyOf(id, field))) this.#changed()
  }

  #changed(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }
}

function without(patches: readonly Patch[], patch: Patch): Patch[] {
  return patches.filter((other) => other !== patch)
}

function keyOf(id: string, field: string): string {
  return `${id} ${field}`
}
