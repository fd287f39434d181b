import '../ui/dialog.css'
import '../ui/popover.css'
import './palette.css'
import type { Contact } from '@server/contacts/schema.ts'
import { IconPlus, IconSearch, IconUser } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { Autocomplete, Dialog, Input, Menu, Modal, ModalOverlay, SearchField } from 'react-aria-components'
import { get, query } from '../api/client.ts'
import { type Command, useAllCommands } from '../app/commands.ts'
import { startCreating } from '../app/creating.ts'
import { shownKeys } from '../app/shortcuts.ts'
import { MenuItem, MenuSection } from '../ui/menu.tsx'
import { type Line, paletteSections, RECENT } from './order.ts'
import { noteRecent, recentLines } from './recent.ts'

interface PaletteLine extends Line {
  description?: string | undefined
  keys?: string | undefined
  href?: string | undefined
  run?: (() => void) | undefined
}

const SEARCH_LETTERS_MIN = 2
const CONTACTS_MAX = 8

/** Everything that can be done or opened from here, found by its name; contacts by theirs. */
export function Palette({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const [text, setText] = useState('')
  const contacts = useContacts(text)
  const lines = useAllCommands()
    .filter(({ isUnlisted }) => !isUnlisted)
    .map(lineOf)
  const recent = recentLines()
  const known = [...lines, ...recent.filter(isContact).map(contactLine)]
  const sections = paletteSections(contacts.isOfBefore ? [...known, ...contacts.lines] : known, {
    text,
    recentIds: recent.map(({ id }) => id),
    found: contacts.isOfBefore ? [] : contacts.lines,
  })
  const shown = sections.flatMap((section) => section.lines)
  const name = text.trim()
  const isNothing = name !== '' && shown.length === 0 && !contacts.isPending

  const run = (key: string, isNewTab: boolean) => {
    onClose()
    if (key === CREATE) return startCreating({ record: 'contact', fullName: name })
    const line = shown.find(({ id }) => id === key)
    if (!line) return
    noteRecent({ id: line.id, text: line.text, href: line.href })
    if (line.href === undefined) line.run?.()
    else if (isNewTab) window.open(line.href, '_blank', 'noopener')
    else router.history.push(line.href)
  }
  /** The list marks its first line a moment after each letter: who types fast means that line all the same. */
  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    const marked = event.currentTarget.querySelector<HTMLElement>('[role="menuitem"][data-focused]')
    const key = marked?.dataset.key ?? (isNothing ? CREATE : shown[0]?.id)
    if (key) run(key, event.ctrlKey || event.metaKey)
  }
  return (
    <ModalOverlay className="dialog-backdrop palette-backdrop" isOpen onOpenChange={onClose} isDismissable>
      <Modal className="dialog-frame palette-frame">
        <Dialog className="palette" aria-label="Find anything">
          <div style={{ display: 'contents' }} onKeyDownCapture={onKeyDownCapture}>
            <Autocomplete inputValue={text} onInputChange={setText}>
              <SearchField autoFocus aria-label="Find anything" className="palette-field">
                <IconSearch aria-hidden="true" />
                <Input placeholder="Find a contact, a page or a command" />
              </SearchField>
              <Menu
                className="palette-list"
                aria-label="Found"
                aria-busy={contacts.isPending}
                onAction={(key) => run(String(key), false)}
                renderEmptyState={() => <div className="palette-empty">{contacts.isPending ? 'Searching…' : ''}</div>}
              >
                {isNothing ? (
                  <MenuSection title={`Nothing called “${name}”.`}>
                    <MenuItem id={CREATE} icon={<IconPlus />}>
                      {`Create contact “${name}”`}
                    </MenuItem>
                  </MenuSection>
                ) : (
                  sections.map((section) => (
                    <MenuSection key={section.title} id={section.title} title={section.title}>
                      {section.lines.map((line) => (
                        <MenuItem
                          key={line.id}
                          id={line.id}
                          textValue={line.text}
                          description={line.description}
                          icon={isContact(line) ? <IconUser /> : undefined}
                          shortcut={line.keys ? shownKeys(line.keys) : undefined}
                        >
                          {line.text}
                        </MenuItem>
                      ))}
                    </MenuSection>
                  ))
                )}
              </Menu>
            </Autocomplete>
          </div>
          <div className="palette-foot" aria-hidden="true">
            <span>↑ ↓ choose</span>
            <span>Enter opens</span>
            <span>{shownKeys('mod+Enter')} opens in a new tab</span>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

const CREATE = 'create-contact-of-this-name'

interface FoundContacts {
  lines: PaletteLine[]
  isPending: boolean
  /** They are those of the text before: what of them does not have this text is no answer. */
  isOfBefore: boolean
}

/** The contacts that the server finds; those of the text before stay until the new ones are there. */
function useContacts(text: string): FoundContacts {
  const name = text.trim()
  const isSearch = name.length >= SEARCH_LETTERS_MIN
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['contacts', 'palette', name],
    queryFn: ({ signal }) =>
      get<{ data: Contact[] }>(`/contacts/grid${query({ filter: { q: name }, limit: CONTACTS_MAX, count: false })}`, {
        signal,
      }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
  if (!isSearch || !data) return { lines: [], isPending: isSearch && isFetching, isOfBefore: false }
  return { lines: data.data.map(lineOfContact), isPending: isPlaceholderData, isOfBefore: isPlaceholderData }
}

function lineOfContact({ id, full_name, company }: Contact): PaletteLine {
  return {
    id: `contact-${id}`,
    text: full_name ?? company ?? '',
    description: full_name && company ? company : undefined,
    section: 'Contacts',
    href: `/contacts/${id}`,
  }
}

function contactLine({ id, text, href }: { id: string; text: string; href?: string | undefined }): PaletteLine {
  return { id, text, href, section: RECENT }
}

function isContact({ id }: { id: string }): boolean {
  return id.startsWith('contact-')
}

function lineOf({ id, text, section, words, keys, href, run }: Command): PaletteLine {
  return { id, text, section, words, keys, href, run }
}
