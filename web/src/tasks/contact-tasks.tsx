import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import type { ChosenContact } from './contact-choice.tsx'
import { QuickAdd } from './quick-add.tsx'
import { TaskList } from './task-list.tsx'
import { useTaskGroups } from './use-tasks.ts'

/** The tasks about one contact, for its page. */
export function ContactTasks({ contact }: { contact: ChosenContact }) {
  const [isDoneShown, setDoneShown] = useState(false)
  return (
    <div className="contact-tasks">
      <QuickAdd contact={contact} />
      <TasksOf contactId={contact.id} tab="open" emptyWords="Nothing to do." />
      <Button isSmall variant="quiet" aria-expanded={isDoneShown} onPress={() => setDoneShown(!isDoneShown)}>
        {isDoneShown ? 'Hide done tasks' : 'Show done tasks'}
      </Button>
      {isDoneShown ? <TasksOf contactId={contact.id} tab="done" emptyWords="Nothing done yet." /> : null}
    </div>
  )
}

function TasksOf(props: { contactId: string; tab: 'open' | 'done'; emptyWords: string }) {
  const filter = { tab: props.tab, contact_id: props.contactId }
  const { data, error, refetch } = useTaskGroups(filter)
  if (error && !data) {
    return <ErrorState title="The tasks could not be loaded." failure={error} onRetry={() => void refetch()} />
  }
  if (!data) return <SkeletonRows rows={3} label="Loading tasks" onRetry={() => void refetch()} />
  if (data.groups.every(({ count }) => count === 0)) return <p className="task-empty">{props.emptyWords}</p>
  return <TaskList groups={data} filter={filter} hasContact={false} />
}
