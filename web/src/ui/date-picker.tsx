import './field.css'
import { type ComponentType, lazy, Suspense } from 'react'
import type { DateValue, DatePickerProps as RacDatePickerProps } from 'react-aria-components'
import type { FieldTexts } from './field.tsx'
import { Skeleton } from './skeleton.tsx'

export interface DatePickerProps<T extends DateValue>
  extends Omit<RacDatePickerProps<T>, 'className' | 'style' | 'children'>,
    FieldTexts {}

/** Calendars are 30 KB: they are fetched with the first field that needs one. */
const Field = lazy(() => import('./date-picker-field.tsx'))

/** A day, and a time of day with `granularity="minute"`; values are those of `@internationalized/date`. */
export function DatePicker<T extends DateValue>(props: DatePickerProps<T>) {
  const { label, isLabelHidden } = props
  const waiting = (
    <div className="field" aria-busy="true">
      <span className={isLabelHidden ? 'visually-hidden' : 'field-label'}>{label}</span>
      <Skeleton height="var(--control)" />
    </div>
  )
  const Picker = Field as ComponentType<DatePickerProps<T>>
  return (
    <Suspense fallback={waiting}>
      <Picker {...props} />
    </Suspense>
  )
}
