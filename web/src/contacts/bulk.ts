/** Changes of many contacts: one request, which says how far it is. */
import type { BulkLine, ContactsChange } from '@server/contacts/bulk-schema.ts'
import type { Contact } from '@server/contacts/schema.ts'
import { postForLines } from '../api/client.ts'
import type { Target } from './grid/selection.ts'

/** Up to so many a change can be taken back: the page still has what was there before. */
export const UNDONE_MAX = 200

export interface Progress {
  done: number
  total: number
}

/** @throws ApiFailure when it is refused as a whole; what it could not change stands in the line that is returned */
export async function changeMany(
  target: Target,
  change: ContactsChange,
  { onProgress, signal }: { onProgress?: (progress: Progress) => void; signal?: AbortSignal } = {},
): Promise<BulkLine> {
  let last: BulkLine = { done: 0, total: 0, ended: false }
  for await (const line of postForLines<BulkLine>('/contacts/bulk', { ...target, change }, { signal })) {
    last = line
    onProgress?.(line)
  }
  return last
}

/**
 * The changes that take one back, each for the contacts that had the same before.
 *
 * @param before the contacts as they were
 * @returns undefined for what cannot be taken back
 */
export function undoOf(
  change: ContactsChange,
  before: readonly Contact[],
): { ids: string[]; change: ContactsChange }[] | undefined {
  const { set, add_tag: tag } = change
  if (set) {
    const fields = Object.keys(set) as (keyof typeof set)[]
    const groups = Map.groupBy(before, (contact) => JSON.stringify(fields.map((field) => contact[field])))
    return [...groups.values()].map((contacts) => ({
      ids: contacts.map(({ id }) => id),
      change: { set: Object.fromEntries(fields.map((field) => [field, contacts[0]![field]])) },
    }))
  }
  if (tag !== undefined) {
    const without = before.filter(({ tags }) => !tags.includes(tag.trim()))
    return without.length === 0 ? undefined : [{ ids: without.map(({ id }) => id), change: { remove_tag: tag } }]
  }
  return undefined
}
