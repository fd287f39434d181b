import type { TaskRow } from '@server/tasks/ui-schema.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TaskForm } from './task-form.tsx'
import { changeTask, type TaskChange } from './use-tasks.ts'

/** Edits a task; only what differs is sent. */
export function TaskDialog({ task, onClose }: { task: TaskRow; onClose: () => void }) {
  const { title, due_at, priority, category, contact } = task
  return (
    <Dialog title="Edit task" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <TaskForm
        initial={{ title, due_at, priority, category, contact }}
        submit="Save task"
        failureTitle="The task was not saved."
        onCancel={onClose}
        onSubmit={(input, chosen) => {
          const fields = ['title', 'due_at', 'priority', 'category', 'contact_id'] as const
          const differing = fields.filter((field) => (input[field] ?? null) !== task[field])
          const change = Object.fromEntries(differing.map((field) => [field, input[field] ?? null])) as TaskChange
          if (differing.includes('contact_id')) change.contact = chosen
          if (differing.length > 0) changeTask(task, change, 'Task saved.')
          onClose()
        }}
      />
    </Dialog>
  )
}
