import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TaskGroups, TaskRow } from '@server/tasks/ui-schema.ts'
import { groupOf, taskIn, withMoreTasks, withTask } from './task-groups.ts'

const BOUNDS = {
  now: '2026-05-14T09:30:00.000Z',
  tomorrow: '2026-05-15T00:00:00.000Z',
  week_end: '2026-05-22T00:00:00.000Z',
}

test('a task is in the group that the server lists it in', () => {
  const cases: [Partial<TaskRow>, string][] = [
    [{ due_at: '2026-05-14T09:29:59.999Z' }, 'overdue'],
    [{ due_at: BOUNDS.now }, 'today'],
    [{ due_at: BOUNDS.tomorrow }, 'week'],
    [{ due_at: BOUNDS.week_end }, 'later'],
    [{ due_at: null }, 'none'],
    [{ status: 'done', due_at: null }, 'done'],
    [{ status: 'completed' }, 'done'],
    [{ status: 'cancelled' }, 'cancelled'],
  ]
  for (const [fields, group] of cases) assert.equal(groupOf(task('a', fields), BOUNDS), group)
})

test('a task that is done leaves the open ones, and one that is opened again comes back to its place', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => task(id, {}))
  const open = groups({ overdue: [], none: [a!, b!, c!] })
  const done = withTask(open, { ...b!, status: 'done', completed_at: BOUNDS.now }, BOUNDS)
  assert.deepEqual(shown(done), { overdue: [0], none: [2, 'a', 'c'] })
  assert.deepEqual(withTask(done, b!, BOUNDS), open)
})

test('a task with another date goes to its group, in order', () => {
  const a = task('a', { due_at: '2026-05-14T10:00:00.000Z' })
  const z = task('z', { due_at: '2026-05-14T20:00:00.000Z' })
  const b = task('b', {})
  const moved = withTask(groups({ today: [a, z], none: [b] }), { ...b, due_at: '2026-05-14T12:00:00.000Z' }, BOUNDS)
  assert.deepEqual(shown(moved), { today: [3, 'a', 'b', 'z'], none: [0] })
})

test('what is done comes first among what is done', () => {
  const old = task('z', { status: 'done', completed_at: '2026-05-01T00:00:00.000Z' })
  const fresh = task('a', { status: 'done', completed_at: '2026-05-02T00:00:00.000Z' })
  assert.deepEqual(shown(withTask(groups({ done: [old] }), fresh, BOUNDS)), { done: [2, 'a', 'z'] })
})

test('behind what is loaded of a group a task is counted and not shown', () => {
  const long = groups({ none: [task('a', {})] })
  long.groups[0]!.count = 80
  assert.deepEqual(shown(withTask(long, task('b', {}), BOUNDS)), { none: [81, 'a'] })
})

test('more tasks of a group are added behind, each once', () => {
  const before = groups({ none: [task('a', {}), task('b', {})] })
  const after = withMoreTasks(before, 'none', [task('b', {}), task('c', {})])
  assert.deepEqual(shown(after), { none: [2, 'a', 'b', 'c'] })
  assert.equal(taskIn(after, 'c')?.id, 'c')
  assert.equal(taskIn(after, 'd'), undefined)
})

function task(id: string, fields: Partial<TaskRow>): TaskRow {
  const time = '2026-05-01T00:00:00.000Z'
  const empty = { priority: null, category: null, due_at: null, contact_id: null, completed_at: null, contact: null }
  return { id, title: id, ...empty, status: 'open', created_at: time, updated_at: time, ...fields }
}

function groups(tasks: Record<string, TaskRow[]>): TaskGroups {
  return {
    groups: Object.entries(tasks).map(([group, rows]) => ({
      group: group as TaskGroups['groups'][number]['group'],
      count: rows.length,
      tasks: rows,
    })),
  }
}

function shown({ groups: all }: TaskGroups) {
  return Object.fromEntries(all.map(({ group, count, tasks }) => [group, [count, ...tasks.map(({ id }) => id)]]))
}
