import type { ContactListItem } from '@server/contacts/schema.ts'
import { EVENT_NAMES, type EventName } from '@server/events/names.ts'
import type { LoggedDelivery } from '@server/webhooks/ui-schema.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, query } from '../api/client.ts'
import { ComboBox, Option } from '../ui/combo-box.tsx'
import { Select } from '../ui/select.tsx'
import { STATUS_WORDS } from './delivery-words.ts'
import { PERIODS, type Period } from './periods.ts'

export interface Filters {
  status?: LoggedDelivery['status'] | undefined
  event?: EventName | undefined
  contact?: { id: string; name: string } | undefined
  period?: Period | undefined
}

export const NO_FILTERS: Filters = {}

const STATES = ['failed', 'delivered', 'pending'] as const
const ANY = 'any'

interface DeliveryFiltersProps {
  filters: Filters
  onChange: (filters: Filters) => void
  /** Whether one contact can be chosen. */
  hasContact: boolean
}

export function DeliveryFilters({ filters, onChange, hasContact }: DeliveryFiltersProps) {
  const set = <K extends keyof Filters>(name: K, value: Filters[K]) => {
    const { [name]: _, ...rest } = filters
    const next = value === undefined ? rest : { ...rest, [name]: value }
    onChange(Object.keys(next).length === 0 ? NO_FILTERS : next)
  }
  const choose = <K extends 'status' | 'event' | 'period'>(name: K) => ({
    value: filters[name] ?? ANY,
    onChange: (key: unknown) => set(name, (key === ANY ? undefined : key) as Filters[K]),
  })
  return (
    <div className="delivery-filters">
      <Select label="State" {...choose('status')}>
        <Option id={ANY}>All</Option>
        {STATES.map((state) => (
          <Option key={state} id={state}>
            {STATUS_WORDS[state]}
          </Option>
        ))}
      </Select>
      <Select label="Event" {...choose('event')}>
        <Option id={ANY}>All</Option>
        {EVENT_NAMES.map((name) => (
          <Option key={name} id={name}>
            {name}
          </Option>
        ))}
      </Select>
      <Select label="Time" {...choose('period')}>
        <Option id={ANY}>Any time</Option>
        {Object.entries(PERIODS).map(([id, { text }]) => (
          <Option key={id} id={id}>
            {text}
          </Option>
        ))}
      </Select>
      {hasContact ? <ContactFilter contact={filters.contact} onChange={(contact) => set('contact', contact)} /> : null}
    </div>
  )
}

interface ContactFilterProps {
  contact: Filters['contact']
  onChange: (contact: Filters['contact']) => void
}

/** Found by typing a part of the name; an empty field is every contact. */
function ContactFilter({ contact, onChange }: ContactFilterProps) {
  const [text, setText] = useState(contact?.name ?? '')
  const q = text.trim()
  const { data } = useQuery({
    queryKey: ['contacts', 'named', q],
    queryFn: ({ signal }) => get<{ data: ContactListItem[] }>(`/contacts${query({ q, limit: 8 })}`, { signal }),
    enabled: q.length > 1 && q !== contact?.name,
  })
  const found = (data?.data ?? []).map(({ id, full_name, company }) => ({ id, name: full_name ?? company ?? '' }))
  return (
    <ComboBox
      label="Contact"
      placeholder="All"
      empty="No contact is called so."
      inputValue={text}
      onInputChange={(value) => {
        setText(value)
        if (value === '' && contact) onChange(undefined)
      }}
      value={contact?.id ?? null}
      onChange={(id) => {
        const chosen = found.find((one) => one.id === id)
        if (!chosen) return
        setText(chosen.name)
        onChange(chosen)
      }}
      defaultFilter={() => true}
      allowsCustomValue
    >
      {found.map(({ id, name }) => (
        <Option key={id} id={id}>
          {name}
        </Option>
      ))}
    </ComboBox>
  )
}

/** @returns when a period began, to the minute, so that the same question has the same text for a while */
export function fromOf(period: Period | undefined, now = Date.now()): string | undefined {
  if (!period) return undefined
  return new Date(Math.floor(now / 60_000) * 60_000 - PERIODS[period].ms).toISOString()
}
