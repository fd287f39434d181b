import type { Contact } from '@server/contacts/schema.ts'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { count, counted } from '../ui/format.ts'
import { toast } from '../ui/toast.ts'
import type { Patch } from './grid/edits.ts'
import type { Paste } from './grid/paste.ts'

const AT_ONCE = 4
const FAULTS_SHOWN = 5

type Save = (contact: Contact, patch: Patch) => Promise<boolean>

/** Asks before several cells are changed by a paste. */
export function PasteDialog({ paste, onSave, onClose }: { paste: Paste; onSave: Save; onClose: () => void }) {
  const { changes, cells, faults, isCut } = paste
  const [isPending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    const saved = await saveAll(changes, onSave)
    onClose()
    if (saved.length === 0) return
    toast({
      text: `${counted(saved.length, 'contact')} changed.`,
      undo: () =>
        saveAll(
          saved.map(({ contact, patch }) => ({ contact, patch: before(contact, patch) })),
          onSave,
        ),
    })
  }
  const hasChanges = changes.length > 0
  return (
    <Dialog
      title={hasChanges ? 'Paste these cells?' : 'Nothing to paste'}
      role="alertdialog"
      isOpen
      onOpenChange={onClose}
    >
      <p>
        {hasChanges
          ? `This changes ${counted(cells, 'cell')} of ${counted(changes.length, 'contact')}.`
          : 'The cells hold these values already, or cannot take them.'}
      </p>
      {isCut ? <p>What reaches beyond the grid, or into columns that the server sets, is left out.</p> : null}
      {faults.length > 0 ? (
        <>
          <p>{counted(faults.length, 'value')} will be left out:</p>
          <ul className="paste-faults">
            {faults.slice(0, FAULTS_SHOWN).map(({ row, title, text, fault }) => (
              <li key={`${row} ${title}`}>
                Row {count(row + 1)}, {title}: “{text}”. {fault}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <DialogActions>
        <Button onPress={onClose}>{hasChanges ? 'Cancel' : 'Close'}</Button>
        {hasChanges ? (
          <Button variant="primary" autoFocus isPending={isPending} onPress={() => void run()}>
            Paste {counted(cells, 'cell')}
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  )
}

/** @returns those that the server has saved */
async function saveAll(changes: Paste['changes'], onSave: Save): Promise<Paste['changes']> {
  const saved: Paste['changes'] = []
  const left = [...changes]
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      if (await onSave(next.contact, next.patch)) saved.push(next)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return saved
}

function before(contact: Contact, patch: Patch): Patch {
  return Object.fromEntries(Object.keys(patch).map((field) => [field, contact[field as keyof Contact]]))
}
