import './form.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { Form as RacForm } from 'react-aria-components'
import { FailureText } from './error-state.tsx'
import type { FieldFault } from './form-faults.ts'
import type { FormState } from './use-form.ts'

export interface FormProps {
  form: FormState
  children: ReactNode
  /** Says what failed where the server gives no words of its own: "The contact was not saved." */
  failureTitle?: string | undefined
  className?: string | undefined
  /** Fields show their faults under themselves; this is for a form of one field that says it elsewhere. */
  label?: string | undefined
}

/**
 * A form around fields that have a `name` of the schema. When it is refused it keeps the values, moves the focus to the
 * first wrong field, and lists the faults where there are more than two. Ctrl or ⌘ with Enter submits it too (shortcuts.ts).
 */
export function Form({ form, children, failureTitle, className, label }: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const { faults, failure, refusals } = form
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal moves the focus once.
  useEffect(() => {
    if (refusals > 0) focusFirst(element.current, faults)
  }, [refusals])
  const unplaced = faults.filter(({ field }) => field === '')
  return (
    <RacForm
      ref={element}
      className={className ?? 'form'}
      {...(label ? { 'aria-label': label } : {})}
      validationBehavior="aria"
      validationErrors={Object.fromEntries(faults.map(({ field, message }) => [field, message]))}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void form.submit()
      }}
    >
      {faults.length > 2 ? (
        <div className="form-faults" role="alert">
          <p>{faults.length} fields need a change:</p>
          <ul>
            {faults.map((fault) => (
              <li key={fault.field}>
                <button type="button" onClick={() => focusFirst(element.current, [fault])}>
                  {fault.message}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ) : (
        unplaced.map(({ message }) => (
          <p key={message} className="failure" role="alert">
            {message}
          </p>
        ))
      )}
      {failure === undefined ? null : <FailureText failure={failure} title={failureTitle} />}
      {children}
    </RacForm>
  )
}

/** The buttons at the end of a form, the main one last. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="form-actions">{children}</div>
}

const CONTROL = 'input:not([type="hidden"]), textarea, select, button, [tabindex]'

/** Of the fields with a fault the one that stands first on the page. */
function focusFirst(form: HTMLFormElement | null, faults: FieldFault[]): void {
  const fields = faults.filter(({ field }) => field).map(({ field }) => `[data-field="${CSS.escape(field)}"]`)
  if (!form || fields.length === 0) return
  const field = form.querySelector(fields.join(','))
  const controls = field?.matches(CONTROL) ? [field] : [...(field?.querySelectorAll(CONTROL) ?? [])]
  const control = controls.find((candidate) => !candidate.closest('[aria-hidden="true"], [inert]'))
  if (control instanceof HTMLElement) control.focus()
}

export { useForm } from './use-form.ts'
