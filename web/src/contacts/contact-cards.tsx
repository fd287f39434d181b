import type { Contact } from '@server/contacts/schema.ts'
import { memo } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { money } from '../ui/format.ts'
import { type CellLook, nameOf } from './grid/cell.tsx'
import { isSelected, type Selection, toggled } from './grid/selection.ts'
import type { RowWindow } from './grid/use-row-window.ts'
import type { Rows } from './grid/use-rows.ts'

export interface ContactCardsProps {
  rows: Rows
  view: RowWindow
  onElement: (element: HTMLDivElement | null) => void
  selection: Selection
  onSelection: (selection: Selection) => void
  look: CellLook
  onOpen: (contact: Contact, row: number, inNewTab: boolean) => void
  onPreview: (contact: Contact) => void
}

/** The contacts on a phone: two lines each. */
export function ContactCards({
  rows,
  view,
  onElement,
  selection,
  onSelection,
  look,
  onOpen,
  onPreview,
}: ContactCardsProps) {
  const { first, last } = view.drawn
  const drawn = Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at)
  return (
    <div
      className="contact-cards"
      ref={onElement}
      role="list"
      aria-label="Contacts"
      aria-busy={rows.isLoading || rows.isStale}
      data-stale={rows.isStale ? '' : undefined}
    >
      <div role="presentation" className="contact-cards-body" style={{ height: view.bodyPx }}>
        {drawn.map((row) => {
          const contact = rows.at(row)
          return (
            <div
              key={row}
              role="listitem"
              className="contact-card"
              aria-setsize={rows.count ?? -1}
              aria-posinset={row + 1}
              data-id={contact?.id}
              style={{ top: view.topOf(row) }}
            >
              {contact ? (
                <>
                  <Checkbox
                    aria-label={`Select ${nameOf(contact)}`}
                    isSelected={isSelected(selection, contact.id)}
                    onChange={() => onSelection(toggled(selection, contact.id))}
                  />
                  <a
                    className="contact-card-link"
                    href={`/contacts/${contact.id}`}
                    onPointerDown={() => onPreview(contact)}
                    onClick={(event) => {
                      if (event.ctrlKey || event.metaKey || event.shiftKey) return
                      event.preventDefault()
                      onOpen(contact, row, false)
                    }}
                  >
                    <CardLines contact={contact} look={look} />
                  </a>
                </>
              ) : (
                <span className="skeleton grid-skeleton" />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const CardLines = memo(function CardLines({ contact, look }: { contact: Contact; look: CellLook }) {
  const { full_name, company, deal_stage, deal_value, email, phone } = contact
  const under = [full_name ? company : null, email ?? phone].filter(Boolean).join(' · ')
  return (
    <>
      <span className="contact-card-line">
        <span className="contact-card-name">{nameOf(contact)}</span>
        {deal_value === null ? null : <span className="tabular">{money(deal_value, look.currency)}</span>}
      </span>
      <span className="contact-card-line contact-card-under">
        <span className="contact-card-text">{under}</span>
        {deal_stage === null ? null : (
          <span className={`chip chip-${look.stageColour(deal_stage)}`}>
            <span className="chip-text">{deal_stage}</span>
          </span>
        )}
      </span>
    </>
  )
})
