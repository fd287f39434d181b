/** What every field has around its control: label, description, fault. */
import './field.css'
import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'

export interface FieldTexts {
  label: ReactNode
  /** The label is read aloud and not shown. */
  isLabelHidden?: boolean | undefined
  description?: ReactNode
  /** Shown when the field is invalid; without it what the form or the browser says. */
  errorMessage?: ReactNode
  /** Says "(optional)" after the label. */
  isOptional?: boolean | undefined
}

export function FieldLabel({ label, isLabelHidden, isOptional }: FieldTexts) {
  const look = isOptional ? 'field-label field-needed' : 'field-label'
  return <Label className={isLabelHidden ? 'visually-hidden' : look}>{label}</Label>
}

export function FieldNotes({ description, errorMessage }: FieldTexts) {
  return (
    <>
      {description ? (
        <Text slot="description" className="field-description">
          {description}
        </Text>
      ) : null}
      <FieldError className="field-error">{errorMessage}</FieldError>
    </>
  )
}

/** Splits a field's own texts from the properties of its control. */
export function textsOf<P extends FieldTexts>(props: P): [FieldTexts, Omit<P, keyof FieldTexts>] {
  const { label, isLabelHidden, description, errorMessage, isOptional, ...rest } = props
  return [{ label, isLabelHidden, description, errorMessage, isOptional }, rest]
}
