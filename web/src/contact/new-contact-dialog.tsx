import type { Duplicate } from '@server/contacts/grid-schema.ts'
import { type Contact, ContactInput } from '@server/contacts/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { useSession } from '../app/session.ts'
import { nameOf } from '../contacts/grid/cell.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { LinkButton } from '../ui/link.tsx'
import { NamedChoice } from '../ui/named-choice.tsx'
import { NumberField } from '../ui/number-field.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { useForm } from '../ui/use-form.ts'
import { duplicateText } from './contact-words.ts'

export interface NewContactDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** What is known of it already, such as the name that was searched for. */
  initial?: { full_name?: string | undefined } | undefined
}

/** Adds a contact, after a word about those that it may repeat. */
export function NewContactDialog({ isOpen, onOpenChange, initial }: NewContactDialogProps) {
  return (
    <Dialog title="New contact" isOpen={isOpen} onOpenChange={onOpenChange}>
      {(close) => <NewContact close={close} fullName={initial?.full_name} />}
    </Dialog>
  )
}

interface Asked {
  duplicates: Duplicate[]
  /** What they are possible duplicates of: another name or address is looked for again. */
  of: string
}

const keyOf = ({ full_name, company, email }: Partial<ContactInput>) => JSON.stringify([full_name, company, email])

function NewContact({ close, fullName }: { close: () => void; fullName: string | undefined }) {
  const { stages, labels } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  const form = useForm(ContactInput, {
    initial: { full_name: fullName ?? '', deal_stage: null, deal_value: null, label: null },
    labels: { full_name: 'Name', deal_stage: 'Stage', deal_value: 'Value' },
    onSubmit: async (input) => {
      const key = keyOf(input)
      if (asked?.of !== key) {
        const { full_name, company, email } = input
        const { data } = await post<{ data: Duplicate[] }>('/contacts/duplicates', {
          ...(full_name && { full_name }),
          ...(company && { company }),
          ...(email && { email }),
        })
        setAsked({ duplicates: data, of: key })
        if (data.length > 0) return
      }
      await create(input)
    },
  })
  const create = async (input: ContactInput) => {
    const contact = await post<Contact>('/contacts', input)
    client.setQueryData(['contact', contact.id], contact)
    for (const key of ['contacts', 'deals']) void client.invalidateQueries({ queryKey: [key] })
    close()
    toast({
      text: `${nameOf(contact)} was created.`,
      action: { text: 'Open contact', run: () => navigate({ to: '/contacts/$id', params: { id: contact.id } }) },
    })
  }
  const duplicates = asked?.duplicates ?? []
  return (
    <Form form={form} failureTitle="The contact was not created.">
      <TextField label="Name" autoFocus autoComplete="off" {...form.text('full_name')} />
      <TextField label="Company" autoComplete="off" {...form.text('company')} />
      <TextField label="Email" type="email" isOptional autoComplete="off" {...form.text('email')} />
      <TextField label="Phone" type="tel" isOptional autoComplete="off" {...form.text('phone')} />
      <TextField label="Location" isOptional autoComplete="off" {...form.text('location')} />
      <NamedChoice label="Stage" none="No stage" choices={stages} {...form.field<string | null>('deal_stage')} />
      <NumberField label="Value" isOptional {...form.number('deal_value')} />
      <NamedChoice label="Label" none="No label" choices={labels} {...form.field<string | null>('label')} />
      {duplicates.length > 0 ? (
        <div className="failure" role="alert">
          <ul>
            {duplicates.map((duplicate) => (
              <li key={duplicate.id}>
                {duplicateText(duplicate, { email: String(form.values.email ?? '') })}{' '}
                <LinkButton isSmall to="/contacts/$id" params={{ id: duplicate.id }} onPress={close}>
                  Open it
                </LinkButton>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <DialogActions>
        <Button onPress={close}>Cancel</Button>
        <Button variant="primary" type="submit" isPending={form.isPending}>
          {duplicates.length > 0 ? 'Create anyway' : 'Create contact'}
        </Button>
      </DialogActions>
    </Form>
  )
}
