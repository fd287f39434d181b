import { type RawBuilder, sql } from 'kysely'
import { isPostgres, type Reader } from '../database/engine.ts'
import { idOrder, ofOrg } from '../database/org-rows.ts'
import { listing } from '../database/paging.ts'
import { containsText, fewHits } from '../database/search-hits.ts'
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
      .$narrowType<{ deal_stage: string }>(),
  order: (db) => ({
    ahead: sql`deal_value desc nulls last, ${idOrder(db)}`,
    back: sql`deal_value nulls first, ${idOrder(db)} desc`,
  }),
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
  const which = stage === undefined ? sql`c.deal_stage is not null` : sql`c.deal_stage = ${stage}`
  const { rows } = await sql<StageTotal>`
    select c.deal_stage as stage, count(*) as count, coalesce(sum(c.deal_value), 0) as total
    ${await dealsOf(db, filter)} and ${which} group by c.deal_stage`.execute(db)
  return rows
}

export type DealRow = Omit<DealCard, 'open_tasks' | 'overdue_tasks'>

/** Deals of one stage, the most valuable first; without a value last, ties by id. */
export async function dealsInStage(
  db: Reader,
  filter: BoardFilter,
  stage: string,
  { limit, offset }: Page,
): Promise<DealRow[]> {
  const { rows } = await sql<DealRow>`
    select c.id, c.full_name, c.company, c.deal_value, c.label
    ${await dealsOf(db, filter)} and c.deal_stage = ${stage}
    order by c.deal_value desc nulls last, ${idOrder(db, 'c')} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** `from … where …` of the contacts that match, deals or not. */
async function dealsOf(db: Reader, { orgId, label, text }: BoardFilter): Promise<RawBuilder<unknown>> {
  const conditions = [ofOrg(db, orgId, 'c')]
  if (label !== undefined) conditions.push(sql`c.label = ${label}`)
  if (text !== '') conditions.push(containsText(db, sql`c.search_text`, text))
  const where = sql.join(conditions, sql` and `)
  const hits = isPostgres(db) ? undefined : await fewHits(db, orgId, text)
  return hits ? sql`${hits} and ${where}` : sql`from contact c where ${where}`
}
