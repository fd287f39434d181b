import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/engine.ts'
import { IdParam, type IdParams } from '../http/id-param.ts'
import { listOf, pageAnswer } from '../http/paging.ts'
import { readAsPreferred } from '../http/prefer.ts'
import { sendCreated } from '../idempotency/send-created.ts'
import { changeTask, createTask, listTasks } from './actions.ts'
import { Task, TaskInput, TaskPatch, TaskQuery } from './schema.ts'

export function taskRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: TaskQuery }>(
      '/tasks',
      {
        schema: {
          operationId: 'listTasks',
          tags: ['Tasks'],
          summary: 'List tasks',
          description: 'By due time; those without one last.',
          querystring: TaskQuery,
          response: { 200: listOf(Task) },
        },
        config: { scope: 'read' },
      },
      async (request, reply) => {
        const { actor, query } = request
        const page = await readAsPreferred(db, request, reply, (from) => listTasks(from, actor.orgId, query))
        return pageAnswer(page, query)
      },
    )

    app.post<{ Body: TaskInput }>(
      '/tasks',
      {
        schema: {
          operationId: 'createTask',
          tags: ['Tasks'],
          summary: 'Create a task',
          description: 'It starts as open. Emits `task.created`.',
          body: TaskInput,
          response: { 201: Task },
        },
        config: { scope: 'write' },
      },
      (request, reply) =>
        sendCreated(db, request, reply, async (tx) => ({
          record: await createTask(tx, request.actor, request.body),
          contactId: null,
        })),
    )

    app.patch<{ Params: IdParams; Body: TaskPatch }>(
      '/tasks/:id',
      {
        schema: {
          operationId: 'changeTask',
          tags: ['Tasks'],
          summary: 'Change a task',
          description: 'Send only the fields to change. Setting done or completed emits `task.completed`, each time.',
          params: IdParam,
          body: TaskPatch,
          response: { 200: Task },
        },
        config: { scope: 'write' },
      },
      ({ actor, params, body }) => db.write((tx) => changeTask(tx, actor, params.id, body)),
    )
  }
}
