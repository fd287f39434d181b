import type { TaskRow as Task } from '@server/tasks/ui-schema.ts'
import {
  IconAlertTriangle,
  IconCalendar,
  IconCircle,
  IconCircleCheckFilled,
  IconCircleOff,
  IconDots,
} from '@tabler/icons-react'
import { Link as RouterLink } from '@tanstack/react-router'
import { memo } from 'react'
import { Button } from 'react-aria-components'
import { exactTime } from '../ui/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { WithTooltip } from '../ui/tooltip.tsx'
import { dueWords } from './due.ts'
import { categoryIcon, priorityIcon } from './task-words.tsx'

export type TaskMenu = 'due' | 'more'

export interface TaskRowProps {
  task: Task
  /** On a contact's own page it need not be said whose it is. */
  hasContact: boolean
  /** The list's one way in by Tab. */
  isCurrent: boolean
  /** The menu that is open at this row. */
  menu: TaskMenu | undefined
  onToggle: (task: Task) => void
  onEdit: (task: Task) => void
  onMenu: (task: Task, menu: TaskMenu) => void
}

/** One task. Its keys are handled by the list. */
export const TaskRow = memo(function TaskRow(props: TaskRowProps) {
  const { task, hasContact, isCurrent, menu, onToggle, onEdit, onMenu } = props
  const { id, title, status, contact, category, priority } = task
  const isOpen = status === 'open'
  return (
    <li className="task-row" data-task={id} data-status={status}>
      <IconButton
        label={isOpen ? `Mark done: ${title}` : `Reopen: ${title}`}
        excludeFromTabOrder={!isCurrent}
        onPress={() => onToggle(task)}
      >
        {isOpen ? <IconCircle /> : status === 'cancelled' ? <IconCircleOff /> : <IconCircleCheckFilled />}
      </IconButton>
      <Button className="task-title" id={titleId(id)} excludeFromTabOrder={!isCurrent} onPress={() => onEdit(task)}>
        {title}
      </Button>
      <span className="task-facts">
        {hasContact && contact ? (
          <RouterLink
            to="/contacts/$id"
            params={{ id: contact.id }}
            className="link link-plain task-contact"
            tabIndex={isCurrent ? 0 : -1}
          >
            {contact.name}
          </RouterLink>
        ) : null}
        {category === null ? null : (
          <span className="task-fact task-category">
            {categoryIcon(category)}
            {category}
          </span>
        )}
        {priority === null ? null : (
          <span className="task-fact task-priority" data-priority={priority}>
            {priorityIcon(priority)}
            {priority}
          </span>
        )}
      </span>
      <TaskDue task={task} isCurrent={isCurrent} isMenuOpen={menu === 'due'} onMenu={onMenu} />
      <IconButton
        label={`More for ${title}`}
        id={menuButtonId(id, 'more')}
        isSmall
        excludeFromTabOrder={!isCurrent}
        aria-haspopup="menu"
        aria-expanded={menu === 'more'}
        onPress={() => onMenu(task, 'more')}
      >
        <IconDots />
      </IconButton>
    </li>
  )
})

/** When it is due, as the button that changes it; when it was done, as text. */
function TaskDue(props: Pick<TaskRowProps, 'task' | 'isCurrent' | 'onMenu'> & { isMenuOpen: boolean }) {
  const { task, isCurrent, isMenuOpen, onMenu } = props
  const { id, title, status, due_at, completed_at } = task
  if (status !== 'open') {
    const at = completed_at ?? task.updated_at
    return (
      <span className="task-fact task-due">
        {status === 'cancelled' ? 'cancelled' : status} {dueWords(at).text}
        <span className="visually-hidden">({exactTime(at)})</span>
      </span>
    )
  }
  const words = due_at === null ? undefined : dueWords(due_at)
  return (
    <WithTooltip text={due_at === null ? 'Set when it is due  d' : exactTime(due_at)}>
      <Button
        id={menuButtonId(id, 'due')}
        className="button button-quiet button-small task-due"
        data-overdue={words?.isOverdue ? '' : undefined}
        excludeFromTabOrder={!isCurrent}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onPress={() => onMenu(task, 'due')}
      >
        {words?.isOverdue ? <IconAlertTriangle aria-hidden="true" /> : <IconCalendar aria-hidden="true" />}
        {words === undefined ? 'No date' : `${words.isOverdue ? 'Overdue: ' : ''}${words.text}`}
        <span className="visually-hidden">{`${due_at === null ? '' : `(${exactTime(due_at)})`}: ${title}`}</span>
      </Button>
    </WithTooltip>
  )
}

export function titleId(id: string): string {
  return `task-${id}`
}

export function menuButtonId(id: string, menu: TaskMenu): string {
  return `task-${id}-${menu}`
}
