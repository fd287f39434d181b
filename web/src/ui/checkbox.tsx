import './choice.css'
import './field.css'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Checkbox as RacCheckbox, type CheckboxProps as RacCheckboxProps } from 'react-aria-components'

export interface CheckboxProps extends Omit<RacCheckboxProps, 'className' | 'style' | 'children'> {
  /** Without words it needs an `aria-label`. */
  children?: ReactNode
  description?: ReactNode
}

export function Checkbox({ children, description, ...rest }: CheckboxProps) {
  return (
    <RacCheckbox {...rest} className="choice" data-field={rest.name}>
      {({ isIndeterminate }) => (
        <>
          <span className="choice-box" aria-hidden="true">
            {isIndeterminate ? <IconMinus stroke={3} /> : <IconCheck stroke={3} />}
          </span>
          {children ? (
            <span className="choice-texts">
              <span>{children}</span>
              {description ? <span className="field-description">{description}</span> : null}
            </span>
          ) : null}
        </>
      )}
    </RacCheckbox>
  )
}
