import './dialog.css'
import { IconX } from '@tabler/icons-react'
import type { ReactElement, ReactNode } from 'react'
import { Button, DialogTrigger, Heading, Modal, ModalOverlay, Dialog as RacDialog } from 'react-aria-components'

export interface DialogProps {
  title: ReactNode
  /** The button that opens it. Without one, `isOpen` says. */
  trigger?: ReactElement | undefined
  isOpen?: boolean | undefined
  onOpenChange?: ((isOpen: boolean) => void) | undefined
  /** Takes the function that closes it where needed. Buttons go into `DialogActions`. */
  children: ReactNode | ((close: () => void) => ReactNode)
  /** 720 px instead of 480. */
  isWide?: boolean | undefined
  /** Neither Esc, nor a press beside it, nor an × closes it. */
  isFirm?: boolean | undefined
  role?: 'dialog' | 'alertdialog' | undefined
}

/** A modal window. The focus goes to the first control, or to what has `autoFocus`, and back when it closes. */
export function Dialog({ title, trigger, isOpen, onOpenChange, children, isWide, isFirm, role }: DialogProps) {
  const openness = {
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(onOpenChange ? { onOpenChange } : {}),
  }
  const overlay = (
    <ModalOverlay
      className="dialog-backdrop"
      isDismissable={!isFirm}
      isKeyboardDismissDisabled={isFirm ?? false}
      {...(trigger ? {} : openness)}
    >
      <Modal className={isWide ? 'dialog-frame dialog-wide' : 'dialog-frame'}>
        <RacDialog className="dialog" {...(role ? { role } : {})}>
          {({ close }) => (
            <>
              <div className="dialog-head">
                <Heading slot="title">{title}</Heading>
                {isFirm ? null : (
                  <Button
                    className="button button-quiet button-small button-icon"
                    aria-label="Close"
                    onPress={close}
                    excludeFromTabOrder
                  >
                    <IconX />
                  </Button>
                )}
              </div>
              <div className="dialog-body">{typeof children === 'function' ? children(close) : children}</div>
            </>
          )}
        </RacDialog>
      </Modal>
    </ModalOverlay>
  )
  if (!trigger) return overlay
  return (
    <DialogTrigger {...openness}>
      {trigger}
      {overlay}
    </DialogTrigger>
  )
}

/** The buttons at the end of a dialog, the main one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>
}
