import { type CalendarDate, getLocalTimeZone, parseAbsolute, toCalendarDate, today } from '@internationalized/date'
import type { TaskRow } from '@server/tasks/ui-schema.ts'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { DatePicker } from '../ui/date-picker.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { dateText } from '../ui/format.ts'
import { dueOn } from './due.ts'
import { changeTask } from './use-tasks.ts'

/** Sets the day that a task is due. */
export function DueDialog({ task, onClose }: { task: TaskRow; onClose: () => void }) {
  const [day, setDay] = useState<CalendarDate | null>(dayOf(task.due_at) ?? today(getLocalTimeZone()))
  const save = () => {
    if (!day) return
    const due_at = dueOn(day)
    changeTask(task, { due_at }, `Due ${dateText(due_at)}.`)
    onClose()
  }
  return (
    <Dialog title="When is it due?" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <DatePicker label="Due" value={day} onChange={setDay} autoFocus />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" isDisabled={!day}>
            Set due
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The day of a time, by the calendar of this browser. */
export function dayOf(iso: string | null): CalendarDate | undefined {
  return iso === null ? undefined : toCalendarDate(parseAbsolute(iso, getLocalTimeZone()))
}
