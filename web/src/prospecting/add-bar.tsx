import type { AddedPlaces } from '@server/prospecting/add-schema.ts'
import type { PlaceSource } from '@server/prospecting/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, post } from '../api/client.ts'
import { useSession } from '../app/session.ts'
import { useIsOnline } from '../contacts/use-browser.ts'
import { Button } from '../ui/button.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { counted } from '../ui/format.ts'
import { NamedChoice } from '../ui/named-choice.tsx'
import { TextField } from '../ui/text-field.tsx'
import { tagsFrom } from './place-words.ts'

export interface AddBarProps {
  source: PlaceSource
  ticked: ReadonlySet<string>
  isDisabled: boolean
  onAdded: (added: AddedPlaces) => void
}

/** Makes contacts of what is ticked, all with the same stage, label and tags: one action of the server. */
export function AddBar({ source, ticked, isDisabled, onAdded }: AddBarProps) {
  const { stages, labels } = useSession()
  const client = useQueryClient()
  const isOnline = useIsOnline()
  const [stage, setStage] = useState<string | null>(null)
  const [label, setLabel] = useState<string | null>(null)
  const [tags, setTags] = useState('')
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const add = async () => {
    setPending(true)
    setFailure(undefined)
    try {
      const wanted = { deal_stage: stage ?? undefined, label: label ?? undefined, tags: tagsFrom(tags) }
      onAdded(await post<AddedPlaces>('/places/add', { source: source.id, source_ids: [...ticked], ...wanted }))
      for (const key of ['places', 'contacts', 'imports']) void client.invalidateQueries({ queryKey: [key] })
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
    } finally {
      setPending(false)
    }
  }
  return (
    <form
      className="place-add"
      aria-label="Add to contacts"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) void add()
      }}
    >
      <div className="prospecting-row">
        <NamedChoice label="Stage" none="No stage" choices={stages} value={stage} onChange={setStage} />
        <NamedChoice label="Label" none="No label" choices={labels} value={label} onChange={setLabel} />
        <TextField label="Tags" placeholder="Tag, another tag" value={tags} onChange={setTags} />
      </div>
      {failure === undefined ? null : <FailureText failure={failure} title="The contacts were not added." />}
      <Button type="submit" variant="primary" isPending={isPending} isDisabled={isDisabled || !isOnline}>
        Add {counted(ticked.size, 'contact')}
      </Button>
    </form>
  )
}
