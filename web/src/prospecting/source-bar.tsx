import type { PlaceSource } from '@server/prospecting/schema.ts'
import { IconFileUpload, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Option, Select } from '../ui/select.tsx'
import { toast } from '../ui/toast.ts'
import { OwnFileDialog } from './own-file.tsx'
import { sourceText } from './place-words.ts'
import { removeUpload } from './use-places.ts'

export interface SourceBarProps {
  sources: readonly PlaceSource[]
  source: PlaceSource
  onSource: (source: PlaceSource) => void
}

/** Where the places come from. */
export function SourceBar({ sources, source, onSource }: SourceBarProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="prospecting-row prospecting-source">
      <Select
        label="Source"
        isLabelHidden
        value={source.id}
        onChange={(key) => {
          const next = sources.find(({ id }) => id === key)
          if (next && next.id !== source.id) onSource(next)
        }}
      >
        {sources.map((one) => (
          <Option key={one.id} id={one.id} text={sourceText(one)}>
            {sourceText(one)}
          </Option>
        ))}
      </Select>
      {source.kind === 'upload' ? <RemoveFile source={source} /> : null}
      <Button icon={<IconFileUpload aria-hidden="true" />} onPress={() => setOpen(true)}>
        Use your own file
      </Button>
      {isOpen ? <OwnFileDialog onSource={onSource} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}

/** It is gone with the session anyway. */
function RemoveFile({ source }: { source: PlaceSource }) {
  const client = useQueryClient()
  const removeNow = async () => {
    try {
      await removeUpload(source.id)
      await client.invalidateQueries({ queryKey: ['places', 'sources'] })
    } catch (err) {
      toast({ text: failureWords(err, 'The file was not removed.'), tone: 'danger' })
    }
  }
  return (
    <IconButton label={`Remove ${source.name}`} variant="default" onPress={() => void removeNow()}>
      <IconTrash />
    </IconButton>
  )
}
