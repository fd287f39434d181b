import { sql } from 'kysely'
import { compiled, compiledChange } from '../database/compiled.ts'
import { forUpdate, type Reader, type Tx } from '../database/engine.ts'
import { givenRows } from '../database/given-rows.ts'
import { listing } from '../database/paging.ts'
import type { TaskTable } from '../database/schema.ts'
import { shardOf } from '../database/shards.ts'
import type { Listed, Page } from '../http/paging.ts'
import type { Task, TaskQuery } from './schema.ts'
import { TASK_GROUPS, type TaskGroup, type TaskRow } from './ui-schema.ts'

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

export const insertTask = compiledChange<TaskTable>()((tx, p) =>
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

export async function deleteTask(tx: Tx, { orgId, id }: TaskKey): Promise<void> {
  await tx.deleteFrom('task').where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Counts `delta` tasks more of that status. */
export const countTasks = compiledChange<{ orgId: string; status: string; delta: number }>()((db, p) =>
  db
    .insertInto('task_count')
    .values({ org_id: p('orgId'), status: p('status'), shard: shardOf(db), n: p('delta') })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'status', 'shard'])
        .doUpdateSet((eb) => ({ n: eb('task_count.n', '+', eb.ref('excluded.n')) })),
    ),
)

const listTasks = listing<{ orgId: string } & TaskQuery>('status')({
  count: (p, isGiven) => {
    const ofStatus = isGiven('status') ? sql` and n.status = ${p('status')}` : sql``
    return sql`(select cast(coalesce(sum(n.n), 0) as bigint) from task_count n
      where n.org_id = ${p('orgId')}${ofStatus})`
  },
  rows: (db, p, isGiven) =>
    db
      .selectFrom('task')
      .select(COLUMNS)
      .where('org_id', '=', p('orgId'))
      .$if(isGiven('status'), (query) => query.where('status', '=', p('status')!)),
  order: () => ({ ahead: sql`due_at nulls last, id`, back: sql`due_at desc nulls first, id desc` }),
})

/** Tasks by due time, those without one last, ties by id. */
export function taskPage(db: Reader, orgId: string, query: TaskQuery): Promise<Listed<Task>> {
  return listTasks(db, { ...query, orgId })
}

export interface GroupFilter {
  orgId: string
  category?: string | undefined
  contactId?: string | undefined
  /** Where the days of whoever asks begin and end. */
  now: string
  tomorrow: string
  week_end: string
}

/** How many tasks each of the groups has. */
export async function groupCounts(
  db: Reader,
  filter: GroupFilter,
  groups: readonly TaskGroup[],
): Promise<Record<TaskGroup, number>> {
  const counts = groups.map((group) => {
    const inGroup = tasksOf(db, filter, group).select(sql`count(*)`.as('n'))
    return sql<number>`(${inGroup})`.as(group)
  })
  return { ...NO_COUNTS, ...(await db.selectNoFrom(counts).executeTakeFirstOrThrow()) }
}

const NO_COUNTS = Object.fromEntries(TASK_GROUPS.map((group) => [group, 0])) as Record<TaskGroup, number>

/** One page of a group: what is open by when it is due, what is done or cancelled the newest first; ties by id. */
export async function groupPage(db: Reader, filter: GroupFilter, group: TaskGroup, page: Page): Promise<TaskRow[]> {
  const tasks = tasksOf(db, filter, group)
    .select(COLUMNS)
    .orderBy(orderOf(group, 't'))
    .limit(page.limit)
    .offset(page.offset)
    .as('page')
  const rows = await db
    .selectFrom(tasks)
    .leftJoin('contact as c', (join) => join.on('c.org_id', '=', filter.orgId).onRef('c.id', '=', 'page.contact_id'))
    .selectAll('page')
    .select(sql<string | null>`coalesce(c.full_name, c.company)`.as('contact_name'))
    .orderBy(orderOf(group, 'page'))
    .execute()
  return rows.map(({ contact_name, ...task }) => ({
    ...task,
    contact: task.contact_id === null ? null : { id: task.contact_id, name: contact_name ?? '' },
  }))
}

function tasksOf(db: Reader, { orgId, category, contactId, ...bounds }: GroupFilter, group: TaskGroup) {
  let query = db.selectFrom('task as t').where('t.org_id', '=', orgId)
  if (category !== undefined) query = query.where('t.category', '=', category)
  if (contactId !== undefined) query = query.where('t.contact_id', '=', contactId)
  if (group === 'done') return query.where('t.completed_at', 'is not', null)
  if (group === 'cancelled') return query.where('t.status', '=', 'cancelled')
  query = query.where('t.status', '=', 'open')
  if (group === 'none') return query.where('t.due_at', 'is', null)
  const { from, until } = DUE[group]
  if (from) query = query.where('t.due_at', '>=', bounds[from])
  if (until) query = query.where('t.due_at', '<', bounds[until])
  return query
}

type Bound = 'now' | 'tomorrow' | 'week_end'

const DUE: Record<'overdue' | 'today' | 'week' | 'later', { from?: Bound; until?: Bound }> = {
  overdue: { until: 'now' },
  today: { from: 'now', until: 'tomorrow' },
  week: { from: 'tomorrow', until: 'week_end' },
  later: { from: 'week_end' },
}

function orderOf(group: TaskGroup, table: 't' | 'page') {
  const [column, direction] = ORDER[group as keyof typeof ORDER] ?? ORDER.open
  return sql`${sql.ref(`${table}.${column}`)} ${sql.raw(direction)}, ${sql.ref(`${table}.id`)} ${sql.raw(direction)}`
}

const ORDER = {
  open: ['due_at', 'asc'],
  done: ['completed_at', 'desc'],
  cancelled: ['updated_at', 'desc'],
} as const

/** How many open and overdue tasks contacts have, without those that have none. */
export async function openTaskCounts(
  db: Reader,
  { orgId, contactIds, at }: { orgId: string; contactIds: readonly string[]; at: string },
) {
  const given = givenRows(
    db,
    contactIds.map((contact_id) => ({ contact_id })),
    { contact_id: 'uuid' },
  )
  const { rows } = await sql<{ contact_id: string; open_tasks: number; overdue_tasks: number }>`
    select t.contact_id, count(*) as open_tasks, count(case when t.due_at < ${at} then 1 end) as overdue_tasks
    from ${given} cross join task t
    where t.org_id = ${orgId} and t.contact_id = given.contact_id and t.status = 'open'
    group by t.contact_id`.execute(db)
  return rows
}
