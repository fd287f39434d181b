/** Which contacts an org has already, asked for many at once: by e-mail address, name and company, or telephone. */
import type { Reader } from '../database/engine.ts'
import { searchTextOf } from '../text/search-text.ts'
import { type CalledContact, contactsByPhoneEnd, idsByEmail, idsBySearchText } from './match-store.ts'
import type { ContactInput } from './schema.ts'

export type MatchField = 'email' | 'name'

/** Two contacts with the same key are taken for one; undefined when there is nothing to compare. */
export function matchKeyOf(
  on: MatchField,
  { email, full_name, company }: Pick<ContactInput, 'email' | 'full_name' | 'company'>,
): string | undefined {
  if (on === 'name') return searchTextOf(full_name ?? null, company ?? null)
  return email ? email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : undefined
}

/** @returns by key, the oldest contact that has it; keys of no contact are left out */
export async function contactIdsByKey(
  db: Reader,
  orgId: string,
  { on, keys }: { on: MatchField; keys: readonly string[] },
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await (on === 'email' ? idsByEmail : idsBySearchText)(db, orgId, [...new Set(keys)])
  return new Map(rows.flatMap(({ key, id }) => (id === null ? [] : [[key, id] as const])))
}

/**
 * The contacts, oldest first, whose telephone number ends with one of these.
 *
 * @param ends 7 digits each: what stands between the digits of a stored number is not looked at
 */
export async function contactsCalled(db: Reader, orgId: string, ends: readonly string[]): Promise<CalledContact[]> {
  return ends.length === 0 ? [] : contactsByPhoneEnd(db, orgId, [...new Set(ends)])
}
