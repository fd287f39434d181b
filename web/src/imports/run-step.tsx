import type { ImportDetail } from '@server/imports/ui-schema.ts'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { count } from '../ui/format.ts'
import { LinkButton } from '../ui/link.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { DownloadProblems } from './check-step.tsx'
import { countsText } from './import-words.ts'
import { type Mark, paceOf, paceText } from './pace.ts'
import { UndoButton } from './undo-button.tsx'
import type { ImportActions } from './use-imports.ts'

/** The import itself: how far it is, and the way to stop it and to go on. */
export function RunStep({ job, actions }: { job: ImportDetail; actions: ImportActions }) {
  return (
    <>
      {job.state === 'running' ? <Running job={job} actions={actions} /> : <Stopped job={job} actions={actions} />}
      {actions.failure === undefined ? null : <FailureText failure={actions.failure} />}
    </>
  )
}

function Running({ job, actions }: { job: ImportDetail; actions: ImportActions }) {
  const total = job.checked?.rows_read ?? 0
  const done = job.counts.rows_read
  const now: Mark = { atMs: performance.now(), done }
  const first = useRef(now)
  const pace = paceOf(first.current, now, total)
  const isCommand = job.source === 'file'
  return (
    <>
      <ProgressBar
        label="Importing"
        value={done}
        maxValue={Math.max(total, 1)}
        isIndeterminate={total === 0}
        valueLabel={`${count(done)} of ${count(total)} rows`}
      />
      <p className="secondary tabular">
        {countsText(job.counts)}
        {pace ? ` · ${paceText(pace)}` : ''}
      </p>
      {isCommand ? (
        <p role="note">This import runs on the command line.</p>
      ) : (
        <div className="import-buttons">
          <Button
            icon={<IconPlayerPause aria-hidden="true" />}
            isPending={actions.pending === 'stop'}
            onPress={() => void actions.step('stop')}
          >
            Stop import
          </Button>
          <span className="secondary">You may close this page: the import goes on.</span>
        </div>
      )}
    </>
  )
}

function Stopped({ job, actions }: { job: ImportDetail; actions: ImportActions }) {
  const { id, can_continue, can_undo, counts, checked, file_name } = job
  return (
    <>
      <p className="import-summary" role="status">
        Stopped after {count(counts.rows_read)} of {count(checked?.rows_read ?? counts.rows_read)} rows:{' '}
        {countsText(counts)}.
      </p>
      <div className="import-buttons">
        {can_continue ? (
          <Button
            variant="primary"
            icon={<IconPlayerPlay aria-hidden="true" />}
            isPending={actions.pending === 'continue'}
            onPress={() => void actions.step('continue')}
          >
            Continue import
          </Button>
        ) : null}
        <LinkButton to="/contacts" search={{ import: id }}>
          See these contacts
        </LinkButton>
        {counts.rows_rejected > 0 ? <DownloadProblems id={id} /> : null}
        {can_undo ? <UndoButton id={id} name={file_name} /> : null}
      </div>
    </>
  )
}
