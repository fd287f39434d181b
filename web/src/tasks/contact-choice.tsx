import type { ContactFilter } from '@server/contacts/filter-schema.ts'
import type { Contact } from '@server/contacts/schema.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { get, query } from '../api/client.ts'
import { ComboBox, Option } from '../ui/combo-box.tsx'

export interface ChosenContact {
  id: string
  name: string
}

export interface ContactChoiceProps {
  label: string
  value: ChosenContact | null
  onChange: (contact: ChosenContact | null) => void
  isLabelHidden?: boolean | undefined
  isOptional?: boolean | undefined
  placeholder?: string | undefined
  name?: string | undefined
  autoFocus?: boolean | undefined
}

const FOUND_MAX = 8

/** One of the org's contacts, found by typing a part of its name or company. */
export function ContactChoice({ value, onChange, ...rest }: ContactChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value?.name ?? '')
  const isSearch = text !== (value?.name ?? '')
  const q = isSearch ? text.trim() : ''
  const { data: found = [] } = useQuery({
    queryKey: ['contacts', 'choice', q],
    queryFn: ({ signal }) => search(q, signal),
    placeholderData: keepPreviousData,
  })
  const [shown, setShown] = useState(value)
  // Another contact was chosen from outside, or none: the field is emptied after a task was added.
  if (shown?.id !== value?.id) {
    setShown(value)
    setText(value?.name ?? '')
  }
  return (
    <ComboBox
      {...rest}
      menuTrigger="focus"
      inputValue={text}
      inputRef={input}
      onInputChange={(next) => {
        // As it is left, the box asks for the name of what is chosen, which need not be among what was found.
        if (input.current !== document.activeElement) return
        setText(next)
        if (next === '' && value) onChange(null)
      }}
      selectedKey={value?.id ?? null}
      onSelectionChange={(key) => {
        const contact = found.find(({ id }) => id === key)
        if (!contact) return
        const chosen = { id: contact.id, name: nameOf(contact) }
        setText(chosen.name)
        onChange(chosen)
      }}
      onBlur={() => setText(value?.name ?? '')}
      defaultFilter={() => true}
      empty={q === '' ? 'No contacts yet.' : `No contact matches “${q}”.`}
    >
      {found.map((contact) => (
        <Option key={contact.id} id={contact.id} text={nameOf(contact)} description={detailOf(contact)}>
          {nameOf(contact)}
        </Option>
      ))}
    </ComboBox>
  )
}

async function search(q: string, signal: AbortSignal): Promise<Contact[]> {
  const filter: ContactFilter = q === '' ? {} : { q }
  const path = `/contacts/grid${query({ filter, sort: '-updated', limit: FOUND_MAX, offset: 0, count: false })}`
  return (await get<{ data: Contact[] }>(path, { signal })).data
}

function nameOf({ full_name, company }: Contact): string {
  return full_name ?? company ?? ''
}

function detailOf({ full_name, company, email }: Contact): string | null {
  return full_name === null ? email : (company ?? email)
}
