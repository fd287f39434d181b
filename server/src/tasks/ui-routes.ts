import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/engine.ts'
import { pageAnswer } from '../http/paging.ts'
import { listTaskGroup, listTaskGroups } from './actions.ts'
import { TaskGroupQuery, TaskGroups, TaskGroupsQuery, TaskRows } from './ui-schema.ts'

export function taskUiRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: TaskGroupsQuery }>(
      '/tasks/groups',
      { schema: { querystring: TaskGroupsQuery, response: { 200: TaskGroups } }, config: { access: 'member' } },
      ({ actor, query }) => listTaskGroups(db, actor.orgId, query),
    )

    app.get<{ Querystring: TaskGroupQuery }>(
      '/tasks/group',
      { schema: { querystring: TaskGroupQuery, response: { 200: TaskRows } }, config: { access: 'member' } },
      async ({ actor, query }) => pageAnswer(await listTaskGroup(db, actor.orgId, query), query),
    )
  }
}
