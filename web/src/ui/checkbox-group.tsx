import './choice.css'
import type { ReactNode } from 'react'
import {
  CheckboxGroup as RacCheckboxGroup,
  type CheckboxGroupProps as RacCheckboxGroupProps,
} from 'react-aria-components'
import { FieldLabel, FieldNotes, type FieldTexts, textsOf } from './field.tsx'

export interface CheckboxGroupProps
  extends Omit<RacCheckboxGroupProps, 'className' | 'style' | 'children'>,
    FieldTexts {
  /** `Checkbox`es with a `value`. */
  children: ReactNode
}

export function CheckboxGroup(props: CheckboxGroupProps) {
  const [texts, { children, ...rest }] = textsOf(props)
  return (
    <RacCheckboxGroup {...rest} className="field" data-field={rest.name}>
      <FieldLabel {...texts} />
      <div className="choice-list">{children}</div>
      <FieldNotes {...texts} />
    </RacCheckboxGroup>
  )
}
export { Checkbox } from './checkbox.tsx'
