import './shown-once.css'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'

export interface ShownOnceProps {
  title: string
  /** What the text is called: "Key". */
  label: string
  /** Lives in the state of whoever opens this, and nowhere else. */
  value: string
  /** "Copy this key now. It will not be shown again." */
  intro: string
  /** What becomes of somebody who closes without a copy. */
  warning: string
  onClose: () => void
  /** How to use it. */
  children?: ReactNode
  isWide?: boolean | undefined
}

/** A secret that is shown this once: closing before it was copied asks first. */
export function ShownOnce({ title, label, value, intro, warning, onClose, children, isWide }: ShownOnceProps) {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Dialog
        title={title}
        isOpen
        isWide={isWide}
        onOpenChange={(isOpen) => {
          if (isOpen) return
          if (isCopied) onClose()
          else setAsking(true)
        }}
      >
        <p className="shown-once-intro">{intro}</p>
        <FocusFirst>
          <CopyField label={label} value={value} onCopied={() => setCopied(true)} />
        </FocusFirst>
        {children}
        <DialogActions>
          <Button variant="primary" onPress={onClose}>
            I have stored it
          </Button>
        </DialogActions>
      </Dialog>
      <ConfirmDialog
        title="Close without copying?"
        confirm="Close without copying"
        cancel="Go back"
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={onClose}
      >
        {warning}
      </ConfirmDialog>
    </>
  )
}

/** The window takes the place of another one, which has had the focus. */
function FocusFirst({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.querySelector('input')?.focus(), [])
  return <div ref={frame}>{children}</div>
}
