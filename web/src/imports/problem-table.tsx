import type { ImportDetail, Problem } from '@server/imports/ui-schema.ts'
import { useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { announce } from '../app/announce.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorState, FailureText } from '../ui/error-state.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { count } from '../ui/format.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import { toast } from '../ui/toast.ts'
import { plainReason } from './import-words.ts'
import { useFixProblem, useProblems } from './use-imports.ts'

const PER_PAGE = 50

interface ProblemTableProps {
  job: ImportDetail
  total: number
}

/** The rows that cannot be taken, to be corrected here. */
export function ProblemTable({ job, total }: ProblemTableProps) {
  const pageMax = Math.max(0, Math.ceil(total / PER_PAGE) - 1)
  const [wanted, setPage] = useState(0)
  const page = Math.min(wanted, pageMax)
  const { data, error, refetch } = useProblems(job.id, page)
  const fix = useFixProblem(job.id, page)
  const body = useRef<HTMLTableSectionElement>(null)
  const focusNext = useRef<{ row: number; at: number }>(undefined)
  const [editing, setEditing] = useState<Problem>()
  const names = job.columns.map(({ name }, at) => name || `Column ${at + 1}`)

  // A corrected row goes with the control that had the focus: the row that takes its place gets it.
  useEffect(() => {
    const next = focusNext.current
    if (!next || data?.data.some(({ row }) => row === next.row)) return
    focusNext.current = undefined
    if (document.activeElement === document.body) controlOf(body.current, next.at)?.focus()
  }, [data])

  const save = async ({ row }: Problem, cells: string[]): Promise<string | undefined> => {
    focusNext.current = { row, at: data?.data.findIndex((problem) => problem.row === row) ?? 0 }
    const { problem } = await fix(row, cells)
    if (problem) {
      focusNext.current = undefined
      return problem.reason
    }
    announce(`Row ${row} is corrected.`)
    if (data && data.data.length === 1 && total > 1) void refetch()
    return undefined
  }

  if (error && !data) return <ErrorState title="The problems could not be loaded." failure={error} onRetry={refetch} />
  if (!data) return <SkeletonRows rows={3} label="Loading the problems" />
  return (
    <>
      <table className="import-table">
        <caption className="visually-hidden">Rows with problems</caption>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Column</th>
            <th scope="col">Value</th>
            <th scope="col">Reason</th>
            <th scope="col">
              <span className="visually-hidden">Whole row</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {data.data.map((problem) => (
            <tr key={problem.row}>
              <th scope="row">Row {count(problem.row)}</th>
              <td>{problem.cell === null ? 'Whole row' : names[problem.cell]}</td>
              <td>
                {problem.cell === null ? (
                  <span className="secondary">{problem.cells.filter((cell) => cell !== '').join(' | ')}</span>
                ) : (
                  <CellField
                    key={problem.cells[problem.cell]}
                    problem={problem}
                    cell={problem.cell}
                    name={names[problem.cell] ?? ''}
                    onSave={save}
                  />
                )}
              </td>
              <td>{plainReason(problem.reason)}</td>
              <td>
                <Button isSmall aria-label={`Edit row ${problem.row}`} onPress={() => setEditing(problem)}>
                  Edit row
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {pageMax > 0 ? (
        <nav className="import-buttons" aria-label="Pages of problems">
          <Button isDisabled={page === 0} onPress={() => setPage(page - 1)}>
            Previous
          </Button>
          <span className="tabular">
            Page {count(page + 1)} of {count(pageMax + 1)}
          </span>
          <Button isDisabled={page === pageMax} onPress={() => setPage(page + 1)}>
            Next
          </Button>
        </nav>
      ) : null}
      {editing ? (
        <RowDialog problem={editing} names={names} onSave={save} onClose={() => setEditing(undefined)} />
      ) : null}
    </>
  )
}

function controlOf(body: HTMLElement | null, row: number): HTMLElement | null | undefined {
  const rows = body?.querySelectorAll('tr')
  return rows?.[Math.min(row, rows.length - 1)]?.querySelector<HTMLElement>('input, button')
}

type Save = (problem: Problem, cells: string[]) => Promise<string | undefined>

interface CellFieldProps {
  problem: Problem
  cell: number
  name: string
  onSave: Save
}

/** Saves on Enter and when it is left; Esc puts back what the file has. */
function CellField({ problem, cell, name, onSave }: CellFieldProps) {
  const before = problem.cells[cell] ?? ''
  const [value, setValue] = useState(before)
  const isSaving = useRef(false)
  const save = async () => {
    if (isSaving.current || value === before) return
    isSaving.current = true
    try {
      await onSave(problem, withCell(problem.cells, cell, value))
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      toast({ tone: 'danger', text: failureWords(err, `Row ${problem.row} was not corrected.`) })
    } finally {
      isSaving.current = false
    }
  }
  return (
    <TextField
      label={`${name} of row ${problem.row}`}
      isLabelHidden
      isInvalid
      value={value}
      onChange={setValue}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save()
        else if (event.key === 'Escape') setValue(before)
        else event.continuePropagation()
      }}
    />
  )
}

function withCell(cells: readonly string[], at: number, value: string): string[] {
  const filled = Array.from({ length: Math.max(cells.length, at + 1) }, (_, index) => cells[index] ?? '')
  return filled.with(at, value)
}

interface RowDialogProps {
  problem: Problem
  names: string[]
  onSave: Save
  onClose: () => void
}

function RowDialog({ problem, names, onSave, onClose }: RowDialogProps) {
  const [cells, setCells] = useState(() => names.map((_, at) => problem.cells[at] ?? ''))
  const [reason, setReason] = useState<string | undefined>(problem.reason)
  const [failure, setFailure] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const save = async () => {
    setPending(true)
    setFailure(undefined)
    try {
      const left = await onSave(problem, cells)
      if (left === undefined) onClose()
      setReason(left)
    } catch (err) {
      if (!(err instanceof ApiFailure)) reportError(err)
      setFailure(err)
    } finally {
      setPending(false)
    }
  }
  return (
    <Dialog title={`Row ${count(problem.row)}`} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <form
        className="import-row-cells"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {reason ? <p role="alert">{plainReason(reason)}</p> : null}
        {failure === undefined ? null : <FailureText failure={failure} title="The row was not corrected." />}
        {names.map((name, at) => (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stay in the order of the file, and may share a name.
            key={at}
            label={name}
            value={cells[at] ?? ''}
            onChange={(value) => setCells(cells.with(at, value))}
          />
        ))}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" isPending={isPending}>
            Save row
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
