import '../sign-in/entry-page.css'
import type { Detail } from '@server/http/errors.ts'
import { FirstMember } from '@server/members/schema.ts'
import { SetUp } from '@server/orgs/setup-schema.ts'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Static, Type } from 'typebox'
import { ApiFailure, get, post } from '../api/client.ts'
import { EntryPage } from '../sign-in/entry-page.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'
import { Button } from '../ui/button.tsx'
import { Form, FormActions, useForm } from '../ui/form.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import type { FormState } from '../ui/use-form.ts'
import { guessedCurrency, guessedTimeZone } from './guesses.ts'
import { CurrencyField, TimeZoneField } from './place-fields.tsx'
import { StartWith } from './start-with.tsx'

/** The code is asked for with the organisation: both are one step. */
const FirstStep = Type.Object(
  { code: SetUp.properties.code, ...SetUp.properties.org.properties },
  { additionalProperties: false },
)

const LABELS = { code: 'Set-up code', name: 'Name', time_zone: 'Time zone' }

export function SetUpPage() {
  const isNeeded = useIsNeeded()
  const [step, setStep] = useState<1 | 2 | 3>(1)
  const [first, setFirst] = useState<Static<typeof FirstStep>>()
  /** What the server has against the first step, once the second has been sent. */
  const [refusal, setRefusal] = useState<Detail>()
  const organisation = useForm(FirstStep, {
    initial: { time_zone: guessedTimeZone(), currency: guessedCurrency(navigator.language) },
    labels: LABELS,
    onSubmit: (given) => {
      setFirst(given)
      setRefusal(undefined)
      setStep(2)
    },
  })
  const person = useForm(FirstMember, {
    onSubmit: async (member) => {
      const { code, ...org } = first!
      try {
        await post('/setup', { code, org, member })
        setStep(3)
      } catch (err) {
        const refused =
          err instanceof ApiFailure ? err.details.find(({ path }) => !path.startsWith('member/')) : undefined
        if (!refused) throw withoutPrefix(err)
        setRefusal(refused)
        setStep(1)
      }
    },
  })
  if (!isNeeded) {
    return (
      <EntryPage title="Set up Kith">
        <SkeletonRows rows={4} label="Loading" />
      </EntryPage>
    )
  }
  if (step === 1) return <OrganisationStep form={organisation} refusal={refusal} />
  if (step === 2) return <PersonStep form={person} onBack={() => setStep(1)} />
  return <StartWith />
}

/** Whoever comes here later, or by mistake, is sent on. */
function useIsNeeded(): boolean {
  const router = useRouter()
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    get<{ needed: boolean }>('/setup', { signal: stop.signal })
      .then(({ needed }) => (needed ? setNeeded(true) : router.history.replace('/')))
      // The form says so again when it is sent, and better than an empty page does.
      .catch(() => stop.signal.aborted || setNeeded(true))
    return () => stop.abort()
  }, [router])
  return isNeeded
}

function OrganisationStep({ form, refusal }: { form: FormState; refusal: Detail | undefined }) {
  const isCode = refusal?.path === 'code'
  return (
    <EntryPage
      step="Step 1 of 3"
      title="Organisation"
      lead="This server is new. Its output has a code, on the line that begins “Set-up code”: it proves that the server is yours."
    >
      <Form form={form} failureTitle="The server is not set up.">
        {refusal && !isCode ? (
          <p className="failure" role="alert">
            {refusal.message}
          </p>
        ) : null}
        <TextField
          {...form.text('code')}
          {...(isCode && form.faults.length === 0 ? { isInvalid: true, errorMessage: refusal.message } : {})}
          label="Set-up code"
          autoComplete="off"
          spellCheck="false"
          placeholder="XXXX-XXXX-XXXX-XXXX"
          autoFocus
        />
        <TextField {...form.text('name')} label="Name" autoComplete="organization" />
        <TimeZoneField {...form.text('time_zone')} />
        <CurrencyField {...form.text('currency')} />
        <FormActions>
          <Button type="submit" variant="primary">
            Continue
          </Button>
        </FormActions>
      </Form>
    </EntryPage>
  )
}

function PersonStep({ form, onBack }: { form: FormState; onBack: () => void }) {
  return (
    <EntryPage step="Step 2 of 3" title="You" lead="You become the first admin. You can invite others afterwards.">
      <Form form={form} failureTitle="The server is not set up.">
        <TextField {...form.text('name')} label="Your name" autoComplete="name" autoFocus />
        <TextField {...form.text('email')} label="Email" type="email" autoComplete="username" />
        <PasswordField {...form.text('password')} label="Password" kind="new" />
        <FormActions>
          <Button onPress={onBack}>Back</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            Continue
          </Button>
        </FormActions>
      </Form>
    </EntryPage>
  )
}

/** The server's paths begin with the part of the set-up, the form's with its fields. */
function withoutPrefix(err: unknown): unknown {
  if (!(err instanceof ApiFailure)) return err
  const { status, code, message, requestId, retryAfterS } = err
  const details = err.details.map((detail) => ({ ...detail, path: detail.path.replace(/^member\//, '') }))
  return new ApiFailure({ status, code, message, details, requestId, retryAfterS, cause: err })
}
