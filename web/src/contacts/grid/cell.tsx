import '../../ui/chip.css'
import type { Contact } from '@server/contacts/schema.ts'
import { memo } from 'react'
import { money, relativeTime } from '../../ui/format.ts'
import type { StageColour } from '../../ui/stage-colours.ts'
import type { ColumnId } from './columns.ts'

/** How the org writes values: given once, so that a row needs no hooks. */
export interface CellLook {
  currency: string
  stageColour: (stage: string) => StageColour
  labelColour: (label: string) => StageColour
}

export function nameOf({ full_name, company }: Pick<Contact, 'full_name' | 'company'>): string {
  return full_name ?? company ?? ''
}

/** What a cell shows of a contact. Plain elements: thousands are drawn in a second of scrolling. */
export const CellContent = memo(function CellContent({
  contact,
  id,
  look,
}: {
  contact: Contact
  id: ColumnId
  look: CellLook
}) {
  switch (id) {
    case 'full_name':
      return <NameLink contact={contact} />
    case 'deal_stage':
      return contact.deal_stage === null ? null : (
        <Tone tone={look.stageColour(contact.deal_stage)} text={contact.deal_stage} />
      )
    case 'label':
      return contact.label === null ? null : <Tone tone={look.labelColour(contact.label)} text={contact.label} />
    case 'deal_value':
      return contact.deal_value === null ? null : (
        <span className="grid-text">{money(contact.deal_value, look.currency)}</span>
      )
    case 'tags':
      return contact.tags.map((tag) => (
        <span key={tag} className="chip grid-tag">
          <span className="chip-text">{tag}</span>
        </span>
      ))
    case 'created_at':
    case 'updated_at':
      return (
        <time className="grid-text" dateTime={contact[id]}>
          {relativeTime(contact[id])}
        </time>
      )
    default:
      return <span className="grid-text">{contact[id]}</span>
  }
})

function NameLink({ contact }: { contact: Contact }) {
  const name = nameOf(contact)
  return (
    <a className="grid-text grid-name" href={`/contacts/${contact.id}`} tabIndex={-1} data-open="">
      {name}
    </a>
  )
}

function Tone({ tone, text }: { tone: StageColour; text: string }) {
  return (
    <span className={`chip chip-${tone}`}>
      <span className="chip-text">{text}</span>
    </span>
  )
}
