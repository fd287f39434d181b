import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/engine.ts'
import { listOf, type Page, PageQuery, pageAnswer } from '../http/paging.ts'
import { readAsPreferred } from '../http/prefer.ts'
import { listDeals } from './actions.ts'
import { Deal } from './schema.ts'

export function dealRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Page }>(
      '/deals',
      {
        schema: {
          operationId: 'listDeals',
          tags: ['Deals'],
          summary: 'List deals',
          description: 'The contacts with a stage, the most valuable first; those without a value last.',
          querystring: PageQuery,
          response: { 200: listOf(Deal) },
        },
        config: { scope: 'read' },
      },
      async (request, reply) => {
        const { actor, query } = request
        const page = await readAsPreferred(db, request, reply, (from) => listDeals(from, actor.orgId, query))
        return pageAnswer(page, query)
      },
    )
  }
}
