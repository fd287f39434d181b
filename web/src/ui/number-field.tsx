import {
  Input,
  NumberField as RacNumberField,
  type NumberFieldProps as RacNumberFieldProps,
} from 'react-aria-components'
import { FieldLabel, FieldNotes, type FieldTexts, textsOf } from './field.tsx'

export interface NumberFieldProps extends Omit<RacNumberFieldProps, 'className' | 'style' | 'children'>, FieldTexts {
  placeholder?: string | undefined
}

/** A number as the person's language writes it. Empty is `NaN`, which `useForm` sends as null. */
export function NumberField(props: NumberFieldProps) {
  const [texts, { placeholder, ...rest }] = textsOf(props)
  return (
    <RacNumberField {...rest} className="field" data-field={rest.name}>
      <FieldLabel {...texts} />
      <Input className="input tabular" placeholder={placeholder} />
      <FieldNotes {...texts} />
    </RacNumberField>
  )
}
