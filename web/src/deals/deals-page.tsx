import './deals-page.css'
import { IconChartBar, IconLayoutKanban, IconTable } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { type Key, ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { type Command, useCommands } from '../app/commands.ts'
import { useCurrency, useSession } from '../app/session.ts'
import { Button } from '../ui/button.tsx'
import { BarChart } from '../ui/chart.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { count, counted, money } from '../ui/format.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Option, Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { stageColour } from '../ui/stage-colours.ts'
import type { BoardFilter } from './board-state.ts'
import { DealBoard } from './deal-board.tsx'
import { DealTable } from './deal-table.tsx'
import { type DealsSearch, dealsSearch, searchInWords } from './deals-search.ts'
import { SetStageDialog } from './set-stage-dialog.tsx'
import { useBoard } from './use-board.ts'

const DIM_MS = 300

/** Listed with the other shortcuts; the board itself hears it. */
const KEYS: Command[] = [
  { id: 'deal-move', text: 'Move the deal to…', section: 'This page', keys: 'm', isUnlisted: true },
]

/** The deals by stage, as a board or as a table. The address holds what is chosen. */
export function DealsPage() {
  const search = dealsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { q, label, layout, chart } = search
  const filter = useMemo((): BoardFilter => ({ ...(q && { q }), ...(label && { label }) }), [q, label])
  const { data: board, error, refetch, isPlaceholderData } = useBoard(filter)
  const isDim = useLater(isPlaceholderData, DIM_MS)
  const currency = useCurrency()
  useCommands(KEYS)
  const [isSettingStage, setSettingStage] = useState(false)
  const change = (part: DealsSearch) =>
    void navigate({ to: '/deals', search: dealsSearch({ ...search, ...part }) as never, replace: true })
  const isFiltered = Object.keys(filter).length > 0

  return (
    <>
      <PageHeader
        title="Deals"
        count={board ? count(board.count) : undefined}
        apiCall={{ method: 'GET', path: '/deals?limit=50' }}
        actions={
          <Button variant="primary" onPress={() => setSettingStage(true)}>
            Set a stage
          </Button>
        }
      />
      <div className="deals-bar">
        <SearchField label="Search name or company" value={q ?? ''} onChange={(next) => change({ q: next })} />
        <LabelFilter label={label} onChange={(next) => change({ label: next })} />
        <ToggleButtonGroup
          aria-label="Layout"
          className="deals-layout"
          disallowEmptySelection
          selectedKeys={[layout ?? 'board']}
          onSelectionChange={(keys: Set<Key>) => change({ layout: keys.has('table') ? 'table' : undefined })}
        >
          <ToggleButton id="board" className="button">
            <IconLayoutKanban />
            Board
          </ToggleButton>
          <ToggleButton id="table" className="button">
            <IconTable />
            Table
          </ToggleButton>
        </ToggleButtonGroup>
        <Button
          icon={<IconChartBar />}
          aria-pressed={chart ?? false}
          onPress={() => change({ chart: chart ? undefined : true })}
        >
          {chart ? 'Hide chart' : 'Show chart'}
        </Button>
        {board && board.count > 0 ? (
          <p className="deals-total">
            {counted(board.count, 'deal')} · {money(board.total, currency)}
            {board.weighted === null ? null : ` · weighted ${money(Math.round(board.weighted), currency)}`}
          </p>
        ) : null}
      </div>
      {board && chart && board.count > 0 ? (
        <div className="card">
          <BarChart
            title="Total value per stage"
            heads={['Stage', 'Total']}
            bars={board.columns.map(({ stage, color, total }) => ({
              id: stage,
              label: stage,
              value: total,
              tone: stageColour(color),
              text: money(total, currency),
            }))}
          />
        </div>
      ) : null}
      {error && !board ? (
        <ErrorState title="The deals could not be loaded." failure={error} onRetry={() => void refetch()} />
      ) : !board ? (
        <BoardSkeleton />
      ) : board.count === 0 ? (
        <NoDeals
          words={isFiltered ? searchInWords(filter) : undefined}
          onClear={() => change({ q: undefined, label: undefined })}
          onSetStage={() => setSettingStage(true)}
        />
      ) : layout === 'table' ? (
        <DealTable filter={filter} count={board.count} />
      ) : (
        <div className="deals-body" data-dim={isDim ? '' : undefined}>
          <DealBoard board={board} filter={filter} />
          {board.hidden_stages > 0 ? (
            <p className="secondary">
              {counted(board.hidden_stages, 'more stage')} with few deals {board.hidden_stages === 1 ? 'is' : 'are'} not
              shown. The table has all deals.
            </p>
          ) : null}
        </div>
      )}
      <SetStageDialog isOpen={isSettingStage} onOpenChange={setSettingStage} />
    </>
  )
}

function LabelFilter({
  label,
  onChange,
}: {
  label: string | undefined
  onChange: (label: string | undefined) => void
}) {
  const { labels } = useSession()
  const names = labels.map(({ name }) => name)
  if (label !== undefined && !names.includes(label)) names.push(label)
  return (
    <Select
      label="Label"
      isLabelHidden
      value={label ?? ALL_LABELS}
      onChange={(key) => onChange(key === ALL_LABELS ? undefined : String(key))}
    >
      <Option id={ALL_LABELS}>All labels</Option>
      {names.map((name) => (
        <Option key={name} id={name}>
          {name}
        </Option>
      ))}
    </Select>
  )
}

/** No label is this long. */
const ALL_LABELS = ' '.repeat(65)

function NoDeals(props: { words: string | undefined; onClear: () => void; onSetStage: () => void }) {
  const { words, onClear, onSetStage } = props
  if (words !== undefined) {
    return <EmptyState title={`No deal matches ${words}.`} actions={<Button onPress={onClear}>Clear filters</Button>} />
  }
  return (
    <EmptyState
      title="A deal is a contact with a stage."
      actions={
        <Button variant="primary" onPress={onSetStage}>
          Set a stage on a contact
        </Button>
      }
    />
  )
}

function BoardSkeleton() {
  return (
    <div className="deal-board" aria-busy="true">
      <span className="visually-hidden">Loading deals</span>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div key={key} className="deals-skeleton">
          <Skeleton height={44} />
          <Skeleton height={88} />
          <Skeleton height={88} />
          <Skeleton height={88} />
        </div>
      ))}
    </div>
  )
}

/** True once `is` has been true for so long. */
function useLater(is: boolean, ms: number): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!is) return
    const timer = setTimeout(() => setLate(true), ms)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [is, ms])
  return isLate
}
