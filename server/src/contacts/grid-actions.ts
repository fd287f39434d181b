import type { Database } from '../database/engine.ts'
import type { ContactFilter } from './filter-schema.ts'
import type { GridQuery } from './grid-schema.ts'
import { contactsByIds, countMatching, isCounted, sortedIds } from './grid-store.ts'
import type { Contact } from './schema.ts'

/** From this offset on, an index is walked off the event loop. */
const DEEP_OFFSET = 1_000

/** A page of whole contacts by any filter and order. The count is null when it was not asked for. */
export async function gridPage(
  db: Database,
  orgId: string,
  filter: ContactFilter,
  { sort, limit, offset, count }: Pick<GridQuery, 'sort' | 'limit' | 'offset' | 'count'>,
): Promise<{ rows: Contact[]; count: number | null }> {
  const isQuick = offset < DEEP_OFFSET && Object.keys(filter).length === 0
  const [ids, n] = await Promise.all([
    sortedIds(isQuick ? db.read : db.slow, orgId, filter, sort, { limit, offset }),
    count === 'true' ? countMatching(isCounted(filter) ? db.read : db.slow, orgId, filter) : null,
  ])
  return { rows: await contactsByIds(db.read, orgId, ids), count: n }
}
