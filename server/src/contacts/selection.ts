/** The contacts that a change of many, or a file, is about. */
import type { Reader } from '../database/engine.ts'
import { validationError } from '../http/errors.ts'
import type { ContactFilter } from './filter-schema.ts'
import { contactsAfter, contactsByIds, idsAfter } from './grid-store.ts'
import type { Contact } from './schema.ts'

export interface Selection {
  ids?: string[]
  filter?: ContactFilter
  /** With a filter: contacts that match it and are not meant. */
  except?: string[]
}

/** Contacts read at once: 300 KB and, to take them in, half a millisecond of the event loop. */
const CONTACTS_AT_ONCE = 1_000
/** Ids read at once: some milliseconds of a thread, and a message of 400 KB from it. */
const IDS_AT_ONCE = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** @throws ApiError `validation` when it is not either ids or a filter */
export function requireSelection({ ids, filter, except }: Selection): void {
  if ((ids === undefined) === (filter === undefined)) {
    throw validationError([{ path: '', code: 'required', message: 'Send either ids or a filter.' }])
  }
  if (ids && except) {
    throw validationError([{ path: 'except', code: 'not_allowed', message: 'except goes with a filter.' }])
  }
}

/** The ids of a selection, ascending, some thousand at a time. */
export async function* selectedIds(
  db: Reader,
  orgId: string,
  { ids, filter = {}, except = [] }: Selection,
): AsyncGenerator<string[]> {
  if (ids) {
    // In one order for all: two changes of many on PostgreSQL never lock in a circle then.
    yield [...new Set(ids)].sort()
    return
  }
  const left = new Set(except)
  for (let after = BEFORE_ALL; ; ) {
    const found = await idsAfter(db, orgId, filter, { after, limit: IDS_AT_ONCE })
    if (found.length === 0) return
    yield left.size === 0 ? found : found.filter((id) => !left.has(id))
    after = found.at(-1)!
  }
}

/** The contacts of a selection in the order of their ids, some hundred at a time; one that is gone is left out. */
export async function* selectedContacts(
  db: Reader,
  orgId: string,
  { ids, filter = {}, except = [] }: Selection,
): AsyncGenerator<Contact[]> {
  if (ids) {
    const wanted = [...new Set(ids)].sort()
    for (let at = 0; at < wanted.length; at += CONTACTS_AT_ONCE) {
      yield contactsByIds(db, orgId, wanted.slice(at, at + CONTACTS_AT_ONCE))
    }
    return
  }
  const left = new Set(except)
  for (let after = BEFORE_ALL; ; ) {
    const found = await contactsAfter(db, orgId, filter, { after, limit: CONTACTS_AT_ONCE })
    if (found.length === 0) return
    yield left.size === 0 ? found : found.filter(({ id }) => !left.has(id))
    after = found.at(-1)!.id
  }
}
