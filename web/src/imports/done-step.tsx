import type { ImportDetail } from '@server/imports/ui-schema.ts'
import { count, counted } from '../ui/format.ts'
import { LinkButton } from '../ui/link.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { DownloadProblems } from './check-step.tsx'
import { countsText } from './import-words.ts'
import { UndoButton } from './undo-button.tsx'

/** What came of an import. */
export function DoneStep({ job }: { job: ImportDetail }) {
  const { id, state, counts, can_undo, file_name, fault, undone } = job
  if (state === 'undoing') return <Undoing job={job} />
  if (state === 'undone') {
    const { removed, restored, kept } = undone ?? { removed: 0, restored: 0, kept: 0 }
    return (
      <>
        <p className="import-summary" role="status">
          Undone: {counted(removed, 'contact')} removed, {count(restored)} put back as they were, {count(kept)} left.
        </p>
        <div className="import-buttons">
          <LinkButton to="/imports">Back to imports</LinkButton>
        </div>
      </>
    )
  }
  return (
    <>
      <p className="import-summary" role="status">
        {state === 'failed' ? `The import failed: ${fault ?? ''}` : `${countsText(counts)}.`}
      </p>
      {state === 'failed' ? <p>{countsText(counts)} until then.</p> : null}
      <div className="import-buttons">
        <LinkButton to="/contacts" search={{ import: id }} variant="primary">
          See these contacts
        </LinkButton>
        {counts.rows_rejected > 0 ? <DownloadProblems id={id} /> : null}
        {can_undo ? <UndoButton id={id} name={file_name} /> : null}
        <LinkButton to="/imports">Back to imports</LinkButton>
      </div>
      {can_undo ? <p className="secondary">An import can be undone for 30 days.</p> : null}
    </>
  )
}

function Undoing({ job: { undone, counts } }: { job: ImportDetail }) {
  const done = undone ? undone.removed + undone.restored + undone.kept : 0
  const total = counts.rows_added + counts.rows_updated
  return (
    <ProgressBar
      label="Undoing the import"
      value={done}
      maxValue={Math.max(total, 1)}
      valueLabel={`${count(done)} of ${count(total)} contacts`}
    />
  )
}
