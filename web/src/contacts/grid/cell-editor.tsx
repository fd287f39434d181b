import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Popover } from 'react-aria-components'
import '../../ui/button.css'
import { choicesFor, NO_CHOICE } from './choices.ts'
import { editorKeyDown, type Step } from './keys.ts'
import type { Parsed } from './values.ts'

export interface CellEditorProps {
  /** "Company of Ada Lovelace" */
  label: string
  initial: string
  /** The text was typed, and stands in place of what was there. */
  isTyped: boolean
  isNumber?: boolean | undefined
  /** Offered below; any other text is taken too. */
  choices?: readonly string[] | undefined
  check: (text: string) => Parsed
  /** The text that somebody else has saved here meanwhile. */
  theirs?: string | undefined
  onSave: (value: Value, moves: Step) => void
  onLeave: (refused?: { text: string; fault: string }) => void
}

type Value = string | number | string[] | null

/** An open cell: Enter saves and goes down, Tab saves and goes right, Esc restores; leaving it saves. */
export function CellEditor(props: CellEditorProps) {
  const { label, initial, isTyped, isNumber, choices, check, theirs, onSave, onLeave } = props
  const input = useRef<HTMLInputElement>(null)
  const ids = useId()
  const [text, setText] = useState(initial)
  const [fault, setFault] = useState<string>()
  const [isEdited, setEdited] = useState(isTyped)
  const [active, setActive] = useState(-1)
  const isDone = useRef(false)
  const offered = choices ? choicesFor(choices, isEdited ? text : '') : []

  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    if (!isTyped) input.current?.select()
  }, [isTyped])

  const save = (typed: string, moves: Step) => {
    const parsed = check(typed)
    if ('fault' in parsed) return setFault(parsed.fault)
    isDone.current = true
    onSave(parsed.value, moves)
  }
  const leave = (refused?: { text: string; fault: string }) => {
    isDone.current = true
    onLeave(refused)
  }
  const saveOnBlur = () => {
    if (isDone.current) return
    const parsed = check(text)
    if ('fault' in parsed) return leave({ text, fault: parsed.fault })
    isDone.current = true
    onSave(parsed.value, 'stay')
  }
  const keyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const { key, shiftKey, altKey } = event
    if (choices && (key === 'ArrowDown' || key === 'ArrowUp')) {
      event.preventDefault()
      const step = key === 'ArrowDown' ? 1 : -1
      return setActive((before) => nextActive(before, step, offered.length))
    }
    const end = editorKeyDown({ key, shift: shiftKey, ctrl: event.ctrlKey || event.metaKey, alt: altKey })
    if (!end) return
    event.preventDefault()
    if (!end.saves) return leave()
    const chosen = offered[active]
    save(chosen === undefined ? text : chosen === NO_CHOICE ? '' : chosen, end.moves)
  }
  const hasList = offered.length > 0
  return (
    <>
      <input
        ref={input}
        className="grid-editor"
        aria-label={label}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault || theirs !== undefined ? `${ids}-note` : undefined}
        inputMode={isNumber ? 'decimal' : undefined}
        autoComplete="off"
        spellCheck={false}
        value={text}
        {...(choices && {
          role: 'combobox',
          'aria-expanded': hasList,
          'aria-controls': `${ids}-list`,
          'aria-autocomplete': 'list' as const,
          'aria-activedescendant': active >= 0 ? `${ids}-${active}` : undefined,
        })}
        onChange={({ target }) => {
          setText(target.value)
          setEdited(true)
          setActive(-1)
          setFault(undefined)
        }}
        onKeyDown={keyDown}
        onBlur={saveOnBlur}
        onPaste={(event) => event.stopPropagation()}
        onCopy={(event) => event.stopPropagation()}
      />
      {fault !== undefined ? (
        <span id={`${ids}-note`} className="grid-bubble grid-bubble-danger" role="alert">
          {fault}
        </span>
      ) : theirs !== undefined ? (
        <span id={`${ids}-note`} className="grid-bubble" role="status" onMouseDown={(event) => event.preventDefault()}>
          <span>
            Changed just now to {theirs === '' ? 'nothing' : `“${theirs}”`}. Enter keeps yours, Esc takes theirs.
          </span>
          <span className="grid-bubble-actions">
            {/* Not ours: those take the focus, and leaving the editor saves. */}
            <button type="button" tabIndex={-1} className="button button-small" onClick={() => save(text, 'stay')}>
              Keep mine
            </button>
            <button type="button" tabIndex={-1} className="button button-small" onClick={() => leave()}>
              Use theirs
            </button>
          </span>
        </span>
      ) : null}
      {hasList ? (
        <Popover triggerRef={input} isOpen isNonModal placement="bottom start" offset={6} className="popover">
          <div
            id={`${ids}-list`}
            role="listbox"
            tabIndex={-1}
            aria-label={label}
            className="list grid-choices"
            onMouseDown={(event) => event.preventDefault()}
          >
            {offered.map((choice, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
              <div
                key={choice}
                id={`${ids}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                className="list-option"
                data-focused={at === active ? '' : undefined}
                onClick={() => save(choice === NO_CHOICE ? '' : choice, 'stay')}
              >
                {choice === NO_CHOICE ? 'None' : choice}
              </div>
            ))}
          </div>
        </Popover>
      ) : null}
    </>
  )
}

/** -1 is what was typed. */
function nextActive(before: number, step: number, choices: number): number {
  const next = before + step
  return next >= choices ? -1 : next < -1 ? choices - 1 : next
}
