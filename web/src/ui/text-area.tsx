import type { Ref } from 'react'
import { TextArea as RacTextArea, TextField, type TextFieldProps } from 'react-aria-components'
import { FieldLabel, FieldNotes, type FieldTexts, textsOf } from './field.tsx'

export interface TextAreaProps extends Omit<TextFieldProps, 'className' | 'style' | 'children'>, FieldTexts {
  placeholder?: string | undefined
  rows?: number | undefined
  inputRef?: Ref<HTMLTextAreaElement> | undefined
}

/** Text of several lines; it grows with what is in it. */
export function TextArea(props: TextAreaProps) {
  const [texts, { placeholder, rows = 3, inputRef, ...rest }] = textsOf(props)
  return (
    <TextField {...rest} className="field" data-field={rest.name}>
      <FieldLabel {...texts} />
      <RacTextArea className="input" placeholder={placeholder} rows={rows} ref={inputRef} />
      <FieldNotes {...texts} />
    </TextField>
  )
}
