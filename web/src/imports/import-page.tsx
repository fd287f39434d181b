import './imports.css'
import type { ImportDetail } from '@server/imports/ui-schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { bytes } from '../ui/format.ts'
import { LinkButton } from '../ui/link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { CheckStep } from './check-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { DoneStep } from './done-step.tsx'
import { ImportState } from './import-state.tsx'
import { STEPS, type StepName, stepOf } from './import-words.ts'
import { RunStep } from './run-step.tsx'
import { removeImport, useImport, useImportActions } from './use-imports.ts'

/** One import: the wizard's step that it has come to. Whoever opens its address again finds it there. */
export function ImportPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useImport(id)
  if (data) return <Wizard key={id} job={data} />
  return (
    <>
      <PageHeader title="Import" section="Imports" />
      {!error ? (
        <SkeletonRows label="Loading the import" onRetry={() => void refetch()} />
      ) : error instanceof ApiFailure && error.status === 404 ? (
        <EmptyState
          title="This import does not exist or was removed."
          actions={<LinkButton to="/imports">Back to imports</LinkButton>}
        />
      ) : (
        <ErrorState title="The import could not be loaded." failure={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

function Wizard({ job }: { job: ImportDetail }) {
  const { id, file_name, file_bytes, state, created_by, started_at, source } = job
  const actions = useImportActions(id)
  const [isBack, setBack] = useState(false)
  const step: StepName = isBack && state === 'checked' ? 'Columns' : stepOf(state)
  const content = useRef<HTMLDivElement>(null)
  const shown = `${step} ${state}`
  const shownBefore = useRef(shown)
  // The button that led here is gone, so reading goes on where the step begins.
  useEffect(() => {
    const isOther = shown !== shownBefore.current
    shownBefore.current = shown
    if (isOther && document.activeElement === document.body) content.current?.focus()
  }, [shown])
  const isRemovable = state === 'uploaded' || state === 'checking' || state === 'checked'
  return (
    <>
      <PageHeader
        title={file_name}
        section="Imports"
        actions={isRemovable ? <RemoveFile id={id} name={file_name} /> : null}
      />
      <p className="import-buttons secondary">
        <ImportState state={state} />
        <span>
          {created_by}, <RelativeTime iso={started_at} />
        </span>
        {file_bytes > 0 ? <span>{bytes(file_bytes)}</span> : null}
      </p>
      {source === 'sample' || source === 'places' ? null : <Steps current={step} />}
      <div className="import-step" ref={content} tabIndex={-1}>
        {step === 'Columns' ? (
          <ColumnsStep
            key={`${job.encoding} ${job.delimiter}`}
            job={job}
            actions={actions}
            onChecking={() => setBack(false)}
          />
        ) : step === 'Check' ? (
          <CheckStep job={job} actions={actions} onBack={() => setBack(true)} />
        ) : step === 'Import' ? (
          <RunStep job={job} actions={actions} />
        ) : (
          <DoneStep job={job} />
        )}
      </div>
    </>
  )
}

function Steps({ current }: { current: StepName }) {
  return (
    <ol className="import-steps" aria-label="Steps">
      {STEPS.map((name) => (
        <li key={name} {...(name === current ? { 'aria-current': 'step' as const } : {})}>
          {name}
        </li>
      ))}
    </ol>
  )
}

function RemoveFile({ id, name }: { id: string; name: string }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const removeNow = async () => {
    await removeImport(id)
    void client.invalidateQueries({ queryKey: ['imports', 'list'] })
    await navigate({ to: '/imports' })
  }
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirm="Remove file"
      onConfirm={removeNow}
      trigger={<Button>Remove file</Button>}
    >
      Nothing of it has been imported. To import it later, upload it again.
    </ConfirmDialog>
  )
}
