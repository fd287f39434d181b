import type { AddedPlaces } from '@server/prospecting/add-schema.ts'
import { IconArrowBackUp, IconCircleCheck, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { isWorking } from '../imports/import-words.ts'
import { UndoDialog } from '../imports/undo-dialog.tsx'
import { useImport } from '../imports/use-imports.ts'
import { Button } from '../ui/button.tsx'
import { counted } from '../ui/format.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { LinkButton } from '../ui/link.tsx'
import { addedSentence } from './place-words.ts'

export interface AddedProps {
  added: AddedPlaces
  onClose: () => void
}

/** Says how many were added, and takes them back where that is wanted. */
export function Added({ added, onClose }: AddedProps) {
  return (
    <section className="place-added" aria-label="Added">
      <IconCircleCheck aria-hidden="true" />
      {added.import_id === null ? (
        <Line>{addedSentence(0, added.already.length, added.gone.length)}</Line>
      ) : (
        <Import added={added} id={added.import_id} />
      )}
      <IconButton label="Close message" isSmall onPress={onClose}>
        <IconX />
      </IconButton>
    </section>
  )
}

/** The server may still be at it. */
function Import({ added: { added, already, gone }, id }: { added: AddedProps['added']; id: string }) {
  const { data: job } = useImport(id)
  const [isAsked, setAsked] = useState(false)
  const { state = 'done', counts, undone, can_undo: canUndo = false } = job ?? {}
  if (state === 'undone') return <Line>Undone: {counted(undone?.removed ?? 0, 'contact')} removed.</Line>
  return (
    <>
      <Line>
        {addedSentence(Math.max(counts?.rows_added ?? 0, added), already.length, gone.length)}
        {state === 'running' ? ' Adding the others…' : null}
      </Line>
      <LinkButton isSmall to="/contacts" search={{ import: id }}>
        See them
      </LinkButton>
      <Button
        isSmall
        icon={<IconArrowBackUp aria-hidden="true" />}
        isPending={isWorking(state)}
        isDisabled={!canUndo && !isWorking(state)}
        onPress={() => setAsked(true)}
      >
        Undo
      </Button>
      {isAsked && job ? <UndoDialog id={id} name={job.file_name} onClose={() => setAsked(false)} /> : null}
    </>
  )
}

/** It takes the focus when it appears: the button that led to it has gone. */
function Line({ children }: { children: React.ReactNode }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => line.current?.focus(), [])
  return (
    <p ref={line} tabIndex={-1} role="status">
      {children}
    </p>
  )
}
