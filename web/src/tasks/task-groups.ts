/** Tasks in their groups, and what a change of one makes of them before the server has answered. */
import type { TaskGroup, TaskGroups, TaskRow, TaskTab } from '@server/tasks/ui-schema.ts'
import type { DayBounds } from './due.ts'

export const GROUP_TITLES: Record<TaskGroup, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next 7 days',
  later: 'Later',
  none: 'No date',
  done: 'Done',
  cancelled: 'Cancelled',
}

/** Where the server would list it. */
export function groupOf({ status, due_at }: TaskRow, { now, tomorrow, week_end }: DayBounds): TaskGroup {
  if (status === 'cancelled') return 'cancelled'
  if (status !== 'open') return 'done'
  if (due_at === null) return 'none'
  if (due_at < now) return 'overdue'
  if (due_at < tomorrow) return 'today'
  return due_at < week_end ? 'week' : 'later'
}

export function tabOf({ status }: TaskRow): TaskTab {
  if (status === 'open' || status === 'cancelled') return status
  return 'done'
}

/** What is open by when it is due, what is done or cancelled the newest first; ties by id: the server's order. */
export function compareTasks(group: TaskGroup, a: TaskRow, b: TaskRow): number {
  if (group === 'done') return -compareKeys(a.completed_at, b.completed_at, a.id, b.id)
  if (group === 'cancelled') return -compareKeys(a.updated_at, b.updated_at, a.id, b.id)
  return compareKeys(a.due_at, b.due_at, a.id, b.id)
}

/** Puts a task, as it is now, into the group that it belongs to; or out of all, where none of these takes it. */
export function withTask(before: TaskGroups, task: TaskRow, bounds: DayBounds): TaskGroups {
  const target = groupOf(task, bounds)
  const groups = before.groups.map((group) => {
    const at = group.tasks.findIndex(({ id }) => id === task.id)
    const without = at < 0 ? group : { ...group, count: group.count - 1, tasks: group.tasks.toSpliced(at, 1) }
    return group.group === target ? withOneMore(without, task) : without
  })
  return { groups }
}

function withOneMore(group: TaskGroups['groups'][number], task: TaskRow): TaskGroups['groups'][number] {
  const { tasks, count } = group
  const at = tasks.findIndex((other) => compareTasks(group.group, task, other) < 0)
  // Behind what is loaded of the group it is counted only.
  if (at < 0 && tasks.length < count) return { ...group, count: count + 1 }
  return { ...group, count: count + 1, tasks: tasks.toSpliced(at < 0 ? tasks.length : at, 0, task) }
}

export function taskIn({ groups }: TaskGroups, id: string): TaskRow | undefined {
  for (const { tasks } of groups) {
    const found = tasks.find((task) => task.id === id)
    if (found) return found
  }
  return undefined
}

export function withMoreTasks(before: TaskGroups, group: TaskGroup, tasks: TaskRow[]): TaskGroups {
  const known = new Set(before.groups.flatMap((shown) => shown.tasks.map(({ id }) => id)))
  const fresh = tasks.filter(({ id }) => !known.has(id))
  return {
    groups: before.groups.map((shown) =>
      shown.group === group ? { ...shown, tasks: [...shown.tasks, ...fresh] } : shown,
    ),
  }
}

function compareKeys(a: string | null, b: string | null, idA: string, idB: string): number {
  const [keyA, keyB] = [`${a ?? ''} ${idA}`, `${b ?? ''} ${idB}`]
  return keyA < keyB ? -1 : keyA > keyB ? 1 : 0
}
