import './popover.css'
import type { ReactElement, ReactNode } from 'react'
import {
  Header,
  MenuTrigger,
  Popover,
  type PopoverProps,
  Menu as RacMenu,
  MenuItem as RacMenuItem,
  type MenuItemProps as RacMenuItemProps,
  type MenuProps as RacMenuProps,
  MenuSection as RacMenuSection,
  type MenuSectionProps as RacMenuSectionProps,
  Separator,
} from 'react-aria-components'

export interface MenuProps extends Omit<RacMenuProps<object>, 'className' | 'style' | 'children'> {
  /** The button that opens it. */
  trigger: ReactElement
  /** `MenuItem`s and `MenuSection`s. */
  children: ReactNode
  placement?: PopoverProps['placement']
  isOpen?: boolean | undefined
  onOpenChange?: ((isOpen: boolean) => void) | undefined
}

/** `<Menu trigger={<Button>More</Button>}><MenuItem onAction={…}>Copy id</MenuItem></Menu>` */
export function Menu({ trigger, children, placement = 'bottom start', isOpen, onOpenChange, ...rest }: MenuProps) {
  return (
    <MenuTrigger {...(isOpen === undefined ? {} : { isOpen })} {...(onOpenChange ? { onOpenChange } : {})}>
      {trigger}
      <Popover className="popover" placement={placement} offset={4}>
        <RacMenu {...rest} className="list">
          {children}
        </RacMenu>
      </Popover>
    </MenuTrigger>
  )
}

export interface MenuItemProps extends Omit<RacMenuItemProps, 'className' | 'style' | 'children'> {
  icon?: ReactNode
  description?: ReactNode
  /** Shown at the end: `Ctrl K`. It does nothing by itself. */
  shortcut?: string | undefined
  isDanger?: boolean | undefined
  children: ReactNode
}

/** All that it shows is its name: a description of its own would be text that nobody can ask for by voice. */
export function MenuItem({ icon, description, shortcut, isDanger, children, ...rest }: MenuItemProps) {
  return (
    <RacMenuItem
      {...(typeof children === 'string' ? { textValue: children } : {})}
      {...rest}
      className="list-option"
      data-danger={isDanger ? '' : undefined}
    >
      {icon}
      <span className="list-texts">
        <span>{children}</span>
        {description ? <span className="list-description">{description}</span> : null}
      </span>
      {shortcut ? <kbd className="list-shortcut">{shortcut}</kbd> : null}
    </RacMenuItem>
  )
}

export interface MenuSectionProps extends Omit<RacMenuSectionProps<object>, 'className' | 'style' | 'children'> {
  title?: string | undefined
  children: ReactNode
}

export function MenuSection({ title, children, ...rest }: MenuSectionProps) {
  return (
    <RacMenuSection
      {...rest}
      {...(title ? {} : { 'aria-label': rest['aria-label'] ?? 'More' })}
      className="list-section"
    >
      {title ? <Header className="list-header">{title}</Header> : null}
      {children}
    </RacMenuSection>
  )
}

export function MenuSeparator() {
  return <Separator className="list-separator" />
}
