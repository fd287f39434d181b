import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/engine.ts'
import { pageAnswer } from '../http/paging.ts'
import { getBoard, listColumn } from './actions.ts'
import { DealBoard, DealBoardQuery, DealCards, DealColumnQuery } from './ui-schema.ts'

export function dealUiRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: DealBoardQuery }>(
      '/deals/board',
      { schema: { querystring: DealBoardQuery, response: { 200: DealBoard } }, config: { access: 'member' } },
      ({ actor, query }) => getBoard(db, actor.orgId, query),
    )

    app.get<{ Querystring: DealColumnQuery }>(
      '/deals/column',
      { schema: { querystring: DealColumnQuery, response: { 200: DealCards } }, config: { access: 'member' } },
      async ({ actor, query }) => pageAnswer(await listColumn(db, actor.orgId, query), query),
    )
  }
}
