/** A line of a list that one chooses from. */
import './popover.css'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ListBoxItem } from 'react-aria-components'

export interface OptionProps {
  /** What is chosen; unique in its list. */
  id: string
  /** As text, for typing ahead, where `children` is more than a text. */
  text?: string | undefined
  description?: ReactNode
  icon?: ReactNode
  isDisabled?: boolean | undefined
  children: ReactNode
}

/** For `Select` and `ComboBox`. */
export function Option({ id, text, description, icon, isDisabled, children }: OptionProps) {
  return (
    <ListBoxItem
      id={id}
      textValue={text ?? (typeof children === 'string' ? children : id)}
      isDisabled={isDisabled ?? false}
      className="list-option"
    >
      {icon}
      <span className="list-texts">
        <span>{children}</span>
        {description ? <span className="list-description">{description}</span> : null}
      </span>
      <IconCheck className="list-check" aria-hidden="true" />
    </ListBoxItem>
  )
}
