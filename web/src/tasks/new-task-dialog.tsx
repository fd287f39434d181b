import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toast.ts'
import type { ChosenContact } from './contact-choice.tsx'
import { TaskForm } from './task-form.tsx'
import { addTask } from './use-tasks.ts'

export interface NewTaskDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** Whom it is about, to begin with: the contact in view. */
  contact?: ChosenContact | null | undefined
  onAdded?: (() => void) | undefined
}

/** Adds a task, perhaps about a contact. */
export function NewTaskDialog({ isOpen, onOpenChange, contact = null, onAdded }: NewTaskDialogProps) {
  return (
    <Dialog title="New task" isOpen={isOpen} onOpenChange={onOpenChange}>
      {(close) => (
        <TaskForm
          initial={{ title: '', due_at: null, priority: null, category: null, contact }}
          submit="Add task"
          failureTitle="The task was not added."
          onCancel={close}
          onSubmit={async (input) => {
            const { title } = await addTask(input)
            toast({ text: `Added “${title}”.` })
            onAdded?.()
            close()
          }}
        />
      )}
    </Dialog>
  )
}
