import './toast.css'
import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import { closeToast, TOAST_MS, type Toast, useToasts } from './toast.ts'

/** In the page once, for all of its life. */
export function ToastRegion() {
  const toasts = useToasts()
  return (
    // Not hidden from readers, nor closed by a press, while a dialog is open.
    <section className="toasts" aria-label="Messages" data-react-aria-top-layer="true">
      <div role="status" aria-live="polite">
        {toasts
          .filter(({ tone }) => tone !== 'danger')
          .map((toast) => (
            <Message key={toast.id} toast={toast} />
          ))}
      </div>
      <div role="alert">
        {toasts
          .filter(({ tone }) => tone === 'danger')
          .map((toast) => (
            <Message key={toast.id} toast={toast} />
          ))}
      </div>
    </section>
  )
}

function Message({ toast: { id, text, undo, action, tone } }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  const isLasting = tone === 'danger'
  useEffect(() => {
    if (isHeld || isLasting) return
    const timer = setTimeout(() => closeToast(id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld, isLasting])
  const run = (work: () => unknown) => () => {
    closeToast(id)
    void work()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hover and focus stop its clock; its buttons do the rest.
    <div
      className={isLasting ? 'toast toast-danger' : 'toast'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {isLasting ? <IconAlertTriangle aria-hidden="true" /> : <IconCircleCheck aria-hidden="true" />}
      <p>{text}</p>
      {undo ? (
        <Button isSmall variant="quiet" onPress={run(undo)}>
          Undo
        </Button>
      ) : null}
      {action ? (
        <Button isSmall variant="quiet" onPress={run(action.run)}>
          {action.text}
        </Button>
      ) : null}
      <IconButton label="Close message" isSmall onPress={() => closeToast(id)}>
        <IconX />
      </IconButton>
    </div>
  )
}
