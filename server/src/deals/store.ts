import { sql } from 'kysely'
import type { Reader } from '../database/engine.ts'
import { counted } from '../database/paging.ts'
import type { Listed, Page } from '../http/paging.ts'
import type { Deal } from './schema.ts'

/** The contacts with a stage, the most valuable first; without a value last, ties by id. */
export async function dealPage(db: Reader, orgId: string, page: Page): Promise<Listed<Deal>> {
  const count = sql<number>`(select cast(coalesce(sum(n.n), 0) as bigint) from contact_count n
    where n.org_id = ${orgId} and n.stage > '')`
  const rows = await db
    .selectFrom('contact')
    .select(['id', 'full_name', 'company', 'deal_stage', 'deal_value', count.as('count')])
    .where('org_id', '=', orgId)
    .where('deal_stage', 'is not', null)
    .orderBy('deal_value', (order) => order.desc().nullsLast())
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .$narrowType<{ deal_stage: string }>()
    .execute()
  return counted(db, page, count, rows)
}
