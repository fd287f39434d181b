import type { ReactNode, Ref } from 'react'
import { Button, type ButtonProps } from 'react-aria-components'
import { type ButtonLook, buttonClass } from './button.tsx'
import { WithTooltip } from './tooltip.tsx'

export interface IconButtonProps
  extends Omit<ButtonProps, 'className' | 'style' | 'children' | 'aria-label'>,
    ButtonLook {
  /** What it does; read aloud, and shown as its tooltip. */
  label: string
  /** Shown after the label in the tooltip: `c`, `Ctrl K`. */
  shortcut?: string | undefined
  children: ReactNode
  ref?: Ref<HTMLButtonElement> | undefined
}

/** A button that is an icon alone. */
export function IconButton({ label, shortcut, variant = 'quiet', isSmall, children, ...rest }: IconButtonProps) {
  return (
    <WithTooltip text={shortcut ? `${label}  ${shortcut}` : label}>
      <Button {...rest} aria-label={label} className={`${buttonClass({ variant, isSmall })} button-icon`}>
        {children}
      </Button>
    </WithTooltip>
  )
}
