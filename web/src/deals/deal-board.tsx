import './deal-board.css'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import type { DealBoard as Board } from '@server/deals/ui-schema.ts'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { focusSoon } from '../app/focus-soon.ts'
import { preferences } from '../app/preferences.ts'
import { boardStep, type Step } from './board-keys.ts'
import type { BoardFilter } from './board-state.ts'
import { CARD_DRAG, cardElementId } from './deal-card.tsx'
import { DealColumn } from './deal-column.tsx'
import { loadMore, moveDeal } from './use-board.ts'

export interface DealBoardProps {
  board: Board
  filter: BoardFilter
}

/** The columns side by side; cards are moved by drag, by menu and by keys. */
export function DealBoard({ board, filter }: DealBoardProps) {
  const { columns } = board
  const navigate = useNavigate()
  const element = useRef<HTMLDivElement>(null)
  const stopFocusing = useRef(() => {})
  const [currentIds, setCurrentIds] = useState<Readonly<Record<string, string>>>({})
  const [menuId, setMenuId] = useState<string>()
  const [draggedId, setDraggedId] = useState<string>()
  // One list for all cards, so that none is drawn again while the stages stay the same.
  const stageNames = columns.map(({ stage }) => stage).join('\n')
  const stages = useMemo(() => (stageNames === '' ? [] : stageNames.split('\n')), [stageNames])

  const makeCurrent = useCallback((stage: string, id: string) => {
    setCurrentIds((ids) => (ids[stage] === id ? ids : { ...ids, [stage]: id }))
  }, [])
  const focusCard = useCallback(
    (stage: string, id: string) => {
      makeCurrent(stage, id)
      stopFocusing.current = focusSoon(() => document.getElementById(cardElementId(id)))
    },
    [makeCurrent],
  )
  const move = useCallback(
    (id: string, stage: string) => {
      if (moveDeal(filter, { id, stage }) !== undefined) focusCard(stage, id)
    },
    [filter, focusCard],
  )
  const more = useCallback(
    (stage: string, loaded: number) => void loadMore(filter, stage, loaded).catch(() => {}),
    [filter],
  )
  useDrops(element, filter)

  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event, board)
    if (!step) return
    event.preventDefault()
    stopFocusing.current()
    if (step.do === 'focus') focusCard(step.stage, step.id)
    else if (step.do === 'focus column') columnElement(element.current, step.stage)?.focus()
    else if (step.do === 'move') move(step.id, step.stage)
    else if (step.do === 'menu') setMenuId(step.id)
    else void navigate({ to: '/contacts/$id', params: { id: step.id } })
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the cards inside.
    <div
      ref={element}
      className="deal-board"
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const stage = target.closest<HTMLElement>('[data-stage]')?.dataset.stage
        if (stage !== undefined && target.dataset.deal) makeCurrent(stage, target.dataset.deal)
      }}
    >
      {columns.map((column) => (
        <DealColumn
          key={column.stage}
          column={column}
          stages={stages}
          currentId={currentIds[column.stage]}
          menuId={menuId !== undefined && column.cards.some(({ id }) => id === menuId) ? menuId : undefined}
          draggedId={draggedId}
          onMenu={setMenuId}
          onMove={move}
          onDrag={setDraggedId}
          onMore={more}
        />
      ))}
    </div>
  )
}

/** What a key means for the card, or the empty column, that has the focus. */
function stepOf(event: KeyboardEvent, board: Board): Step | undefined {
  const target = event.target as HTMLElement
  // What a menu of a card hears comes through here too, though it lies elsewhere in the page.
  if (!event.currentTarget.contains(target) || event.altKey || event.shiftKey) return undefined
  const stage = target.closest<HTMLElement>('[data-stage]')?.dataset.stage
  if (stage === undefined) return undefined
  const isCard = target.dataset.deal !== undefined
  if (!isCard && target.getAttribute('role') !== 'group') return undefined
  if (event.key === 'm' && !preferences().singleKeys) return undefined
  const at = isCard ? Number(target.dataset.at) : undefined
  return boardStep({ key: event.key, isCommand: event.ctrlKey || event.metaKey }, board, { stage, at })
}

function useDrops(element: React.RefObject<HTMLElement | null>, filter: BoardFilter): void {
  useEffect(
    () =>
      combine(
        monitorForElements({
          canMonitor: ({ source }) => source.data.type === CARD_DRAG,
          onDrop: ({ source, location }) => {
            const stage = location.current.dropTargets[0]?.data.stage
            if (typeof stage === 'string') moveDeal(filter, { id: String(source.data.id), stage })
          },
        }),
        autoScrollForElements({
          element: element.current!,
          canScroll: ({ source }) => source.data.type === CARD_DRAG,
        }),
      ),
    [element, filter],
  )
}

function columnElement(board: HTMLElement | null, stage: string): HTMLElement | null {
  return board?.querySelector(`[data-stage="${CSS.escape(stage)}"] .deal-list`) ?? null
}
