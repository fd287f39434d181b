import './file-drop.css'
import { IconFileUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DropZone, type FileDropItem, FileTrigger, Text } from 'react-aria-components'
import { Button } from './button.tsx'

export interface FileDropProps {
  /** "Drop a CSV file here" */
  label: string
  /** Such as `.csv` and `text/csv`; only for the dialog of **Choose file**. */
  acceptedFileTypes?: string[] | undefined
  onFile: (file: File) => void
  /** Under the label. */
  children?: ReactNode
}

/** A place for one file, dropped, pasted or chosen. */
export function FileDrop({ label, acceptedFileTypes, onFile, children }: FileDropProps) {
  return (
    <DropZone
      className="file-drop"
      aria-label={label}
      onDrop={async ({ items }) => {
        const file = items.find((item): item is FileDropItem => item.kind === 'file')
        if (file) onFile(await file.getFile())
      }}
    >
      <IconFileUpload aria-hidden="true" />
      <Text slot="label">{label}</Text>
      {children ? <div className="secondary small">{children}</div> : null}
      <FileTrigger
        {...(acceptedFileTypes ? { acceptedFileTypes } : {})}
        onSelect={(files) => {
          const file = files?.[0]
          if (file) onFile(file)
        }}
      >
        <Button>Choose file</Button>
      </FileTrigger>
    </DropZone>
  )
}
