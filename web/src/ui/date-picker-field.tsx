import './button.css'
import './date-picker.css'
import './popover.css'
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DateSegment,
  type DateValue,
  Dialog,
  Group,
  Heading,
  Popover,
  DatePicker as RacDatePicker,
  type DatePickerProps as RacDatePickerProps,
} from 'react-aria-components'
import type { DatePickerProps } from './date-picker.tsx'
import { FieldLabel, FieldNotes, textsOf } from './field.tsx'

/** What `DatePicker` shows once it is loaded. */
export default function DatePickerField<T extends DateValue>(props: DatePickerProps<T>) {
  const [texts, rest] = textsOf(props)
  return (
    <RacDatePicker {...(rest as RacDatePickerProps<T>)} className="field" data-field={props.name}>
      <FieldLabel {...texts} />
      <Group className="input-group">
        <DateInput className="input date-input">
          {(segment) => <DateSegment segment={segment} className="date-segment" />}
        </DateInput>
        <span className="input-suffix">
          <Button className="button button-quiet button-small button-icon">
            <IconCalendar />
          </Button>
        </span>
      </Group>
      <FieldNotes {...texts} />
      <Popover className="popover" offset={4}>
        <Dialog>
          <DayCalendar />
        </Dialog>
      </Popover>
    </RacDatePicker>
  )
}

function DayCalendar() {
  return (
    <Calendar className="calendar">
      <header>
        <Button slot="previous" className="button button-quiet button-small button-icon">
          <IconChevronLeft />
        </Button>
        <Heading />
        <Button slot="next" className="button button-quiet button-small button-icon">
          <IconChevronRight />
        </Button>
      </header>
      <CalendarGrid>
        <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>{(date) => <CalendarCell date={date} className="calendar-day" />}</CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  )
}
