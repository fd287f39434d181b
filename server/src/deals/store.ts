import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres, type Reader } from '../database/engine.ts'
import { idOrder, ofOrg } from '../database/org-rows.ts'
import { listing } from '../database/paging.ts'
import type { Listed, Page } from '../http/paging.ts'
import type { Deal } from './schema.ts'
import type { DealCard } from './ui-schema.ts'

const listDeals = listing<{ orgId: string } & Page>()({
  count: (p) =>
    sql`(select cast(coalesce(sum(n.n), 0) as bigint) from contact_count n
      where n.org_id = ${p('orgId')} and n.stage > '')`,
  rows: (db, p) =>
    db
      .selectFrom('contact')
      .select(['id', 'full_name', 'company', 'deal_stage', 'deal_value'])
      .where(ofOrg(db, p('orgId')))
      .where('deal_stage', 'is not', null)
      .orderBy('deal_value', (order) => order.desc().nullsLast())
      .orderBy(idOrder(db))
      .limit(p('limit'))
      .offset(p('offset'))
      .$narrowType<{ deal_stage: string }>(),
})

/** The contacts with a stage, the most valuable first; without a value last, ties by id. */
export function dealPage(db: Reader, orgId: string, { limit, offset }: Page): Promise<Listed<Deal>> {
  return listDeals(db, { orgId, limit, offset })
}

export interface BoardFilter {
  orgId: string
  label?: string | undefined
  /** Folded as `foldForSearch` does it; empty for all. */
  text: string
}

export interface StageTotal {
  stage: string
  count: number
  total: number
}

/** How many deals each stage has and what they are worth; from the board's index alone where no text is asked for. */
export async function stageTotals(db: Reader, filter: BoardFilter, stage?: string): Promise<StageTotal[]> {
  let query = dealsOf(db, filter)
    .where('deal_stage', 'is not', null)
    .select(['deal_stage as stage', sql<number>`count(*)`.as('count')])
    .select(sql<number>`coalesce(sum(deal_value), 0)`.as('total'))
    .groupBy('deal_stage')
    .$narrowType<{ stage: string }>()
  if (stage !== undefined) query = query.where('deal_stage', '=', stage)
  return query.execute()
}

export type DealRow = Omit<DealCard, 'open_tasks' | 'overdue_tasks'>

/** Deals of one stage, the most valuable first; without a value last, ties by id. */
export function dealsInStage(db: Reader, filter: BoardFilter, stage: string, page: Page): Promise<DealRow[]> {
  return dealsOf(db, filter)
    .select(['id', 'full_name', 'company', 'deal_value', 'label'])
    .where('deal_stage', '=', stage)
    .orderBy('deal_value', (order) => order.desc().nullsLast())
    .orderBy(idOrder(db))
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

function dealsOf(db: Reader, { orgId, label, text }: BoardFilter) {
  let query = db.selectFrom('contact').where(ofOrg(db, orgId))
  if (label !== undefined) query = query.where('label', '=', label)
  if (text !== '') query = query.where(contains(db, text))
  return query
}

function contains(db: Reader, text: string): RawBuilder<SqlBool> {
  if (isPostgres(db)) return sql`search_text like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`
  return sql`instr(search_text, ${text}) > 0`
}
