import type { PlaceSource, PlaceSources } from '@server/prospecting/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { Dialog } from '../ui/dialog.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { FileDrop } from '../ui/file-drop.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { uploadPlaces } from './use-places.ts'

const TYPES = ['.geojson', '.json', '.geojsonl', '.jsonl', '.ndjson', '.csv', 'application/geo+json', 'text/csv']

export interface OwnFileProps {
  onSource: (source: PlaceSource) => void
}

/** Places from a file of one's own, for as long as one is signed in. */
export function OwnFile({ onSource }: OwnFileProps) {
  const client = useQueryClient()
  const [name, setName] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const send = async (file: File) => {
    setName(file.name)
    setFailure(undefined)
    try {
      const source = await uploadPlaces(file)
      client.setQueryData<PlaceSources>(['places', 'sources'], (before) => ({
        data: [...(before?.data ?? []).filter(({ id }) => id !== source.id), source],
      }))
      onSource(source)
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
      setName(undefined)
    }
  }
  return (
    <>
      {name === undefined ? (
        <FileDrop label="Drop a file of places here" acceptedFileTypes={TYPES} onFile={(file) => void send(file)}>
          GeoJSON, or a CSV file with names and coordinates. It is for this session only, and for nobody else.
        </FileDrop>
      ) : (
        <ProgressBar label={`Reading ${name}`} isIndeterminate />
      )}
      {failure === undefined ? null : <FailureText failure={failure} title="The file was not read." />}
    </>
  )
}

export function OwnFileDialog({ onSource, onClose }: OwnFileProps & { onClose: () => void }) {
  return (
    <Dialog title="Use your own file" isOpen onOpenChange={onClose}>
      <OwnFile
        onSource={(source) => {
          onClose()
          onSource(source)
        }}
      />
    </Dialog>
  )
}
