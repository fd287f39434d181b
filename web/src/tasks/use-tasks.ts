import type { Task, TaskInput, TaskPatch } from '@server/tasks/schema.ts'
import type { TaskGroup, TaskGroups, TaskRow, TaskTab } from '@server/tasks/ui-schema.ts'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { get, patch, post, query } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { failureWords } from '../ui/failure-words.ts'
import { toast } from '../ui/toast.ts'
import type { ChosenContact } from './contact-choice.tsx'
import { dayBounds } from './due.ts'
import { taskIn, withMoreTasks, withTask } from './task-groups.ts'

const GROUPS_KEY = ['tasks', 'groups']
const PAGE = 50
/** What is due becomes overdue while one looks at it. */
const AGAIN_MS = 60_000

export interface TaskFilter {
  tab: TaskTab
  category?: string | undefined
  contact_id?: string | undefined
}

interface TaskPage {
  data: TaskRow[]
}

export function taskGroupsQuery(filter: TaskFilter) {
  return {
    queryKey: [...GROUPS_KEY, filter],
    queryFn: async ({ client, signal }: { client: QueryClient; signal: AbortSignal }) => {
      const bounds = dayBounds()
      const before = client.getQueryData<TaskGroups>([...GROUPS_KEY, filter])
      const shown = await get<TaskGroups>(`/tasks/groups${query({ ...filter, ...bounds })}`, { signal })
      return withPending(await loadedAgain(shown, before, filter, signal), filter)
    },
  }
}

export function useTaskGroups(filter: TaskFilter) {
  return useQuery({ ...taskGroupsQuery(filter), placeholderData: keepPreviousData, refetchInterval: AGAIN_MS })
}

export async function loadMoreTasks(filter: TaskFilter, group: TaskGroup): Promise<void> {
  const queryKey = [...GROUPS_KEY, filter]
  const offset = queryClient.getQueryData<TaskGroups>(queryKey)?.groups.find((other) => other.group === group)
    ?.tasks.length
  const { data } = await taskPage(filter, group, { offset: offset ?? 0, limit: PAGE })
  queryClient.setQueryData<TaskGroups>(queryKey, (shown) => shown && withMoreTasks(shown, group, data))
}

/** @throws ApiFailure */
export async function addTask(input: TaskInput): Promise<Task> {
  const task = await post<Task>('/tasks', input)
  refresh(task.contact_id)
  return task
}

/** Tasks as they are to be, until the server has answered: what it says meanwhile may be from before. */
const pending = new Map<string, TaskRow>()

export interface TaskChange extends TaskPatch {
  /** The contact that `contact_id` names, to show. */
  contact?: ChosenContact | null | undefined
}

/**
 * Shows a change of a task at once, then tells the server; when that fails the task is as before.
 *
 * @param words say what has been done: "Task done."; the message offers to undo it
 */
export function changeTask(before: TaskRow, change: TaskChange, words?: string): void {
  const { contact, ...fields } = change
  const at = new Date().toISOString()
  const isOpen = (fields.status ?? before.status) === 'open' || fields.status === 'cancelled'
  const after: TaskRow = {
    ...before,
    ...fields,
    ...(contact !== undefined && { contact }),
    updated_at: at,
    completed_at: isOpen ? null : (before.completed_at ?? at),
  }
  pending.set(after.id, after)
  void queryClient.cancelQueries({ queryKey: GROUPS_KEY })
  applyToGroups(after)
  const close =
    words === undefined ? undefined : toast({ text: words, undo: () => changeTask(after, undoing(before, change)) })
  patch(`/tasks/${before.id}`, fields).then(
    () => settle(after),
    (failure) => {
      close?.()
      if (pending.get(after.id) === after) applyToGroups(before)
      settle(after)
      toast({
        text: failureWords(failure, `“${before.title}” was not changed.`),
        tone: 'danger',
        action: { text: 'Try again', run: () => changeTask(before, change, words) },
      })
    },
  )
}

/** The change that takes another one back. */
function undoing(before: TaskRow, change: TaskChange): TaskChange {
  const fields = Object.keys(change) as (keyof TaskChange & keyof TaskRow)[]
  return Object.fromEntries(fields.map((field) => [field, before[field]]))
}

function settle(task: TaskRow): void {
  if (pending.get(task.id) === task) pending.delete(task.id)
  if (pending.size === 0) refresh(task.contact_id)
}

function refresh(contactId: string | null): void {
  for (const key of ['tasks', 'deals']) void queryClient.invalidateQueries({ queryKey: [key] })
  if (contactId !== null) void queryClient.invalidateQueries({ queryKey: ['contact', contactId] })
}

function applyToGroups(task: TaskRow): void {
  for (const [queryKey, shown] of queryClient.getQueriesData<TaskGroups>({ queryKey: GROUPS_KEY })) {
    const filter = queryKey.at(-1) as TaskFilter
    if (shown) queryClient.setQueryData(queryKey, withChanged(shown, task, filter))
  }
}

/** A task that the list is not about is changed in it only where it stands there. */
function withChanged(shown: TaskGroups, task: TaskRow, filter: TaskFilter): TaskGroups {
  const isMeant =
    (filter.category === undefined || filter.category === task.category) &&
    (filter.contact_id === undefined || filter.contact_id === task.contact_id)
  return isMeant || taskIn(shown, task.id) ? withTask(shown, task, dayBounds()) : shown
}

function withPending(shown: TaskGroups, filter: TaskFilter): TaskGroups {
  return [...pending.values()].reduce((groups, task) => withChanged(groups, task, filter), shown)
}

/** What had been asked for with **Show more** is there again after a refetch. */
async function loadedAgain(
  shown: TaskGroups,
  before: TaskGroups | undefined,
  filter: TaskFilter,
  signal: AbortSignal,
): Promise<TaskGroups> {
  const groups = shown.groups.map(async (group) => {
    const had = before?.groups.find((other) => other.group === group.group)?.tasks.length ?? 0
    const missing = Math.min(had, group.count, 200 + group.tasks.length) - group.tasks.length
    if (missing <= 0) return group
    const page = await taskPage(filter, group.group, { offset: group.tasks.length, limit: missing, signal })
    return { ...group, tasks: [...group.tasks, ...page.data] }
  })
  return { groups: await Promise.all(groups) }
}

function taskPage(
  { category, contact_id }: TaskFilter,
  group: TaskGroup,
  { offset, limit, signal }: { offset: number; limit: number; signal?: AbortSignal },
): Promise<TaskPage> {
  const path = `/tasks/group${query({ group, category, contact_id, ...dayBounds(), offset, limit })}`
  return get<TaskPage>(path, { signal })
}
