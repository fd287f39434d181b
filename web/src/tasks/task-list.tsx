import './tasks.css'
import type { TaskRow as Task, TaskGroup, TaskGroups } from '@server/tasks/ui-schema.ts'
import { type KeyboardEvent, useCallback, useId, useMemo, useRef, useState } from 'react'
import { Menu, Popover } from 'react-aria-components'
import { focusSoon } from '../app/focus-soon.ts'
import { preferences } from '../app/preferences.ts'
import { Button } from '../ui/button.tsx'
import { count as countText } from '../ui/format.ts'
import { MenuItem } from '../ui/menu.tsx'
import { DUE_CHOICES, dueOf } from './due.ts'
import { DueDialog } from './due-dialog.tsx'
import { TaskDialog } from './task-dialog.tsx'
import { GROUP_TITLES, taskIn } from './task-groups.ts'
import { menuButtonId, type TaskMenu, TaskRow, titleId } from './task-row.tsx'
import { changeTask, loadMoreTasks, type TaskFilter } from './use-tasks.ts'

export interface TaskListProps {
  groups: TaskGroups
  filter: TaskFilter
  hasContact?: boolean | undefined
  /** Instead of an empty group: without it the group is left out. */
  emptyWords?: Partial<Record<TaskGroup, string>> | undefined
}

interface OpenMenu {
  id: string
  menu: TaskMenu
}

/** Groups of tasks with all that is done to one: ↑ and ↓ go from task to task, x marks done, d sets due, Enter edits. */
export function TaskList({ groups, filter, hasContact = true, emptyWords = {} }: TaskListProps) {
  const [currentId, setCurrentId] = useState<string>()
  const [menu, setMenu] = useState<OpenMenu>()
  const [edited, setEdited] = useState<Task>()
  const [dated, setDated] = useState<Task>()
  const element = useRef<HTMLDivElement>(null)
  const ids = useMemo(() => groups.groups.flatMap(({ tasks }) => tasks.map(({ id }) => id)), [groups])
  const tabId = currentId !== undefined && ids.includes(currentId) ? currentId : ids[0]

  const onToggle = useCallback((task: Task) => {
    focusNeighbour(element.current, task.id)
    if (task.status === 'open') changeTask(task, { status: 'done' }, 'Task done.')
    else changeTask(task, { status: 'open' }, 'Task reopened.')
  }, [])
  const onMenu = useCallback((task: Task, kind: TaskMenu) => setMenu({ id: task.id, menu: kind }), [])

  const closeDialog = (task: Task) => {
    setEdited(undefined)
    setDated(undefined)
    focusTask(task.id)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const id = target.closest<HTMLElement>('[data-task]')?.dataset.task
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (id === undefined || !isPlain || !event.currentTarget.contains(target)) return
    const next = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const task = taskIn(groups, id)
    if (next !== 0) document.getElementById(titleId(ids[ids.indexOf(id) + next] ?? id))?.focus()
    else if (event.key === 'x' && preferences().singleKeys && task) onToggle(task)
    else if (event.key === 'd' && preferences().singleKeys && task?.status === 'open') onMenu(task, 'due')
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons inside.
    <div
      ref={element}
      className="task-list"
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setCurrentId((id) => target.closest<HTMLElement>('[data-task]')?.dataset.task ?? id)}
    >
      {groups.groups.map(({ group, count, tasks }) =>
        count === 0 && emptyWords[group] === undefined ? null : (
          <Group key={group} group={group} count={count}>
            {count === 0 ? <p className="task-empty">{emptyWords[group]}</p> : null}
            <ul>
              {tasks.map((task) => (
                <TaskRow
                  key={task.id}
                  task={task}
                  hasContact={hasContact}
                  isCurrent={task.id === tabId}
                  menu={menu?.id === task.id ? menu.menu : undefined}
                  onToggle={onToggle}
                  onEdit={setEdited}
                  onMenu={onMenu}
                />
              ))}
            </ul>
            {tasks.length < count ? <ShowMore filter={filter} group={group} left={count - tasks.length} /> : null}
          </Group>
        ),
      )}
      <RowMenu
        open={menu}
        task={menu && taskIn(groups, menu.id)}
        onClose={() => setMenu(undefined)}
        onEdit={setEdited}
        onPickDate={setDated}
        onToggle={onToggle}
      />
      {edited ? <TaskDialog task={edited} onClose={() => closeDialog(edited)} /> : null}
      {dated ? <DueDialog task={dated} onClose={() => closeDialog(dated)} /> : null}
    </div>
  )
}

