import { recordActivity } from '../activities/actions.ts'
import type { Actor } from '../actor.ts'
import { lockContact } from '../contacts/actions.ts'
import type { Database, Reader, Reads, Tx } from '../database/engine.ts'
import { readerFor } from '../database/paging.ts'
import { emit, eventTimes } from '../events/actions.ts'
import { ApiError, validationError } from '../http/errors.ts'
import type { Listed } from '../http/paging.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { isUuid } from '../uuid.ts'
import type { Task, TaskInput, TaskPatch, TaskQuery } from './schema.ts'
import {
  countTasks,
  deleteTask,
  groupCounts,
  groupPage,
  insertTask,
  openTaskCounts,
  taskForUpdate,
  taskPage,
  updateTask,
} from './store.ts'
import {
  TASK_GROUPS,
  type TaskGroup,
  type TaskGroupQuery,
  type TaskGroups,
  type TaskGroupsQuery,
  type TaskRow,
} from './ui-schema.ts'

const FIRST_TASKS = 50

/**
 * Adds a task and emits `task.created`.
 *
 * @throws ApiError `validation` when `contact_id` names no contact of the org
 */
export async function createTask(tx: Tx, actor: Actor, input: TaskInput): Promise<Task> {
  const contactId = input.contact_id ?? null
  if (contactId !== null) await requireContact(tx, actor.orgId, contactId)
  const at = eventTimes()()
  const task: Task = {
    id: newId(),
    title: input.title,
    priority: input.priority ?? null,
    category: input.category ?? null,
    due_at: input.due_at ?? null,
    contact_id: contactId,
    status: 'open',
    completed_at: null,
    created_at: at,
    updated_at: at,
  }
  await insertTask(tx, { ...task, org_id: actor.orgId, last_event_at: at })
  await countTasks(tx, { orgId: actor.orgId, status: task.status, delta: 1 })
  await emit(tx, actor, { name: 'task.created', contactId, taskId: task.id, ts: at, payload: { task } })
  return task
}

/** One page of the org's tasks by due time. */
export function listTasks(from: Reads, orgId: string, query: TaskQuery): Promise<Listed<Task>> {
  return taskPage(readerFor(from, query), orgId, query)
}

/**
 * Changes what the patch names. A patch that sets the status to done or completed emits `task.completed`, each time.
 *
 * @throws ApiError `not_found`; `validation` when `contact_id` names no contact of the org
 */
export async function changeTask(tx: Tx, actor: Actor, id: string, patch: TaskPatch): Promise<Task> {
  const key = { orgId: actor.orgId, id }
  const found = isUuid(id) ? await taskForUpdate(tx, key) : undefined
  if (!found) throw new ApiError('not_found', 'There is no such task.')
  const { last_event_at, ...before } = found
  const task: Task = { ...before, ...patch }
  // The contact's lock keeps the order of its queue, which this task's events belong to.
  if (task.contact_id !== null) await requireContact(tx, actor.orgId, task.contact_id)
  task.updated_at = eventTimes(last_event_at)()
  task.completed_at = isComplete(task) ? (before.completed_at ?? task.updated_at) : null
  await updateTask(tx, key, {
    ...patch,
    completed_at: task.completed_at,
    updated_at: task.updated_at,
    last_event_at: task.updated_at,
  })
  // Not every change of a task is an event.
  announce(tx, actor.orgId, 'task', id)
  if (task.status !== before.status) {
    await countTasks(tx, { orgId: actor.orgId, status: before.status, delta: -1 })
    await countTasks(tx, { orgId: actor.orgId, status: task.status, delta: 1 })
  }
  if (patch.status !== undefined && isComplete(task)) await completed(tx, actor, task)
  return task
}

/** The groups of a tab, each with its count and first tasks. */
export async function listTaskGroups(db: Database, orgId: string, query: TaskGroupsQuery): Promise<TaskGroups> {
  const filter = filterOf(orgId, query)
  const groups: TaskGroup[] = query.tab === 'open' ? OPEN_GROUPS : [query.tab]
  if (!filter) return { groups: groups.map((group) => ({ group, count: 0, tasks: [] })) }
  const counts = await groupCounts(db.slow, filter, groups)
  const first = { limit: FIRST_TASKS, offset: 0 }
  const pages = groups.map(async (group) => ({
    group,
    count: counts[group],
    tasks: counts[group] === 0 ? [] : await groupPage(db.read, filter, group, first),
  }))
  return { groups: await Promise.all(pages) }
}

/** One page of a group. */
export async function listTaskGroup(db: Database, orgId: string, query: TaskGroupQuery): Promise<Listed<TaskRow>> {
  const filter = filterOf(orgId, query)
  if (!filter) return { rows: [], count: 0 }
  const [counts, rows] = await Promise.all([
    groupCounts(db.slow, filter, [query.group]),
    groupPage(readerFor(db, query), filter, query.group, query),
  ])
  return { rows, count: counts[query.group] }
}

const OPEN_GROUPS = TASK_GROUPS.filter((group) => group !== 'done' && group !== 'cancelled')

/** @returns undefined when it names no contact */
function filterOf(orgId: string, { contact_id, category, now, tomorrow, week_end }: Omit<TaskGroupsQuery, 'tab'>) {
  if (contact_id !== undefined && !isUuid(contact_id)) return undefined
  return { orgId, category, contactId: contact_id, now, tomorrow, week_end }
}

export interface OpenTasks {
  open_tasks: number
  overdue_tasks: number
}

/** How many open tasks each contact has, and how many of them were due before `at`; without those that have none. */
export async function openTasksOf(
  db: Reader,
  about: { orgId: string; contactIds: readonly string[]; at: string },
): Promise<Map<string, OpenTasks>> {
  if (about.contactIds.length === 0) return new Map()
  return new Map((await openTaskCounts(db, about)).map(({ contact_id, ...counts }) => [contact_id, counts]))
}

/** @returns whether the org has this task, which is then locked: its queue takes one writer at a time */
export async function lockTask(tx: Tx, orgId: string, id: string): Promise<boolean> {
  return isUuid(id) && (await taskForUpdate(tx, { orgId, id })) !== undefined
}

/** Removes a task that came with sample data, unless it has been changed since `at`. It has no event of its own. */
export async function eraseTaskUnlessChanged(
  tx: Tx,
  orgId: string,
  { id, at }: { id: string; at: string },
): Promise<void> {
  const task = await taskForUpdate(tx, { orgId, id })
  if (!task || task.updated_at !== at) return
  await deleteTask(tx, { orgId, id })
  await countTasks(tx, { orgId, status: task.status, delta: -1 })
  announce(tx, orgId, 'task', id)
}

async function completed(tx: Tx, actor: Actor, task: Task): Promise<void> {
  if (task.contact_id !== null) {
    await recordActivity(tx, actor, {
      contactId: task.contact_id,
      kind: 'task_completed',
      body: task.title,
      occurredAt: task.updated_at,
    })
  }
  await emit(tx, actor, {
    name: 'task.completed',
    contactId: task.contact_id,
    taskId: task.id,
    ts: task.updated_at,
    payload: { task },
  })
}

function isComplete({ status }: Pick<Task, 'status'>): boolean {
  return status === 'done' || status === 'completed'
}

async function requireContact(tx: Tx, orgId: string, contactId: string): Promise<void> {
  if (await lockContact(tx, orgId, contactId)) return
  throw validationError([{ path: 'contact_id', code: 'not_found', message: 'contact_id names no record.' }])
}
