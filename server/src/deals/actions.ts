import type { Database } from '../database/engine.ts'
import { readerFor } from '../database/paging.ts'
import type { Listed, Page } from '../http/paging.ts'
import type { Deal } from './schema.ts'
import { dealPage } from './store.ts'

/** One page of the org's deals, the most valuable first. */
export function listDeals(db: Database, orgId: string, page: Page): Promise<Listed<Deal>> {
  return dealPage(readerFor(db, page), orgId, page)
}
