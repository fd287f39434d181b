import { SignIn } from '@server/members/schema.ts'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { get, post } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { enter } from './enter.ts'
import { EntryPage } from './entry-page.tsx'
import { ownPath } from './own-path.ts'
import { PasswordField } from './password-field.tsx'

export function SignInPage() {
  const router = useRouter()
  const navigate = useNavigate()
  const form = useForm(SignIn, {
    onSubmit: async (given) => {
      await post('/sign-in', given)
      await enter(router, ownPath(new URLSearchParams(window.location.search).get('to') ?? undefined))
    },
  })
  // Somebody who opens this page on a fresh server is in the wrong place.
  useEffect(() => {
    const stop = new AbortController()
    get<{ needed: boolean }>('/setup', { signal: stop.signal })
      .then(({ needed }) => (needed ? navigate({ to: '/setup', replace: true }) : undefined))
      .catch(() => {}) // Signing in says what is wrong.
    return () => stop.abort()
  }, [navigate])
  return (
    <EntryPage title="Sign in">
      <Form form={form} failureTitle="You are not signed in.">
        <TextField {...form.text('email')} label="Email" type="email" autoComplete="username" autoFocus />
        <PasswordField {...form.text('password')} label="Password" kind="current" />
        <Button type="submit" variant="primary" isPending={form.isPending}>
          Sign in
        </Button>
      </Form>
      <p className="secondary small">Forgotten your password? An admin of your organisation can give you a link.</p>
    </EntryPage>
  )
}
