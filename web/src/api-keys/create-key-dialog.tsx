import { ApiKeyInput, type MadeApiKey } from '@server/tokens/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../api/client.ts'
import { useApiUrl } from '../app/session.ts'
import { quoted } from '../ui/api-call.ts'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, FormActions, useForm } from '../ui/form.tsx'
import { Radio, RadioGroup } from '../ui/radio-group.tsx'
import { TextField } from '../ui/text-field.tsx'
import { ShownOnce } from './shown-once.tsx'

/** Asks for name and rights, then shows the key this once. It is kept in this component's state alone. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<MadeApiKey>()
  const apiUrl = useApiUrl()
  if (!made) return <KeyForm onMade={setMade} onClose={onClose} />
  const command = `curl ${quoted(`${apiUrl}/contacts?limit=5`)} \\\n  -H ${quoted(`Authorization: Bearer ${made.token}`)}`
  return (
    <ShownOnce
      title={`The key for ${made.name}`}
      label="Key"
      value={made.token}
      intro="Copy this key now. It will not be shown again."
      warning="The key is not shown again. You would have to create another one."
      onClose={onClose}
      isWide
    >
      <CopyField label="Try it" value={command} isMultiline />
    </ShownOnce>
  )
}

function KeyForm({ onMade, onClose }: { onMade: (made: MadeApiKey) => void; onClose: () => void }) {
  const client = useQueryClient()
  const form = useForm(ApiKeyInput, {
    initial: { name: '', scopes: ['read', 'write'] },
    labels: { scopes: 'Rights' },
    onSubmit: async (input) => {
      onMade(await post<MadeApiKey>('/tokens', input))
      void client.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
  const scopes = form.field<string[]>('scopes')
  return (
    <Dialog title="Create key" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <Form form={form} failureTitle="The key was not created.">
        <TextField label="Name" description="The program that will use it." autoFocus {...form.text('name')} />
        <RadioGroup
          label="Rights"
          name="scopes"
          value={scopes.value.join(',')}
          onChange={(value) => scopes.onChange(value.split(','))}
        >
          <Radio value="read" description="Lists and shows contacts, deals and tasks.">
            Read
          </Radio>
          <Radio value="read,write" description="Also adds, changes and deletes them.">
            Read and write
          </Radio>
        </RadioGroup>
        <FormActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            Create key
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
