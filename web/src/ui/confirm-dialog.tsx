import { type ReactElement, type ReactNode, useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { FailureText } from './error-state.tsx'
import { TextField } from './text-field.tsx'

export interface ConfirmDialogProps {
  /** A question that names the thing: "Delete Ada Lovelace?". */
  title: string
  /** What it will do, and that it cannot be undone. */
  children: ReactNode
  /** The verb and its noun: "Delete contact". */
  confirm: string
  /** Must resolve when it is done: then the dialog closes. What it throws is shown in the dialog. */
  onConfirm: () => Promise<unknown> | unknown
  cancel?: string | undefined
  /** What has to be typed first: the number of records, where more than 10 are deleted. */
  typed?: string | undefined
  isDanger?: boolean | undefined
  trigger?: ReactElement | undefined
  isOpen?: boolean | undefined
  onOpenChange?: ((isOpen: boolean) => void) | undefined
}

/** Asks before what cannot be taken back. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, trigger, isOpen, onOpenChange } = props
  return (
    <Dialog title={title} role="alertdialog" trigger={trigger} isOpen={isOpen} onOpenChange={onOpenChange}>
      {(close) => <Question {...props} close={close} />}
    </Dialog>
  )
}

function Question({
  children,
  confirm,
  onConfirm,
  cancel = 'Cancel',
  typed,
  isDanger = true,
  close,
}: ConfirmDialogProps & { close: () => void }) {
  const [text, setText] = useState('')
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isReady = typed === undefined || text.trim().replaceAll(/[\s,.]/g, '') === typed.replaceAll(/[\s,.]/g, '')
  const run = async () => {
    setPending(true)
    setFailure(undefined)
    try {
      await onConfirm()
      close()
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
      setPending(false)
    }
  }
  return (
    <>
      <div>{children}</div>
      {typed === undefined ? null : (
        <TextField label={`Type ${typed} to go on`} value={text} onChange={setText} autoComplete="off" />
      )}
      {failure === undefined ? null : <FailureText failure={failure} />}
      <DialogActions>
        <Button autoFocus onPress={close}>
          {cancel}
        </Button>
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          isDisabled={!isReady}
          isPending={isPending}
          onPress={() => void run()}
        >
          {confirm}
        </Button>
      </DialogActions>
    </>
  )
}