function Group({ group, count, children }: { group: TaskGroup; count: number; children: React.ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} data-group={group}>
      <h2 id={id} className="task-group-title">
        {GROUP_TITLES[group]} <span className="secondary tabular">{countText(count)}</span>
      </h2>
      {children}
    </section>
  )
}

function ShowMore({ filter, group, left }: { filter: TaskFilter; group: TaskGroup; left: number }) {
  const [isPending, setPending] = useState(false)
  const more = () => {
    setPending(true)
    loadMoreTasks(filter, group)
      .catch(() => {})
      .finally(() => setPending(false))
  }
  return (
    <Button isSmall variant="quiet" isPending={isPending} onPress={more}>
      Show more ({countText(left)} left)
    </Button>
  )
}

interface RowMenuProps {
  open: OpenMenu | undefined
  task: Task | undefined
  onClose: () => void
  onEdit: (task: Task) => void
  onPickDate: (task: Task) => void
  onToggle: (task: Task) => void
}

/** One for all rows: it opens at the button of the row it is for. */
function RowMenu({ open, task, onClose, onEdit, onPickDate, onToggle }: RowMenuProps) {
  const button = useRef<HTMLElement>(null)
  if (!open || !task) return null
  button.current = document.getElementById(menuButtonId(task.id, open.menu))
  const isDue = open.menu === 'due'
  return (
    <Popover
      className="popover"
      triggerRef={button}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      placement="bottom end"
      offset={4}
      aria-label={isDue ? 'Due' : 'Task'}
    >
      <Menu className="list" aria-label={isDue ? `Due: ${task.title}` : task.title} autoFocus="first" onClose={onClose}>
        {isDue ? dueItems(task, onPickDate) : moreItems(task, { onEdit, onPickDate, onToggle })}
      </Menu>
    </Popover>
  )
}

function dueItems(task: Task, onPickDate: (task: Task) => void) {
  const set = (due_at: string | null, words: string) => {
    changeTask(task, { due_at }, words)
    focusTask(task.id)
  }
  return (
    <>
      {DUE_CHOICES.map((choice) => (
        <MenuItem key={choice} onAction={() => set(dueOf(choice), `Due ${choice}.`)}>
          {choice.charAt(0).toUpperCase() + choice.slice(1)}
        </MenuItem>
      ))}
      <MenuItem onAction={() => onPickDate(task)}>Pick a date…</MenuItem>
      {task.due_at === null ? null : <MenuItem onAction={() => set(null, 'The date is gone.')}>No date</MenuItem>}
    </>
  )
}

function moreItems(
  task: Task,
  { onEdit, onPickDate, onToggle }: Pick<RowMenuProps, 'onEdit' | 'onPickDate' | 'onToggle'>,
) {
  const isOpen = task.status === 'open'
  return (
    <>
      <MenuItem onAction={() => onToggle(task)} shortcut="x">
        {isOpen ? 'Mark done' : 'Reopen'}
      </MenuItem>
      <MenuItem onAction={() => onEdit(task)} shortcut="Enter">
        Edit
      </MenuItem>
      {isOpen ? <MenuItem onAction={() => onPickDate(task)}>Pick a date…</MenuItem> : null}
      {task.status === 'cancelled' ? null : (
        <MenuItem isDanger onAction={() => changeTask(task, { status: 'cancelled' }, 'Task cancelled.')}>
          Cancel task
        </MenuItem>
      )}
    </>
  )
}

/** The row may be about to move to another group, where it is made anew. */
function focusTask(id: string): void {
  focusSoon(() => document.getElementById(titleId(id)))
}

/** The row is about to leave: the focus goes on to the next one, or the one before. */
function focusNeighbour(list: HTMLElement | null, id: string): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-task]') ?? [])]
  const at = rows.findIndex((row) => row.dataset.task === id)
  if (!rows[at]?.contains(document.activeElement)) return
  const next = rows[at + 1] ?? rows[at - 1]
  document.getElementById(titleId(next?.dataset.task ?? ''))?.focus()
}
