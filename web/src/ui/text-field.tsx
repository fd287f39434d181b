import type { ReactNode, Ref } from 'react'
import {
  Group,
  Input,
  TextField as RacTextField,
  type TextFieldProps as RacTextFieldProps,
} from 'react-aria-components'
import { FieldLabel, FieldNotes, type FieldTexts, textsOf } from './field.tsx'

export interface TextFieldProps extends Omit<RacTextFieldProps, 'className' | 'style' | 'children'>, FieldTexts {
  placeholder?: string | undefined
  /** A control at the end of the field, such as "Show password". */
  suffix?: ReactNode
  icon?: ReactNode
  inputRef?: Ref<HTMLInputElement> | undefined
}

/** One line of text. `name` is the field of the schema that its faults are shown for. */
export function TextField(props: TextFieldProps) {
  const [texts, { placeholder, suffix, icon, inputRef, ...rest }] = textsOf(props)
  return (
    <RacTextField {...rest} className="field" data-field={rest.name}>
      <FieldLabel {...texts} />
      <Group className="input-group">
        {icon ? <span className="input-icon">{icon}</span> : null}
        <Input className="input" placeholder={placeholder} ref={inputRef} />
        {suffix ? <span className="input-suffix">{suffix}</span> : null}
      </Group>
      <FieldNotes {...texts} />
    </RacTextField>
  )
}
