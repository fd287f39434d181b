import { SignIn } from '@server/members/schema.ts'
import { post } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'
import { PasswordField } from './password-field.tsx'

export interface SignInAgainDialogProps {
  /** Whose session has ended. */
  email: string
  onSignedIn: () => void
}

/** Over the page, so that what has been typed there stays. */
export function SignInAgainDialog({ email, onSignedIn }: SignInAgainDialogProps) {
  const form = useForm(SignIn, {
    initial: { email },
    onSubmit: async (given) => {
      await post('/sign-in', given)
      onSignedIn()
    },
  })
  return (
    <Dialog title="Sign in again" isOpen isFirm>
      <p>Your session has ended. What you have typed on the page is still there.</p>
      <Form form={form} failureTitle="You are not signed in.">
        <TextField {...form.text('email')} label="Email" type="email" autoComplete="username" isReadOnly />
        <PasswordField {...form.text('password')} label="Password" kind="current" autoFocus />
        <DialogActions>
          <Button onPress={() => window.location.assign('/sign-in')}>Leave the page</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            Sign in
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
