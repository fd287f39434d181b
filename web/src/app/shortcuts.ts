/** One listener for all keys; which command they mean is in key-sequence.ts. */
import { commands } from './commands.ts'
import { keysText, NO_SEQUENCE, nextKey } from './key-sequence.ts'
import { preferences } from './preferences.ts'

/** @param open what to do with a command that is a page */
export function startShortcuts(open: (href: string) => void): () => void {
  let state = NO_SEQUENCE
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat || isModifier(event.key)) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey) return submitForm(event)
    const bound = commands().filter(({ keys }) => keys)
    const isPlainAllowed = preferences().singleKeys && !takesText(event.target) && !isOverPage()
    const bindings = bound.map(({ keys }) => keys!)
    const found = nextKey(state, event, bindings, { nowMs: event.timeStamp, isPlainAllowed })
    state = found.state
    const command = bound.find(({ keys }) => keys === found.binding)
    if (!command) return
    event.preventDefault()
    if (command.href) open(command.href)
    else command.run?.()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

/** As this keyboard has them: "Ctrl K" or "⌘K". */
export function shownKeys(keys: string): string {
  return keysText(keys, isApple)
}

/** Moves the focus to the search of the page, if it has one. */
export function focusPageSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[data-page-search]')
  field?.focus()
  field?.select()
}

/** Ctrl or ⌘ with Enter: the form that the focus is in, else the one of the open dialog, else the first of the page. */
function submitForm(event: KeyboardEvent): void {
  const own = event.target instanceof Element ? event.target.closest('form') : null
  const form = own ?? document.querySelector<HTMLFormElement>('.dialog form') ?? document.querySelector('main form')
  if (!form) return
  event.preventDefault()
  form.requestSubmit()
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Meta' || key === 'Alt'
}

/** In lists of choices letters look for a line. */
const TAKES_TEXT =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"], ' +
  '[role="textbox"], [role="combobox"], [role="spinbutton"], [role="menu"], [role="listbox"], [data-editing]'

function takesText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TAKES_TEXT) !== null
}

/** What the keys of a page act on is behind a dialog or a menu. */
function isOverPage(): boolean {
  return document.querySelector('.dialog-backdrop, .popover') !== null
}
