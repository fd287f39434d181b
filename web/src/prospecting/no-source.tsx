import type { PlaceSource, PlaceSources } from '@server/prospecting/schema.ts'
import { IconMapPinOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure, post } from '../api/client.ts'
import { useIsAdmin } from '../app/session.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { OwnFile } from './own-file.tsx'

/** While there is nothing to search in: what an operator can do about it, and what one can do oneself. */
export function NoSource({ onSource }: { onSource: (source: PlaceSource) => void }) {
  const isAdmin = useIsAdmin()
  return (
    <div className="prospecting-no-source">
      <EmptyState
        icon={<IconMapPinOff aria-hidden="true" />}
        title="No places to search in yet."
        actions={isAdmin ? <LoadSample onSource={onSource} /> : null}
      >
        Whoever runs this server adds them for everybody: with <code>kith places load</code> and a file, or with an
        Overpass server of OpenStreetMap.
      </EmptyState>
      <h2>Use your own file</h2>
      <OwnFile onSource={onSource} />
    </div>
  )
}

function LoadSample({ onSource }: { onSource: (source: PlaceSource) => void }) {
  const client = useQueryClient()
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const load = async () => {
    setPending(true)
    setFailure(undefined)
    try {
      const source = await post<PlaceSource>('/places/sample')
      client.setQueryData<PlaceSources>(['places', 'sources'], (before) => ({
        data: [...(before?.data ?? []).filter(({ id }) => id !== source.id), source],
      }))
      onSource(source)
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
      setPending(false)
    }
  }
  return (
    <>
      <Button variant="primary" isPending={isPending} onPress={() => void load()}>
        Load sample places
      </Button>
      {failure === undefined ? null : <FailureText failure={failure} title="The sample places were not loaded." />}
    </>
  )
}
