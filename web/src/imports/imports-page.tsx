import './imports.css'
import type { ImportSummary } from '@server/imports/ui-schema.ts'
import { IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { type DataColumn, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState, FailureText } from '../ui/error-state.tsx'
import { FileDrop } from '../ui/file-drop.tsx'
import { Link } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { ImportState } from './import-state.tsx'
import { countsText, type StepName, stepOf } from './import-words.ts'
import { UndoDialog } from './undo-dialog.tsx'
import { uploadFile, useImports } from './use-imports.ts'

export function ImportsPage() {
  return (
    <>
      <PageHeader
        title="Imports"
        actions={
          <a className={buttonClass({})} href="/ui/imports/template.csv" download>
            <IconDownload aria-hidden="true" />
            Download a template
          </a>
        }
      />
      <div className="imports">
        <NewImport />
        <section aria-labelledby="import-history">
          <h2 id="import-history">History</h2>
          <History />
        </section>
      </div>
    </>
  )
}

const TYPES = ['.csv', '.tsv', '.txt', 'text/csv', 'text/tab-separated-values']

function NewImport() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [name, setName] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const send = async (file: File) => {
    setName(file.name)
    setFailure(undefined)
    try {
      const made = await uploadFile(file)
      client.setQueryData(['imports', made.id], made)
      void client.invalidateQueries({ queryKey: ['imports', 'list'] })
      await navigate({ to: '/imports/$id', params: { id: made.id } })
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
    } finally {
      setName(undefined)
    }
  }
  return (
    <section className="import-file" aria-label="New import">
      {name === undefined ? (
        <FileDrop label="Drop a CSV file here" acceptedFileTypes={TYPES} onFile={(file) => void send(file)}>
          Its first row names the columns. You will see what happens before anything is written.
        </FileDrop>
      ) : (
        <ProgressBar label={`Uploading ${name}`} isIndeterminate />
      )}
      {failure === undefined ? null : <FailureText failure={failure} title="The file was not uploaded." />}
    </section>
  )
}

function History() {
  const { data, error, refetch } = useImports()
  const [undoing, setUndoing] = useState<ImportSummary>()
  if (error && !data) return <ErrorState title="The imports could not be loaded." failure={error} onRetry={refetch} />
  if (!data) return <SkeletonRows rows={3} label="Loading imports" onRetry={() => void refetch()} />
  if (data.data.length === 0) return <EmptyState title="No imports yet." />
  return (
    <>
      <DataTable label="Imports" columns={columnsWith(setUndoing)} rows={data.data} />
      {undoing ? <UndoDialog id={undoing.id} name={undoing.file_name} onClose={() => setUndoing(undefined)} /> : null}
    </>
  )
}

const HAS_RUN: ReadonlySet<StepName> = new Set(['Import', 'Done'])

function columnsWith(undo: (row: ImportSummary) => void): DataColumn<ImportSummary>[] {
  return [
    {
      id: 'file',
      name: 'File',
      cell: ({ id, file_name }) => (
        <Link to="/imports/$id" params={{ id }}>
          {file_name}
        </Link>
      ),
    },
    { id: 'who', name: 'Who', cell: ({ created_by }) => created_by },
    { id: 'when', name: 'When', cell: ({ started_at }) => <RelativeTime iso={started_at} /> },
    {
      id: 'counts',
      name: 'Contacts',
      cell: ({ state, counts }) => (HAS_RUN.has(stepOf(state)) ? countsText(counts) : ''),
    },
    { id: 'state', name: 'State', cell: ({ state }) => <ImportState state={state} /> },
    {
      id: 'undo',
      name: 'Undo',
      isNameHidden: true,
      align: 'end',
      cell: (row) =>
        row.can_undo ? (
          <Button isSmall aria-label={`Undo import of ${row.file_name}`} onPress={() => undo(row)}>
            Undo
          </Button>
        ) : null,
    },
  ]
}
