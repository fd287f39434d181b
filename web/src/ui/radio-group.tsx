import './choice.css'
import type { ReactNode } from 'react'
import {
  Radio as RacRadio,
  RadioGroup as RacRadioGroup,
  type RadioGroupProps as RacRadioGroupProps,
  type RadioProps as RacRadioProps,
} from 'react-aria-components'
import { FieldLabel, FieldNotes, type FieldTexts, textsOf } from './field.tsx'

export interface RadioGroupProps extends Omit<RacRadioGroupProps, 'className' | 'style' | 'children'>, FieldTexts {
  /** `Radio`s. */
  children: ReactNode
}

/** One of a few, all in sight. `orientation="horizontal"` puts them into one line. */
export function RadioGroup(props: RadioGroupProps) {
  const [texts, { children, ...rest }] = textsOf(props)
  return (
    <RacRadioGroup {...rest} className="field" data-field={rest.name}>
      <FieldLabel {...texts} />
      <div className={rest.orientation === 'horizontal' ? 'choice-row' : 'choice-list'}>{children}</div>
      <FieldNotes {...texts} />
    </RacRadioGroup>
  )
}

export interface RadioProps extends Omit<RacRadioProps, 'className' | 'style' | 'children'> {
  children: ReactNode
  description?: ReactNode
}

export function Radio({ children, description, ...rest }: RadioProps) {
  return (
    <RacRadio {...rest} className="choice">
      <span className="choice-box choice-round" aria-hidden="true" />
      <span className="choice-texts">
        <span>{children}</span>
        {description ? <span className="field-description">{description}</span> : null}
      </span>
    </RacRadio>
  )
}
