import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import {
  Button,
  ListBox,
  Popover,
  Select as RacSelect,
  type SelectProps as RacSelectProps,
  SelectValue,
} from 'react-aria-components'
import { FieldLabel, FieldNotes, type FieldTexts, textsOf } from './field.tsx'
import './popover.css'

export interface SelectProps<M extends 'single' | 'multiple' = 'single'>
  extends Omit<RacSelectProps<object, M>, 'className' | 'style' | 'children'>,
    FieldTexts {
  /** `Option`s. */
  children: ReactNode
}

/** One of a few: `<Select label="Role" value={role} onChange={setRole}><Option id="admin">Admin</Option>…`. */
export function Select<M extends 'single' | 'multiple' = 'single'>(props: SelectProps<M>) {
  const [texts, { children, ...rest }] = textsOf(props)
  return (
    <RacSelect {...(rest as RacSelectProps<object, M>)} className="field" data-field={props.name}>
      <FieldLabel {...texts} />
      <Button className="input select-button">
        <SelectValue className="select-value" />
        <IconChevronDown className="select-icon" aria-hidden="true" />
      </Button>
      <FieldNotes {...texts} />
      <Popover className="popover" offset={4}>
        <ListBox className="list">{children}</ListBox>
      </Popover>
    </RacSelect>
  )
}
export { Option } from './option.tsx'
