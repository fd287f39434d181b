import './shell.css'
import {
  IconAddressBook,
  IconCheckbox,
  IconDots,
  IconFileImport,
  IconLayoutKanban,
  IconMapSearch,
  IconSearch,
  IconSettings,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { onSignedOut, post } from '../api/client.ts'
import { startLive, useLiveState } from '../api/live.ts'
import { queryClient } from '../api/query.ts'
import { forgetRecent } from '../palette/recent.ts'
import { Link } from '../ui/link.tsx'
import { Menu, MenuItem, MenuSection } from '../ui/menu.tsx'
import { type Command, useCommands } from './commands.ts'
import { startCreating, stopCreating, useCreating } from './creating.ts'
import icon from './icon.svg'
import { sessionQuery, useSession } from './session.ts'
import { focusPageSearch, shownKeys, startShortcuts } from './shortcuts.ts'

const loadPalette = () => import('../palette/palette.tsx')
const loadNewContact = () => import('../contact/new-contact-dialog.tsx')

const SignInAgainDialog = lazy(() =>
  import('../sign-in/sign-in-again-dialog.tsx').then((module) => ({ default: module.SignInAgainDialog })),
)
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))
const NewContactDialog = lazy(() => loadNewContact().then((module) => ({ default: module.NewContactDialog })))
const NewTaskDialog = lazy(() =>
  import('../tasks/new-task-dialog.tsx').then((module) => ({ default: module.NewTaskDialog })),
)
const ShortcutList = lazy(() => import('./shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })))

const PAGES = [
  { to: '/contacts', text: 'Contacts', keys: 'g c', icon: <IconAddressBook /> },
  { to: '/deals', text: 'Deals', keys: 'g d', icon: <IconLayoutKanban /> },
  { to: '/tasks', text: 'Tasks', keys: 'g t', icon: <IconCheckbox /> },
  { to: '/prospecting', text: 'Prospecting', keys: 'g p', icon: <IconMapSearch /> },
  // A file of contacts is seldom at hand on a phone, whose bar has room for five.
  { to: '/imports', text: 'Imports', keys: 'g i', icon: <IconFileImport />, isUnderMore: true },
] as const

/** Around every page: where one can go, what the connection does, and the dialogs that belong to no page. */
export function Shell() {
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts'>()
  const isSignedOut = useSignedOut()
  useQuery(sessionQuery)
  useEffect(loadWhenIdle, [])
  useShellCommands(setOverlay)
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on this page; the address stays as it is. */}
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('content')?.focus()
        }}
      >
        Skip to content
      </a>
      <div className="shell">
        <Bar openPalette={() => setOverlay('palette')} />
        <div className="shell-main">
          <ConnectionNotice />
          <main id="content" className="shell-content" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </div>
      <Suspense>
        {overlay === 'palette' ? <Palette onClose={() => setOverlay(undefined)} /> : null}
        {overlay === 'shortcuts' ? <ShortcutList onClose={() => setOverlay(undefined)} /> : null}
        <CreateDialog />
        {isSignedOut.is ? <SignInAgain onSignedIn={isSignedOut.clear} /> : null}
      </Suspense>
    </>
  )
}

/** What a key opens has to be there when it is pressed. */
function loadWhenIdle(): () => void {
  const timer = setTimeout(() => void Promise.allSettled([loadPalette(), loadNewContact()]), 1_500)
  return () => clearTimeout(timer)
}

function Bar({ openPalette }: { openPalette: () => void }) {
  const { org } = useSession()
  return (
    <div className="shell-bar">
      <div className="shell-brand">
        <img src={icon} alt="" />
        <span>{org.name}</span>
      </div>
      <Button className="shell-link shell-search" onPress={openPalette}>
        <IconSearch />
        <span className="shell-text">Search</span>
        <kbd>{shownKeys('mod+k')}</kbd>
      </Button>
      <nav aria-label="Main">
        <ul className="shell-nav">
          {PAGES.map((page) => (
            <li key={page.to} {...('isUnderMore' in page ? { className: 'shell-only-wide' } : {})}>
              <ShellLink to={page.to} text={page.text} icon={page.icon} />
            </li>
          ))}
          <li className="shell-only-wide">
            <ShellLink to="/settings" text="Settings" icon={<IconSettings />} />
          </li>
          <li className="shell-only-phone">
            <PersonMenu isPhone openPalette={openPalette} />
          </li>
        </ul>
      </nav>
      <div className="shell-person">
        <PersonMenu openPalette={openPalette} />
      </div>
    </div>
  )
}

function ShellLink({ to, text, icon }: { to: string; text: string; icon: React.ReactNode }) {
  return (
    <Link to={to} className="shell-link" activeProps={{ 'data-active': '' } as object} aria-label={text}>
      {icon}
      <span className="shell-text">{text}</span>
    </Link>
  )
}

