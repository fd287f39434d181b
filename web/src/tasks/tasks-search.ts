/** The address of the tasks page: `/tasks?due&status&category`. */
import type { TaskGroup, TaskTab } from '@server/tasks/ui-schema.ts'

export interface TasksSearch {
  /** One group of the open ones alone. */
  due?: TaskGroup | undefined
  /** Open unless said. */
  status?: Exclude<TaskTab, 'open'> | undefined
  category?: string | undefined
}

/** Reads what is in the address; what makes no sense there is left out. */
export function tasksSearch(raw: Record<string, unknown>): TasksSearch {
  const search: TasksSearch = {}
  if (raw.status === 'done' || raw.status === 'cancelled') search.status = raw.status
  else if (DUE_GROUPS.some((group) => group === raw.due)) search.due = raw.due as TaskGroup
  if (typeof raw.category === 'string' && raw.category !== '') search.category = raw.category.slice(0, 64)
  return search
}

/** The groups of what is open. */
export const DUE_GROUPS = ['overdue', 'today', 'week', 'later', 'none'] as const satisfies readonly TaskGroup[]
