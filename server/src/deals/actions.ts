import { now, toIso } from '../clock.ts'
import type { Database, Reader, Reads } from '../database/engine.ts'
import { readerFor } from '../database/paging.ts'
import type { Listed, Page } from '../http/paging.ts'
import { listStages } from '../orgs/actions.ts'
import type { Stage } from '../orgs/schema.ts'
import { openTasksOf } from '../tasks/actions.ts'
import { foldForSearch } from '../text/search-text.ts'
import type { Deal } from './schema.ts'
import { type BoardFilter, type DealRow, dealPage, dealsInStage, type StageTotal, stageTotals } from './store.ts'
import type { DealBoard, DealBoardQuery, DealCard, DealColumn, DealColumnQuery } from './ui-schema.ts'

const FIRST_CARDS = 50
/** Any name is taken as a stage, so there may be as many as contacts. */
const UNLISTED_MAX = 30

/** One page of the org's deals, the most valuable first. */
export function listDeals(from: Reads, orgId: string, page: Page): Promise<Listed<Deal>> {
  return dealPage(readerFor(from, page), orgId, page)
}

/** The stages of the pipeline, then the others that deals are in, each with its totals and first cards. */
export async function getBoard(db: Database, orgId: string, query: DealBoardQuery): Promise<DealBoard> {
  const filter = filterOf(orgId, query)
  const [pipeline, totals] = await Promise.all([listStages(db.read, orgId), stageTotals(db.slow, filter)])
  const { columns, hidden } = columnsOf(pipeline, totals)
  const reader = filter.text === '' ? db.read : db.slow
  const first = { limit: FIRST_CARDS, offset: 0 }
  const rows = await Promise.all(
    columns.map(({ stage, count }) => (count === 0 ? [] : dealsInStage(reader, filter, stage, first))),
  )
  const toCard = await cardMaker(db.read, orgId, rows.flat())
  const weights = columns.map(({ weighted }) => weighted).filter((weighted) => weighted !== null)
  return {
    columns: columns.map((column, i) => ({ ...column, cards: rows[i]!.map(toCard) })),
    hidden_stages: hidden,
    count: totals.reduce((sum, { count }) => sum + count, 0),
    total: totals.reduce((sum, { total }) => sum + total, 0),
    weighted: weights.length === 0 ? null : weights.reduce((sum, weighted) => sum + weighted, 0),
  }
}

/** More cards of one column. */
export async function listColumn(db: Database, orgId: string, query: DealColumnQuery): Promise<Listed<DealCard>> {
  const filter = filterOf(orgId, query)
  const [totals, rows] = await Promise.all([
    stageTotals(db.slow, filter, query.stage),
    dealsInStage(filter.text === '' ? readerFor(db, query) : db.slow, filter, query.stage, query),
  ])
  return { rows: rows.map(await cardMaker(db.read, orgId, rows)), count: totals[0]?.count ?? 0 }
}

function filterOf(orgId: string, { q, label }: DealBoardQuery): BoardFilter {
  return { orgId, label, text: q === undefined ? '' : foldForSearch(q) }
}

/** Of too many unlisted stages, those with the most deals are shown. */
function columnsOf(pipeline: Stage[], totals: StageTotal[]): { columns: Omit<DealColumn, 'cards'>[]; hidden: number } {
  const byStage = new Map(totals.map((total) => [total.stage, total]))
  const listed = pipeline.map(({ name, color, probability }) => {
    const { count, total } = byStage.get(name) ?? { count: 0, total: 0 }
    const weighted = probability === null ? null : (total * probability) / 100
    return { stage: name, color, probability, listed: true, count, total, weighted }
  })
  const names = new Set(pipeline.map(({ name }) => name))
  const others = totals.filter(({ stage }) => !names.has(stage)).sort((a, b) => b.count - a.count)
  const unlisted = others
    .slice(0, UNLISTED_MAX)
    .sort((a, b) => (a.stage < b.stage ? -1 : 1))
    .map((total) => ({ ...total, color: null, probability: null, listed: false, weighted: null }))
  return { columns: [...listed, ...unlisted], hidden: others.length - unlisted.length }
}

/** @returns what adds to each of the deals how many tasks wait there */
async function cardMaker(db: Reader, orgId: string, deals: DealRow[]): Promise<(deal: DealRow) => DealCard> {
  const tasks = await openTasksOf(db, { orgId, contactIds: deals.map(({ id }) => id), at: toIso(now()) })
  return (deal) => ({ ...deal, ...(tasks.get(deal.id) ?? { open_tasks: 0, overdue_tasks: 0 }) })
}
