import { type CalendarDate, getLocalTimeZone, today } from '@internationalized/date'
import { TaskInput } from '@server/tasks/schema.ts'
import { useRef, useState } from 'react'
import { announce } from '../app/announce.ts'
import { Button } from '../ui/button.tsx'
import { DatePicker } from '../ui/date-picker.tsx'
import { Form } from '../ui/form.tsx'
import { Option, Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useForm } from '../ui/use-form.ts'
import { type ChosenContact, ContactChoice } from './contact-choice.tsx'
import { DUE_CHOICES, type DueChoice, dueOf, dueOn } from './due.ts'
import { NamedChoice } from './task-form.tsx'
import { CATEGORIES, categoryIcon, PRIORITIES, priorityIcon } from './task-words.tsx'
import { addTask } from './use-tasks.ts'

type Due = DueChoice | 'none' | 'date'

/** A line that adds one task after another: Enter saves, the field stays, and so does all but the title. */
export function QuickAdd({ contact: fixed }: { contact?: ChosenContact | undefined }) {
  const [due, setDue] = useState<Due>('none')
  const [day, setDay] = useState<CalendarDate | null>(today(getLocalTimeZone()))
  const [contact, setContact] = useState<ChosenContact | null>(null)
  const [hasBegun, setBegun] = useState(false)
  const title = useRef<HTMLInputElement>(null)
  const form = useForm(TaskInput, {
    initial: { title: '', priority: null, category: null },
    onSubmit: async (input) => {
      const due_at = due === 'none' ? null : due === 'date' ? day && dueOn(day) : dueOf(due)
      const added = await addTask({ ...input, due_at, contact_id: (fixed ?? contact)?.id ?? null })
      announce(`Added ${added.title}.`)
      form.reset({ ...form.values, title: '' })
      title.current?.focus()
    },
  })
  return (
    <Form
      form={form}
      className={hasBegun ? 'quick-add quick-add-begun' : 'quick-add'}
      label="Add a task"
      failureTitle="The task was not added."
    >
      <TextField
        label="New task"
        isLabelHidden
        placeholder="What is to be done?"
        inputRef={title}
        onFocus={() => setBegun(true)}
        {...form.text('title')}
      />
      <Select label="Due" isLabelHidden value={due} onChange={(key) => setDue(key as Due)}>
        <Option id="none">No date</Option>
        {DUE_CHOICES.map((choice) => (
          <Option key={choice} id={choice}>
            {choice.charAt(0).toUpperCase() + choice.slice(1)}
          </Option>
        ))}
        <Option id="date">Pick a date</Option>
      </Select>
      {due === 'date' ? <DatePicker label="Day" isLabelHidden value={day} onChange={setDay} /> : null}
      {fixed ? null : (
        <ContactChoice label="Contact" isLabelHidden placeholder="Contact" value={contact} onChange={setContact} />
      )}
      <NamedChoice
        label="Priority"
        isLabelHidden
        offered={PRIORITIES}
        icon={priorityIcon}
        {...form.field<string | null>('priority')}
      />
      <NamedChoice
        label="Category"
        isLabelHidden
        offered={CATEGORIES}
        icon={categoryIcon}
        {...form.field<string | null>('category')}
      />
      <Button variant="primary" type="submit" isPending={form.isPending}>
        Add task
      </Button>
    </Form>
  )
}
