/** The contacts that a change of many, or a file, is about. */
import type { Reader } from '../database/engine.ts'
import { validationError } from '../http/errors.ts'
import type { ContactFilter } from './filter-schema.ts'
import { idsAfter } from './grid-store.ts'

export interface Selection {
  ids?: string[]
  filter?: ContactFilter
  /** With a filter: contacts that match it and are not meant. */
  except?: string[]
}

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
