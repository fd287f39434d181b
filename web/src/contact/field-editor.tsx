import type { Contact } from '@server/contacts/schema.ts'
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { type ColumnId, columnOf } from '../contacts/grid/columns.ts'
import { checkedValue } from '../contacts/grid/field-check.ts'
import { isSame, textOf } from '../contacts/grid/values.ts'
import { Button } from '../ui/button.tsx'

type Value = string | number | string[] | null

export interface FieldEditorProps {
  contact: Contact
  field: ColumnId
  /** Offered while typing. */
  choices: string[] | undefined
  /** Why the server did not take what was saved before. */
  refusal: string | undefined
  /** Who changed the contact last. */
  changedBy: string | null
  onSave: (value: Value) => void
  onEnd: (how: 'key' | 'pointer') => void
  onType: () => void
}

/**
 * Enter saves, Esc restores, leaving saves. Where somebody else changes the field meanwhile, leaving does nothing until
 * it has been said whose value stays.
 */
export function FieldEditor(props: FieldEditorProps) {
  const { contact, field, choices, refusal, changedBy, onSave, onEnd, onType } = props
  const { title, editor } = columnOf(field)
  const now = contact[field] as Value
  const [before, setBefore] = useState(now)
  const [text, setText] = useState(() => textOf(contact, field))
  const [fault, setFault] = useState<string>()
  const frame = useRef<HTMLDivElement>(null)
  const isOver = useRef(false)
  const id = useId()
  const isChangedElsewhere = !isSame(before, now)
  const message = fault ?? refusal

  const end = (how: 'key' | 'pointer') => {
    isOver.current = true
    onEnd(how)
  }
  const save = (how: 'key' | 'pointer') => {
    if (isOver.current) return
    const checked = checkedValue(field, text)
    if ('fault' in checked) return setFault(checked.fault)
    end(how)
    if (!isSame(checked.value, now)) onSave(checked.value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      save('key')
    } else if (event.key === 'Escape') {
      event.preventDefault()
      end('key')
    }
  }
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (isOver.current || frame.current?.contains(relatedTarget as Node | null) || isChangedElsewhere) return
    save('pointer')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is left is the input with its buttons, as one.
    <div ref={frame} className="field" onBlur={onBlur}>
      <label className="contact-field-name" htmlFor={id}>
        {title}
      </label>
      <input
        id={id}
        className="input"
        // biome-ignore lint/a11y/noAutofocus: it stands where the focus was.
        autoFocus
        onFocus={({ target }) => target.select()}
        type={field === 'email' ? 'email' : 'text'}
        inputMode={editor === 'number' ? 'decimal' : field === 'phone' ? 'tel' : undefined}
        autoComplete="off"
        value={text}
        {...(choices ? { list: `${id}-choices` } : {})}
        {...(message === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-fault` })}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value)
          setFault(undefined)
          if (refusal !== undefined) onType()
        }}
      />
      {choices ? (
        <datalist id={`${id}-choices`}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      ) : null}
      {field === 'tags' ? <span className="field-description">Between commas.</span> : null}
      {message === undefined ? null : (
        <p className="field-error" id={`${id}-fault`} role="alert">
          {message}
        </p>
      )}
      {isChangedElsewhere ? (
        <div className="contact-conflict" role="alert">
          <p>
            {changedBy === null ? 'Changed' : `Changed by ${changedBy}`} just now: {textOf(contact, field) || 'empty'}
          </p>
          <Button isSmall onPress={() => setBefore(now)}>
            Keep mine
          </Button>
          <Button isSmall onPress={() => end('key')}>
            Use theirs
          </Button>
        </div>
      ) : null}
    </div>
  )
}
