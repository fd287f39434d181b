import { Type } from 'typebox'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, FormActions, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/text-field.tsx'

const ViewName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false })

/** Asks how a view is to be called. */
export default function ViewNameDialog({
  title,
  submit,
  name,
  onName,
  onClose,
}: {
  title: string
  submit: string
  name: string
  onName: (name: string) => Promise<unknown>
  onClose: () => void
}) {
  const form = useForm(ViewName, { initial: { name }, onSubmit: (value) => onName(value.name) })
  return (
    <Dialog title={title} isOpen onOpenChange={onClose}>
      <Form form={form} failureTitle="The view was not saved.">
        <TextField label="Name" autoFocus {...form.text('name')} />
        <FormActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {submit}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  )
}