function PersonMenu({ isPhone, openPalette }: { isPhone?: boolean; openPalette: () => void }) {
  const { member } = useSession()
  const navigate = useNavigate()
  const signOut = async () => {
    await post('/sign-out')
    queryClient.clear()
    forgetRecent()
    await navigate({ to: '/sign-in', search: {} })
  }
  return (
    <Menu
      placement={isPhone ? 'top end' : 'top start'}
      aria-label="You"
      trigger={
        <Button className="shell-link" aria-label={isPhone ? 'More' : `${member.name || member.email}: menu`}>
          {isPhone ? <IconDots /> : <span className="avatar" data-initials={initials(member.name || member.email)} />}
          <span className="shell-text">{isPhone ? 'More' : member.name || member.email}</span>
        </Button>
      }
    >
      <MenuSection title={member.email}>
        {isPhone ? (
          <>
            <MenuItem onAction={openPalette}>Search</MenuItem>
            <MenuItem href="/imports">Imports</MenuItem>
            <MenuItem href="/settings">Settings</MenuItem>
          </>
        ) : null}
        <MenuItem href="/settings/you">Your settings</MenuItem>
        <MenuItem href="/docs" target="_blank">
          API reference
        </MenuItem>
      </MenuSection>
      <MenuSection aria-label="Session">
        <MenuItem onAction={() => void signOut()}>Sign out</MenuItem>
      </MenuSection>
    </Menu>
  )
}

function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.[0] ?? '')
    .join('')
    .toUpperCase()
}

const LOST_MS = 2_000

function ConnectionNotice() {
  const isOnline = useOnline()
  const live = useLiveState()
  const [isLong, setLong] = useState(false)
  const isLost = isOnline && live === 'lost'
  useEffect(() => startLive(), [])
  useEffect(() => {
    if (!isLost) return
    const timer = setTimeout(() => setLong(true), LOST_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isLost])
  if (!isOnline) {
    return (
      <div className="shell-notice" role="status">
        You are offline. Changes are not saved until you are back.
      </div>
    )
  }
  if (!isLost || !isLong) return null
  return (
    <div className="shell-notice shell-notice-quiet" role="status">
      Reconnecting…
    </div>
  )
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = () => setOnline(navigator.onLine)
    window.addEventListener('online', update)
    window.addEventListener('offline', update)
    return () => {
      window.removeEventListener('online', update)
      window.removeEventListener('offline', update)
    }
  }, [])
  return isOnline
}

function useSignedOut() {
  const [is, setSignedOut] = useState(false)
  useEffect(() => onSignedOut(() => setSignedOut(true)), [])
  return { is, clear: () => setSignedOut(false) }
}

function CreateDialog() {
  const creating = useCreating()
  if (!creating) return null
  if (creating.record === 'contact') {
    return <NewContactDialog isOpen onOpenChange={stopCreating} initial={{ full_name: creating.fullName }} />
  }
  const { contactId, contactName } = creating
  const contact = contactId ? { id: contactId, name: contactName ?? '' } : undefined
  return <NewTaskDialog isOpen onOpenChange={stopCreating} contact={contact} />
}

function SignInAgain({ onSignedIn }: { onSignedIn: () => void }) {
  const { member } = useSession()
  return (
    <SignInAgainDialog
      email={member.email}
      onSignedIn={() => {
        onSignedIn()
        void queryClient.invalidateQueries()
      }}
    />
  )
}

function useShellCommands(open: (overlay: 'palette' | 'shortcuts') => void): void {
  const navigate = useNavigate()
  useEffect(() => startShortcuts((href) => void navigate({ to: href })), [navigate])
  const settings: Command[] = [
    {
      id: 'go-organisation',
      text: 'Organisation',
      href: '/settings/organisation',
      section: 'Go to',
      words: 'settings',
    },
    { id: 'go-members', text: 'Members', href: '/settings/members', section: 'Go to', words: 'settings people invite' },
    { id: 'go-api-keys', text: 'API keys', href: '/settings/api-keys', section: 'Go to', words: 'settings tokens' },
    { id: 'go-webhooks', text: 'Webhooks', href: '/settings/webhooks', section: 'Go to', words: 'settings deliveries' },
    { id: 'go-you', text: 'Your settings', href: '/settings/you', section: 'Go to', words: 'theme password keyboard' },
  ]
  useCommands([
    ...PAGES.map(
      ({ to, text, keys }): Command => ({ id: `go-${text.toLowerCase()}`, text, section: 'Go to', href: to, keys }),
    ),
    { id: 'go-settings', text: 'Settings', section: 'Go to', href: '/settings', keys: 'g s' },
    ...settings,
    {
      id: 'new-contact',
      text: 'New contact',
      section: 'Create',
      keys: 'c',
      run: () => startCreating({ record: 'contact' }),
    },
    { id: 'new-task', text: 'New task', section: 'Create', keys: 't', run: () => startCreating({ record: 'task' }) },
    { id: 'import', text: 'Import contacts', section: 'Create', href: '/imports', words: 'csv file upload' },
    {
      id: 'find-businesses',
      text: 'Find businesses on the map',
      section: 'Create',
      href: '/prospecting',
      words: 'places prospects search leads',
    },
    { id: 'search', text: 'Search this page', section: 'This page', keys: '/', run: focusPageSearch, isUnlisted: true },
    {
      id: 'palette',
      text: 'Find anything',
      section: 'This page',
      keys: 'mod+k',
      run: () => open('palette'),
      isUnlisted: true,
    },
    { id: 'shortcuts', text: 'Keyboard shortcuts', section: 'This page', keys: '?', run: () => open('shortcuts') },
  ])
}
