import type { ImportDetail, Match } from '@server/imports/ui-schema.ts'
import { IconArrowLeft, IconDownload, IconUpload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { FailureText } from '../ui/error-state.tsx'
import { bytes, count, counted } from '../ui/format.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { Option, Select } from '../ui/select.tsx'
import { checkedSentence, KNOWN_WORDS } from './import-words.ts'
import { ProblemTable } from './problem-table.tsx'
import type { ImportActions } from './use-imports.ts'

interface CheckStepProps {
  job: ImportDetail
  actions: ImportActions
  onBack: () => void
}

/** What would become of the file's rows. */
export function CheckStep({ job, actions, onBack }: CheckStepProps) {
  if (job.state === 'checking' || !job.checked) return <Checking job={job} actions={actions} />
  return <Checked job={job} checked={job.checked} actions={actions} onBack={onBack} />
}

function Checking({ job, actions }: Omit<CheckStepProps, 'onBack'>) {
  return (
    <>
      <ProgressBar
        label="Checking the whole file"
        value={job.bytes_read}
        maxValue={Math.max(job.file_bytes, 1)}
        valueLabel={`${bytes(job.bytes_read)} of ${bytes(job.file_bytes)}`}
      />
      <div className="import-buttons">
        <Button isPending={actions.pending === 'stop'} onPress={() => void actions.step('stop')}>
          Stop check
        </Button>
        <span className="secondary">You may close this page: the check goes on.</span>
      </div>
    </>
  )
}

/** From so many events on, whoever receives them may want to know before. */
const MANY_EVENTS = 10_000

interface CheckedProps extends CheckStepProps {
  checked: NonNullable<ImportDetail['checked']>
}

function Checked({ job, checked, actions, onBack }: CheckedProps) {
  const [skips, setSkips] = useState(false)
  const { rows_added, rows_updated, rows_rejected } = checked
  const taken = rows_added + rows_updated
  const main = useRef<HTMLButtonElement>(null)
  // With the last problem the field that had the focus is gone.
  const rejectedBefore = useRef(rows_rejected)
  useEffect(() => {
    const isLast = rows_rejected === 0 && rejectedBefore.current > 0
    rejectedBefore.current = rows_rejected
    if (isLast && document.activeElement === document.body) main.current?.focus()
  }, [rows_rejected])
  return (
    <>
      <p className="import-summary" role="status">
        {checkedSentence(checked)}
      </p>
      <MatchChoice match={job.match} actions={actions} />
      {rows_rejected > 0 ? (
        <section aria-labelledby="import-problems">
          <h2 id="import-problems">{counted(rows_rejected, 'row')} with problems</h2>
          <ProblemTable job={job} total={rows_rejected} />
          <div className="import-buttons">
            <Checkbox isSelected={skips} onChange={setSkips}>
              Skip these rows
            </Checkbox>
            <DownloadProblems id={job.id} />
          </div>
        </section>
      ) : null}
      {taken >= MANY_EVENTS ? <p role="note">Webhooks will send {count(taken)} events.</p> : null}
      {actions.failure === undefined ? null : (
        <FailureText failure={actions.failure} title="The import was not started." />
      )}
      <div className="import-buttons">
        <Button icon={<IconArrowLeft aria-hidden="true" />} onPress={onBack}>
          Back
        </Button>
        <Button
          ref={main}
          variant="primary"
          icon={<IconUpload aria-hidden="true" />}
          isPending={actions.pending === 'run'}
          onPress={() => void actions.step('run', { skip_problems: skips })}
        >
          Import {counted(taken, 'contact')}
        </Button>
      </div>
    </>
  )
}

export function DownloadProblems({ id }: { id: string }) {
  return (
    <a className={buttonClass({})} href={`/ui/imports/${id}/problems.csv`} download>
      <IconDownload aria-hidden="true" />
      Download problem rows
    </a>
  )
}

function MatchChoice({ match, actions }: { match: Match; actions: ImportActions }) {
  const isPending = actions.pending !== undefined
  const choose = (change: Partial<Match>) => void actions.check({ match: { ...match, ...change } })
  return (
    <div className="import-options">
      <Select
        label="A contact is known by"
        value={match.on}
        isDisabled={isPending}
        onChange={(key) => choose({ on: key as Match['on'] })}
      >
        <Option id="email">Email</Option>
        <Option id="name">Name and company</Option>
      </Select>
      <Select
        label="If it is there already"
        value={match.known}
        isDisabled={isPending}
        onChange={(key) => choose({ known: key as Match['known'] })}
      >
        {Object.entries(KNOWN_WORDS).map(([known, words]) => (
          <Option key={known} id={known}>
            {words}
          </Option>
        ))}
      </Select>
    </div>
  )
}
