import type { Contact } from '@server/contacts/schema.ts'
import { useRef } from 'react'
import { useLabelColour, useSession } from '../app/session.ts'
import { choicesWith } from '../contacts/grid/choices.ts'
import { type ColumnId, columnOf } from '../contacts/grid/columns.ts'
import { Chip, StageChip } from '../ui/chip.tsx'
import { OuterLink } from '../ui/link.tsx'
import { Money } from '../ui/money.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { ContactPlace } from './contact-place.tsx'
import { FieldEditor } from './field-editor.tsx'
import type { ShownContact } from './use-contact.ts'

const FIELDS: ColumnId[] = [
  'full_name',
  'company',
  'email',
  'phone',
  'location',
  'deal_stage',
  'deal_value',
  'label',
  'tags',
]

export interface ContactFieldsProps {
  contact: Contact
  shown: ShownContact
  /** The field that is being edited. */
  editing: ColumnId | undefined
  onEditing: (field: ColumnId | undefined) => void
}

/** Every field, edited in place. */
export function ContactFields({ contact, shown, editing, onEditing }: ContactFieldsProps) {
  const { changed_by, place } = shown.page ?? {}
  return (
    <section className="contact-fields" aria-label="Fields">
      <ul>
        {FIELDS.map((field) => (
          <li key={field} className="contact-field">
            <ContactField
              {...{ contact, field, shown }}
              isEditing={editing === field}
              onEdit={() => onEditing(field)}
              onEnd={() => onEditing(undefined)}
            />
          </li>
        ))}
      </ul>
      {place ? <ContactPlace place={place} /> : null}
      <p className="secondary small">
        Created <RelativeTime iso={contact.created_at} isFocusable />, changed{' '}
        <RelativeTime iso={contact.updated_at} isFocusable />
        {changed_by ? ` by ${changed_by}` : ''}.
      </p>
    </section>
  )
}

interface ContactFieldProps {
  contact: Contact
  field: ColumnId
  shown: ShownContact
  isEditing: boolean
  onEdit: () => void
  onEnd: () => void
}

function ContactField({ contact, field, shown, isEditing, onEdit, onEnd }: ContactFieldProps) {
  const button = useRef<HTMLButtonElement>(null)
  const choices = useChoices(contact, field)
  const { title } = columnOf(field)
  const refusal = shown.refusalOf(field)
  if (isEditing) {
    return (
      <FieldEditor
        {...{ contact, field, choices, refusal }}
        changedBy={shown.page?.changed_by ?? null}
        onEnd={(how) => {
          onEnd()
          // With the mouse the focus is where it was put.
          if (how === 'key') requestAnimationFrame(() => button.current?.focus())
        }}
        onSave={(value) => void shown.save({ [field]: value })}
        onType={() => shown.forgetRefusal(field)}
      />
    )
  }
  const noteId = `refusal-${field}`
  return (
    <>
      <span className="contact-field-name" aria-hidden="true">
        {title}
      </span>
      <span className="contact-field-line">
        <button
          ref={button}
          type="button"
          className="contact-field-value"
          onClick={onEdit}
          {...(refusal === undefined ? {} : { 'aria-describedby': noteId })}
        >
          <span className="visually-hidden">Edit {title.toLowerCase()}: </span>
          <FieldValue contact={contact} field={field} />
        </button>
        <Way contact={contact} field={field} />
      </span>
      {refusal === undefined ? null : (
        <p className="field-error" id={noteId} role="alert">
          {refusal}
        </p>
      )}
    </>
  )
}

/** From an address or a number to the program that uses it. */
function Way({ contact: { email, phone }, field }: { contact: Contact; field: ColumnId }) {
  if (field === 'email' && email !== null) return <OuterLink href={`mailto:${encodeURI(email)}`}>Write</OuterLink>
  if (field !== 'phone' || phone === null) return null
  const number = phone.replaceAll(/[^+\d]/g, '')
  return number === '' ? null : <OuterLink href={`tel:${number}`}>Call</OuterLink>
}

function FieldValue({ contact, field }: { contact: Contact; field: ColumnId }) {
  const value = contact[field]
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    return <span className="secondary">Add {columnOf(field).title.toLowerCase()}</span>
  }
  if (Array.isArray(value)) {
    return (
      <span className="contact-tags">
        {value.map((tag) => (
          <Chip key={tag}>{tag}</Chip>
        ))}
      </span>
    )
  }
  if (field === 'deal_stage') return <StageChip stage={String(value)} />
  if (field === 'label') return <LabelChip label={String(value)} />
  if (field === 'deal_value') return <Money value={Number(value)} />
  return <>{value}</>
}

function LabelChip({ label }: { label: string }) {
  return <Chip tone={useLabelColour(label)}>{label}</Chip>
}

/** What an editor of stages or labels offers; any other text may be typed too. */
function useChoices({ deal_stage, label }: Contact, field: ColumnId): string[] | undefined {
  const { stages, labels } = useSession()
  const names = (of: readonly { name: string }[]) => of.map(({ name }) => name)
  if (field === 'deal_stage') return choicesWith(names(stages), [deal_stage])
  if (field === 'label') return choicesWith(names(labels), [label])
  return undefined
}
