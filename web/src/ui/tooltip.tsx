import './tooltip.css'
import type { ReactElement, ReactNode } from 'react'
import {
  Focusable,
  Tooltip as RacTooltip,
  type TooltipProps as RacTooltipProps,
  TooltipTrigger,
} from 'react-aria-components'

export interface TooltipProps extends Omit<RacTooltipProps, 'className' | 'style' | 'children'> {
  children: ReactNode
}

/** What floats. Use `WithTooltip` where the text is all there is to it. */
export function Tooltip({ children, ...rest }: TooltipProps) {
  return (
    <RacTooltip offset={6} {...rest} className="tooltip">
      {children}
    </RacTooltip>
  )
}

/** Shows `text` while its child, one of our controls, is hovered or has the focus. */
export function WithTooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <TooltipTrigger delay={500} closeDelay={100}>
      {children}
      <Tooltip>{text}</Tooltip>
    </TooltipTrigger>
  )
}

/** As `WithTooltip` for a plain element, such as a `<time tabIndex={0}>`, which takes a role of its own. */
export function FocusableWithTooltip({
  text,
  children,
}: {
  text: ReactNode
  children: React.ComponentProps<typeof Focusable>['children']
}) {
  return (
    <TooltipTrigger delay={500} closeDelay={100}>
      <Focusable>{children}</Focusable>
      <Tooltip>{text}</Tooltip>
    </TooltipTrigger>
  )
}
