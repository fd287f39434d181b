import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { patch } from '../api/client.ts'
import { useSession } from '../app/session.ts'
import { type ChosenContact, ContactChoice } from '../tasks/contact-choice.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { Option, Select } from '../ui/select.tsx'
import { toast } from '../ui/toast.ts'

export interface SetStageDialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Makes a contact a deal, or moves one that is. */
export function SetStageDialog({ isOpen, onOpenChange }: SetStageDialogProps) {
  return (
    <Dialog title="Set a stage on a contact" isOpen={isOpen} onOpenChange={onOpenChange}>
      {(close) => <SetStage close={close} />}
    </Dialog>
  )
}

function SetStage({ close }: { close: () => void }) {
  const { stages } = useSession()
  const client = useQueryClient()
  const [contact, setContact] = useState<ChosenContact | null>(null)
  const [stage, setStage] = useState(stages[0]?.name ?? '')
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const submit = async () => {
    if (!contact) return
    setPending(true)
    setFailure(undefined)
    try {
      await patch(`/contacts/${contact.id}`, { deal_stage: stage })
      for (const key of ['deals', 'contacts']) void client.invalidateQueries({ queryKey: [key] })
      void client.invalidateQueries({ queryKey: ['contact', contact.id] })
      toast({ text: `${contact.name} is in ${stage}.` })
      close()
    } catch (err) {
      setFailure(err)
      setPending(false)
    }
  }
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <ContactChoice label="Contact" value={contact} onChange={setContact} autoFocus />
      <Select label="Stage" value={stage} onChange={(key) => setStage(String(key))}>
        {stages.map(({ name }) => (
          <Option key={name} id={name}>
            {name}
          </Option>
        ))}
      </Select>
      {failure === undefined ? null : <FailureText failure={failure} title="The stage was not set." />}
      <DialogActions>
        <Button onPress={close}>Cancel</Button>
        <Button variant="primary" type="submit" isDisabled={!contact || !stage} isPending={isPending}>
          Set stage
        </Button>
      </DialogActions>
    </form>
  )
}
