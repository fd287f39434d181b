import { sql } from 'kysely'
import { compiled } from '../database/compiled.ts'
import { forUpdate, type Reader, type Tx } from '../database/engine.ts'
import { counted } from '../database/paging.ts'
import type { TaskTable } from '../database/schema.ts'
import { shardOf } from '../database/shards.ts'
import type { Listed } from '../http/paging.ts'
import type { Task, TaskQuery } from './schema.ts'

export interface TaskKey {
  orgId: string
  id: string
}

/** A task with the time of its newest event, as changes need it. */
export type TaskState = Task & { last_event_at: string }

const COLUMNS = [
  'id',
  'title',
  'priority',
  'category',
  'due_at',
  'contact_id',
  'status',
  'completed_at',
  'created_at',
  'updated_at',
] as const

const findTaskForUpdate = compiled<TaskKey>()((db, p) =>
  forUpdate(
    db as Tx,
    db
      .selectFrom('task')
      .select([...COLUMNS, 'last_event_at'])
      .where('org_id', '=', p('orgId'))
      .where('id', '=', p('id')),
  ),
)

/** The task, locked until the transaction ends. */
export async function taskForUpdate(tx: Tx, key: TaskKey): Promise<TaskState | undefined> {
  return (await findTaskForUpdate(tx, key))[0]
}

export const insertTask = compiled<TaskTable>()((tx, p) =>
  tx.insertInto('task').values({
    org_id: p('org_id'),
    id: p('id'),
    title: p('title'),
    priority: p('priority'),
    category: p('category'),
    due_at: p('due_at'),
    contact_id: p('contact_id'),
    status: p('status'),
    completed_at: p('completed_at'),
    last_event_at: p('last_event_at'),
    created_at: p('created_at'),
    updated_at: p('updated_at'),
  }),
)

export async function updateTask(tx: Tx, key: TaskKey, change: Partial<TaskTable>): Promise<void> {
  await tx
    .updateTable('task')
    .set(change)
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.id)
    .executeTakeFirstOrThrow()
}

/** Counts `delta` tasks more of that status. */
export const countTasks = compiled<{ orgId: string; status: string; delta: number }>()((db, p) =>
  db
    .insertInto('task_count')
    .values({ org_id: p('orgId'), status: p('status'), shard: shardOf(db), n: p('delta') })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'status', 'shard'])
        .doUpdateSet((eb) => ({ n: eb('task_count.n', '+', eb.ref('excluded.n')) })),
    ),
)

/** Tasks by due time, those without one last, ties by id. */
export async function taskPage(db: Reader, orgId: string, { status, ...page }: TaskQuery): Promise<Listed<Task>> {
  const ofStatus = status === undefined ? sql`` : sql` and n.status = ${status}`
  const count = sql<number>`(select cast(coalesce(sum(n.n), 0) as bigint) from task_count n
    where n.org_id = ${orgId}${ofStatus})`
  let query = db
    .selectFrom('task')
    .select(COLUMNS)
    .select(count.as('count'))
    .where('org_id', '=', orgId)
    .orderBy('due_at', (order) => order.asc().nullsLast())
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
  if (status !== undefined) query = query.where('status', '=', status)
  return counted(db, page, count, await query.execute())
}
