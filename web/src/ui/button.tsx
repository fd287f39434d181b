import './button.css'
import { type ReactNode, type Ref, useEffect } from 'react'
import { Button as RacButton, type ButtonProps as RacButtonProps } from 'react-aria-components'
import { announce } from '../app/announce.ts'

export type ButtonVariant = 'default' | 'primary' | 'quiet' | 'danger'

export interface ButtonLook {
  variant?: ButtonVariant | undefined
  /** 28 px high, for use inside rows and cards. */
  isSmall?: boolean | undefined
}

export interface ButtonProps extends Omit<RacButtonProps, 'className' | 'style' | 'children'>, ButtonLook {
  /** Stands before the words. */
  icon?: ReactNode
  children: ReactNode
  ref?: Ref<HTMLButtonElement> | undefined
}

/**
 * A verb and its noun: "Create key". While `isPending` it takes no press and keeps the focus. React Aria's own way would
 * leave an announcement behind that points to the button, also when the button has gone with its dialog.
 */
export function Button({ variant, isSmall, icon, children, isPending, onPress, type, ...rest }: ButtonProps) {
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => announce('Working…'), ANNOUNCE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isPending])
  const action = isPending
    ? { 'aria-disabled': true, type: 'button' as const }
    : { ...(onPress && { onPress }), ...(type && { type }) }
  return (
    <RacButton {...rest} {...action} className={buttonClass({ variant, isSmall })}>
      {isPending ? <span className="button-spinner" aria-hidden="true" /> : icon}
      {children}
    </RacButton>
  )
}

/** What is done sooner need not be said. */
const ANNOUNCE_AFTER_MS = 1000

/** The classes of what looks like a button: links do too. */
export function buttonClass({ variant = 'default', isSmall }: ButtonLook): string {
  const classes = ['button']
  if (variant !== 'default') classes.push(`button-${variant}`)
  if (isSmall) classes.push('button-small')
  return classes.join(' ')
}
