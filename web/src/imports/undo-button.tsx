import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { UndoDialog } from './undo-dialog.tsx'

export function UndoButton({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<IconArrowBackUp aria-hidden="true" />} onPress={() => setOpen(true)}>
        Undo import
      </Button>
      {isOpen ? <UndoDialog id={id} name={name} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
