import './button.css'
import './link.css'
import { createLink } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import { Link as RacLink, type LinkProps as RacLinkProps } from 'react-aria-components'
import { type ButtonLook, buttonClass } from './button.tsx'

interface LinkLook extends Omit<RacLinkProps, 'className' | 'style' | 'children'> {
  /** Looks like the text around it until it is hovered. */
  isPlain?: boolean | undefined
  /** Instead of the look of a link. */
  className?: string | undefined
  excludeFromTabOrder?: boolean | undefined
  draggable?: boolean | undefined
  children?: ReactNode
  ref?: Ref<HTMLAnchorElement> | undefined
}

function StyledLink({ isPlain, className, ...rest }: LinkLook) {
  return <RacLink {...rest} className={className ?? (isPlain ? 'link link-plain' : 'link')} />
}

function StyledLinkButton({
  variant,
  isSmall,
  icon,
  children,
  ...rest
}: Omit<RacLinkProps, 'className' | 'style' | 'children'> &
  ButtonLook & { icon?: ReactNode; children?: ReactNode; ref?: Ref<HTMLAnchorElement> | undefined }) {
  return (
    <RacLink {...rest} className={buttonClass({ variant, isSmall })}>
      {icon}
      {children}
    </RacLink>
  )
}

/** A link to a page of ours: `<Link to="/contacts/$id" params={{ id }}>`. Code is fetched when it is hovered or focused. */
export const Link = createLink(StyledLink)

/** A link that looks like a button. */
export const LinkButton = createLink(StyledLinkButton)

const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:|tel:)/i

/** A link out of the app, from data: an address of another kind than these is shown as text. */
export function OuterLink({
  href,
  tabIndex,
  children,
}: {
  href: string
  tabIndex?: number | undefined
  children: ReactNode
}) {
  if (!SAFE_ADDRESS.test(href)) return <span>{children}</span>
  const isPage = /^https?:/i.test(href)
  return (
    <a
      className="link"
      href={href}
      tabIndex={tabIndex}
      rel="noopener noreferrer"
      {...(isPage ? { target: '_blank' } : {})}
    >
      {children}
    </a>
  )
}
