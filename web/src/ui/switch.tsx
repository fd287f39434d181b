import './choice.css'
import './field.css'
import type { ReactNode } from 'react'
import { Switch as RacSwitch, type SwitchProps as RacSwitchProps } from 'react-aria-components'

export interface SwitchProps extends Omit<RacSwitchProps, 'className' | 'style' | 'children'> {
  children: ReactNode
  description?: ReactNode
}

/** What takes effect at once. In a form that is sent later use a `Checkbox`. */
export function Switch({ children, description, ...rest }: SwitchProps) {
  return (
    <RacSwitch {...rest} className="choice">
      <span className="choice-track" aria-hidden="true" />
      <span className="choice-texts">
        <span>{children}</span>
        {description ? <span className="field-description">{description}</span> : null}
      </span>
    </RacSwitch>
  )
}
