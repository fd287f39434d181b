import './tasks.css'
import type { TaskGroup, TaskTab } from '@server/tasks/ui-schema.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Command, useCommands } from '../app/commands.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Option, Select } from '../ui/select.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { QuickAdd } from './quick-add.tsx'
import { GROUP_TITLES } from './task-groups.ts'
import { TaskList } from './task-list.tsx'
import { CATEGORIES, choicesWith } from './task-words.tsx'
import { DUE_GROUPS, type TasksSearch, tasksSearch } from './tasks-search.ts'
import { useTaskGroups } from './use-tasks.ts'

const TABS: [TaskTab, string][] = [
  ['open', 'Open'],
  ['done', 'Done'],
  ['cancelled', 'Cancelled'],
]

/** Listed with the other shortcuts; the list of tasks itself hears them. */
const KEYS: Command[] = [
  { id: 'task-done', text: 'Mark the task done', section: 'This page', keys: 'x', isUnlisted: true },
  { id: 'task-due', text: 'Set when the task is due', section: 'This page', keys: 'd', isUnlisted: true },
]

/** What is to be done, by when it is due. The address holds what is chosen. */
export function TasksPage() {
  const search = tasksSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const tab = search.status ?? 'open'
  useCommands(KEYS)
  const change = (part: Record<string, unknown>) =>
    void navigate({ to: '/tasks', search: tasksSearch({ ...search, ...part }) as never, replace: true })
  return (
    <>
      <PageHeader title="Tasks" apiCall={{ method: 'GET', path: `/tasks?status=${tab}&limit=50` }} />
      <QuickAdd />
      <Tabs
        label="Tasks"
        selectedKey={tab}
        onSelectionChange={(status) => change({ status })}
        tabs={TABS.map(([id, title]) => ({
          id,
          title,
          content: <TabOfTasks tab={id} search={search} onChange={change} />,
        }))}
      />
    </>
  )
}

interface TabOfTasksProps {
  tab: TaskTab
  search: TasksSearch
  onChange: (part: Partial<Record<keyof TasksSearch, string | undefined>>) => void
}

const ALL = 'all'

function TabOfTasks({ tab, search, onChange }: TabOfTasksProps) {
  const { due, category } = search
  const filter = { tab, ...(category && { category }) }
  const { data, error, refetch } = useTaskGroups(filter)
  const shown = data && (due ? { groups: data.groups.filter(({ group }) => group === due) } : data)
  return (
    <>
      <div className="task-filters">
        {tab === 'open' ? (
          <Select
            label="Due"
            isLabelHidden
            value={due ?? ALL}
            onChange={(key) => onChange({ due: key === ALL ? undefined : String(key) })}
          >
            <Option id={ALL}>Due any time</Option>
            {DUE_GROUPS.map((group) => (
              <Option key={group} id={group}>
                {GROUP_TITLES[group]}
              </Option>
            ))}
          </Select>
        ) : null}
        <Select
          label="Category"
          isLabelHidden
          value={category ?? ALL}
          onChange={(key) => onChange({ category: key === ALL ? undefined : String(key) })}
        >
          <Option id={ALL}>All categories</Option>
          {choicesWith(CATEGORIES, category).map((name) => (
            <Option key={name} id={name}>
              {name}
            </Option>
          ))}
        </Select>
      </div>
      {error && !data ? (
        <ErrorState title="The tasks could not be loaded." failure={error} onRetry={() => void refetch()} />
      ) : !shown ? (
        <SkeletonRows rows={8} label="Loading tasks" onRetry={() => void refetch()} />
      ) : shown.groups.every(({ count }) => count === 0) ? (
        <EmptyState title={emptyWords(tab, search)} />
      ) : (
        <TaskList groups={shown} filter={filter} emptyWords={{ today: 'Nothing due today.' }} />
      )}
    </>
  )
}

function emptyWords(tab: TaskTab, { due, category }: TasksSearch): string {
  const kind = category ? `${category} task` : 'task'
  if (tab !== 'open') return `No ${kind} is ${tab}.`
  if (due === 'today') return 'Nothing due today.'
  return due ? `No ${kind} here: ${GROUP_TITLES[due as TaskGroup].toLowerCase()}.` : `No open ${kind}.`
}
