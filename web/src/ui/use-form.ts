import { type Check, compileCheck } from '@server/http/check.ts'
import type { Detail } from '@server/http/errors.ts'
import { useRef, useState } from 'react'
import type { Static, TSchema } from 'typebox'
import { ApiFailure } from '../api/client.ts'
import { type FieldFault, fieldFaults } from './form-faults.ts'

export type FormValues = Record<string, unknown>

export interface FormOptions<S extends TSchema> {
  initial?: FormValues | undefined
  /** How fields are called on the page, where that is not their name in words. */
  labels?: Record<string, string> | undefined
  /** Receives what the schema's check has made of the values: trimmed, empty as null. A 422 is shown at the fields. */
  onSubmit: (value: Static<S>) => Promise<unknown> | unknown
}

export interface FormState {
  values: FormValues
  set: (field: string, value: unknown) => void
  /** `{...form.text('email')}`: name, value and onChange of a field of text. */
  text: (field: string) => { name: string; value: string; onChange: (value: string) => void }
  /** The same for a `NumberField`: empty is null. */
  number: (field: string) => { name: string; value: number; onChange: (value: number) => void }
  /** The same for what holds another kind of value. */
  field: <T>(field: string) => { name: string; value: T; onChange: (value: T) => void }
  faults: FieldFault[]
  /** What is wrong with no field of it: the server is away, or refuses for another reason. */
  failure: unknown
  isPending: boolean
  isChanged: boolean
  submit: () => Promise<void>
  reset: (values?: FormValues) => void
  /** Counts the refused tries; `Form` moves the focus at each. */
  refusals: number
}

/** The values of a form, checked by the server's own schema and by the server. */
export function useForm<S extends TSchema>(schema: S, { initial = {}, labels, onSubmit }: FormOptions<S>): FormState {
  const [start, setStart] = useState(initial)
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<FieldFault[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const latest = useRef(values)
  const isRunning = useRef(false)

  const change = (next: FormValues) => {
    latest.current = next
    setValues(next)
  }
  const set = (field: string, value: unknown) => {
    change({ ...latest.current, [field]: value })
    setFaults((before) => before.filter((fault) => fault.field !== field))
  }
  const refuse = (details: Detail[], cause?: unknown) => {
    setFaults(fieldFaults(details, labels))
    setFailure(details.length === 0 ? cause : undefined)
    setRefusals((count) => count + 1)
  }
  const submit = async () => {
    if (isRunning.current) return
    const found: Detail[] = []
    const value = checkOf(schema)(latest.current, found)
    if (found.length > 0) return refuse(found)
    isRunning.current = true
    setPending(true)
    setFaults([])
    setFailure(undefined)
    try {
      await onSubmit(value)
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      refuse(err instanceof ApiFailure ? err.details : [], err)
    } finally {
      isRunning.current = false
      setPending(false)
    }
  }
  const field = <T>(name: string) => ({ name, value: values[name] as T, onChange: (value: T) => set(name, value) })
  return {
    values,
    set,
    field,
    text: (name) => ({ ...field<string>(name), value: String(values[name] ?? '') }),
    number: (name) => ({
      name,
      value: typeof values[name] === 'number' ? values[name] : Number.NaN,
      onChange: (value) => set(name, Number.isNaN(value) ? null : value),
    }),
    faults,
    failure,
    isPending,
    isChanged: Object.keys(values).some((key) => !Object.is(values[key], start[key])),
    submit,
    reset: (next = start) => {
      setStart(next)
      change(next)
      setFaults([])
      setFailure(undefined)
    },
    refusals,
  }
}

const checks = new WeakMap<TSchema, Check<unknown>>()

function checkOf<S extends TSchema>(schema: S): Check<Static<S>> {
  let check = checks.get(schema)
  if (!check) {
    check = compileCheck(schema)
    checks.set(schema, check)
  }
  return check as Check<Static<S>>
}
