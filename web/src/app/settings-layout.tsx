import '../ui/tabs.css'
import './settings-layout.css'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Link } from '../ui/link.tsx'

const PAGES = [
  { to: '/settings/organisation', text: 'Organisation' },
  { to: '/settings/members', text: 'Members' },
  { to: '/settings/api-keys', text: 'API keys' },
  { to: '/settings/webhooks', text: 'Webhooks' },
  { to: '/settings/you', text: 'You' },
] as const

export function SettingsLayout() {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the one that is shown may lie beside the screen.
  useEffect(() => {
    const shown = nav.current?.querySelector('[aria-current]')
    // Not by `scrollIntoView`: the first Tab would go on from there, past the way to skip to the content.
    if (nav.current && shown) nav.current.scrollLeft += middleOf(shown) - middleOf(nav.current)
  }, [pathname])
  return (
    <div className="settings">
      <nav className="settings-nav" aria-label="Settings" ref={nav}>
        {PAGES.map(({ to, text }) => (
          <Link key={to} to={to} className="tab" activeProps={{ 'data-selected': '' } as object}>
            {text}
          </Link>
        ))}
      </nav>
      <div className="settings-content">
        <Outlet />
      </div>
    </div>
  )
}

function middleOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect()
  return (left + right) / 2
}
