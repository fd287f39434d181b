import type { CalendarDate } from '@internationalized/date'
import { TaskInput } from '@server/tasks/schema.ts'
import { useState } from 'react'
import type { Static } from 'typebox'
import { Button } from '../ui/button.tsx'
import { DatePicker } from '../ui/date-picker.tsx'
import { Form, FormActions } from '../ui/form.tsx'
import { Option, Select } from '../ui/select.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useForm } from '../ui/use-form.ts'
import { type ChosenContact, ContactChoice } from './contact-choice.tsx'
import { dueOn } from './due.ts'
import { dayOf } from './due-dialog.tsx'
import { CATEGORIES, categoryIcon, choicesWith, PRIORITIES, priorityIcon } from './task-words.tsx'

export interface TaskFormValues {
  title: string
  due_at: string | null
  priority: string | null
  category: string | null
  contact: ChosenContact | null
}

export interface TaskFormProps {
  initial: TaskFormValues
  /** The verb and its noun: "Add task". */
  submit: string
  failureTitle: string
  onSubmit: (input: Static<typeof TaskInput>, contact: ChosenContact | null) => Promise<unknown> | unknown
  onCancel: () => void
}

const NONE = 'none'

/** All that a person says about a task. */
export function TaskForm({ initial, submit, failureTitle, onSubmit, onCancel }: TaskFormProps) {
  const { contact: first, ...values } = initial
  const [contact, setContact] = useState(first)
  const form = useForm(TaskInput, {
    initial: { ...values, contact_id: first?.id ?? null },
    labels: { due_at: 'Due', contact_id: 'Contact' },
    onSubmit: (input) => onSubmit(input, contact),
  })
  const due = form.field<string | null>('due_at')
  return (
    <Form form={form} failureTitle={failureTitle}>
      <TextField label="Title" {...form.text('title')} autoFocus />
      <DatePicker<CalendarDate>
        label="Due"
        isOptional
        name="due_at"
        value={dayOf(due.value) ?? null}
        onChange={(day) => due.onChange(day && dueOn(day))}
      />
      <ContactChoice
        label="Contact"
        isOptional
        name="contact_id"
        value={contact}
        onChange={(chosen) => {
          setContact(chosen)
          form.set('contact_id', chosen?.id ?? null)
        }}
      />
      <NamedChoice label="Priority" offered={PRIORITIES} icon={priorityIcon} {...form.field('priority')} />
      <NamedChoice label="Category" offered={CATEGORIES} icon={categoryIcon} {...form.field('category')} />
      <FormActions>
        <Button onPress={onCancel}>Cancel</Button>
        <Button variant="primary" type="submit" isPending={form.isPending}>
          {submit}
        </Button>
      </FormActions>
    </Form>
  )
}

export interface NamedChoiceProps {
  label: string
  isLabelHidden?: boolean | undefined
  name: string
  offered: readonly string[]
  icon: (value: string) => React.ReactNode
  value: string | null
  onChange: (value: string | null) => void
}

/** A priority or a category, or none. */
export function NamedChoice({ label, isLabelHidden, name, offered, icon, value, onChange }: NamedChoiceProps) {
  return (
    <Select
      label={label}
      isLabelHidden={isLabelHidden}
      name={name}
      value={value ?? NONE}
      onChange={(key) => onChange(key === NONE ? null : String(key))}
    >
      <Option id={NONE}>No {label.toLowerCase()}</Option>
      {choicesWith(offered, value).map((choice) => (
        <Option key={choice} id={choice} icon={icon(choice)}>
          {choice}
        </Option>
      ))}
    </Select>
  )
}
