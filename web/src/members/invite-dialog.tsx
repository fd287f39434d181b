import { type MadeLink, NewInvitation, ROLES, type Role } from '@server/members/schema.ts'
import { post } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Radio, RadioGroup } from '../ui/radio-group.tsx'
import { TextField } from '../ui/text-field.tsx'

const ROLE_TEXTS: Record<Role, [name: string, rights: string]> = {
  admin: ['Admin', 'Members, API keys, webhooks and the organisation too.'],
  member: ['Member', 'Contacts, deals, tasks and imports.'],
}

export interface InviteDialogProps {
  onClose: () => void
  onMade: (made: MadeLink & { email: string }) => void
}

export function InviteDialog({ onClose, onMade }: InviteDialogProps) {
  const form = useForm(NewInvitation, {
    initial: { role: 'member' },
    onSubmit: async (given) => onMade({ ...(await post<MadeLink>('/invitations', given)), email: given.email }),
  })
  return (
    <Dialog title="Invite somebody" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <Form form={form} failureTitle="The invitation was not made.">
        <TextField {...form.text('email')} label="Email" type="email" autoComplete="off" autoFocus />
        <RadioGroup {...form.field<string>('role')} label="Role">
          {ROLES.toReversed().map((role) => (
            <Radio key={role} value={role} description={ROLE_TEXTS[role][1]}>
              {ROLE_TEXTS[role][0]}
            </Radio>
          ))}
        </RadioGroup>
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            Make link
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
