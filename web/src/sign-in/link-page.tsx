/** What both kinds of one-time link share: a person, a new password, and then the app. */
import { LinkAcceptance, type OpenedLink } from '@server/members/schema.ts'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { post } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { LinkButton } from '../ui/link.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import { enter } from './enter.ts'
import { EntryPage } from './entry-page.tsx'
import { PasswordField } from './password-field.tsx'
import { useOneTimeLink } from './use-one-time-link.ts'

export interface LinkPageProps {
  kind: OpenedLink['kind']
  /** Before and after the link has been opened. */
  title: (link: OpenedLink | undefined) => string
  lead: (link: OpenedLink) => ReactNode
  submit: string
}

export function LinkPage({ kind, title, lead, submit }: LinkPageProps) {
  const state = useOneTimeLink(kind)
  if (state.is === 'open') {
    return (
      <EntryPage title={title(state.link)} lead={lead(state.link)}>
        <AcceptForm token={state.token} link={state.link} submit={submit} />
      </EntryPage>
    )
  }
  if (state.is === 'gone') {
    return (
      <EntryPage
        title="This link no longer works"
        lead="It has been used or has ended, or the address is not complete. Ask an admin for a new one."
      >
        <LinkButton to="/sign-in">Sign in</LinkButton>
      </EntryPage>
    )
  }
  return (
    <EntryPage title={title(undefined)}>
      {state.is === 'opening' ? (
        <SkeletonRows rows={3} label="Opening the link" />
      ) : (
        <ErrorState
          title="The link could not be opened."
          failure={state.failure}
          // The token is no longer in the address: the link has to be opened again.
        />
      )}
    </EntryPage>
  )
}

function AcceptForm({ token, link, submit }: { token: string; link: OpenedLink; submit: string }) {
  const router = useRouter()
  const isInvitation = link.kind === 'invitation'
  const form = useForm(LinkAcceptance, {
    initial: { token },
    onSubmit: async (given) => {
      await post('/links/accept', given)
      await enter(router, '/')
    },
  })
  return (
    <Form form={form} failureTitle="That did not work.">
      <TextField label="Email" type="email" autoComplete="username" value={link.email} isReadOnly />
      {isInvitation ? <TextField {...form.text('name')} label="Your name" autoComplete="name" autoFocus /> : null}
      <PasswordField {...form.text('password')} label="New password" kind="new" autoFocus={!isInvitation} />
      <Button type="submit" variant="primary" isPending={form.isPending}>
        {submit}
      </Button>
    </Form>
  )
}
