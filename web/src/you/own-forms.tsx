import { EmailChange, NameChange, PasswordChange } from '@server/members/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { patch, post } from '../api/client.ts'
import { PasswordField } from '../sign-in/password-field.tsx'
import { Button } from '../ui/button.tsx'
import { Form, FormActions, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'

export function NameForm({ name }: { name: string }) {
  const client = useQueryClient()
  const form = useForm(NameChange, {
    initial: { name },
    onSubmit: async (given) => {
      await patch('/me', given)
      toast({ text: 'Name saved.' })
      await refreshed(client)
    },
  })
  return (
    <Form form={form} failureTitle="The name was not saved.">
      <TextField {...form.text('name')} label="Your name" autoComplete="name" />
      <FormActions>
        <Button type="submit" isDisabled={!form.isChanged} isPending={form.isPending}>
          Save name
        </Button>
      </FormActions>
    </Form>
  )
}

export function EmailForm({ email }: { email: string }) {
  const client = useQueryClient()
  const form = useForm(EmailChange, {
    initial: { email },
    onSubmit: async (given) => {
      await patch('/me', given)
      toast({ text: `You sign in as ${given.email} from now on.` })
      form.reset({ email: given.email })
      await refreshed(client)
    },
  })
  return (
    <Form form={form} failureTitle="The address was not saved.">
      <TextField {...form.text('email')} label="Email" type="email" autoComplete="email" />
      {form.values.email === email ? null : (
        <PasswordField {...form.text('current_password')} label="Current password" kind="current" />
      )}
      <FormActions>
        <Button type="submit" isDisabled={form.values.email === email} isPending={form.isPending}>
          Save email
        </Button>
      </FormActions>
    </Form>
  )
}

export function PasswordForm({ email }: { email: string }) {
  const form = useForm(PasswordChange, {
    onSubmit: async (given) => {
      await post('/me/password', given)
      toast({ text: 'Password changed. You are signed out everywhere else.' })
      form.reset({})
    },
  })
  return (
    <Form form={form} failureTitle="The password was not changed.">
      {/* For password managers: whose password this is. */}
      <input
        className="visually-hidden"
        type="email"
        autoComplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField {...form.text('current_password')} label="Current password" kind="current" />
      <PasswordField {...form.text('new_password')} label="New password" kind="new" />
      <FormActions>
        <Button type="submit" isPending={form.isPending}>
          Change password
        </Button>
      </FormActions>
    </Form>
  )
}

function refreshed(client: ReturnType<typeof useQueryClient>): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: ['session'] }),
    client.invalidateQueries({ queryKey: ['members'] }),
  ])
}
