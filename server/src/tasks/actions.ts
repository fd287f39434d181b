import { recordActivity } from '../activities/actions.ts'
import type { Actor } from '../actor.ts'
import { lockContact } from '../contacts/actions.ts'
import type { Database, Tx } from '../database/engine.ts'
import { readerFor } from '../database/paging.ts'
import { emit, eventTimes } from '../events/actions.ts'
import { ApiError, validationError } from '../http/errors.ts'
import type { Listed } from '../http/paging.ts'
import { isUuid, newId } from '../ids.ts'
import type { Task, TaskInput, TaskPatch, TaskQuery } from './schema.ts'
import { countTasks, insertTask, taskForUpdate, taskPage, updateTask } from './store.ts'

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
export function listTasks(db: Database, orgId: string, query: TaskQuery): Promise<Listed<Task>> {
  return taskPage(readerFor(db, query), orgId, query)
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
  if (task.status !== before.status) {
    await countTasks(tx, { orgId: actor.orgId, status: before.status, delta: -1 })
    await countTasks(tx, { orgId: actor.orgId, status: task.status, delta: 1 })
  }
  if (patch.status !== undefined && isComplete(task)) await completed(tx, actor, task)
  return task
}

/** @returns whether the org has this task, which is then locked: its queue takes one writer at a time */
export async function lockTask(tx: Tx, orgId: string, id: string): Promise<boolean> {
  return isUuid(id) && (await taskForUpdate(tx, { orgId, id })) !== undefined
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
