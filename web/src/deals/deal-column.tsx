import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { autoScrollForElements } from '@atlaskit/pragmatic-drag-and-drop-auto-scroll/element'
import type { DealColumn as Column } from '@server/deals/ui-schema.ts'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, memo, useEffect, useId, useRef, useState } from 'react'
import { counted } from '../ui/format.ts'
import { Money } from '../ui/money.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { stageColour } from '../ui/stage-colours.ts'
import { CARD_DRAG, DealCard, type DealCardProps } from './deal-card.tsx'

const CARD_PX = 96
const GAP_PX = 8

export interface DealColumnProps extends Pick<DealCardProps, 'stages' | 'onMenu' | 'onMove' | 'onDrag'> {
  column: Column
  /** The card that Tab leads to, and that the arrows start from; else the first. */
  currentId: string | undefined
  /** The card whose menu is open, if it is in this column. */
  menuId: string | undefined
  /** The card that is being dragged: it stays in the page, however far the column scrolls. */
  draggedId: string | undefined
  /** @param loaded how many of its cards there are */
  onMore: (stage: string, loaded: number) => void
}

/** A stage with its cards, of which only those in view are in the page. */
export const DealColumn = memo(function DealColumn(props: DealColumnProps) {
  const { column, stages, currentId, menuId, draggedId, onMenu, onMove, onDrag, onMore } = props
  const { stage, color, count, total, cards, probability, weighted, listed } = column
  const headingId = useId()
  const section = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const isOver = useDropTarget(section, list, stage)
  const isNear = useIsNear(section)
  const currentAt = Math.max(
    cards.findIndex(({ id }) => id === currentId),
    0,
  )
  const draggedAt = draggedId === undefined ? -1 : cards.findIndex(({ id }) => id === draggedId)
  const kept = [currentAt, draggedAt].filter((at) => at >= 0 && at < cards.length)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => list.current,
    estimateSize: () => CARD_PX,
    gap: GAP_PX,
    overscan: 1,
    scrollPaddingStart: GAP_PX,
    scrollPaddingEnd: GAP_PX,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), ...kept])].sort((first, second) => first - second),
  })
  // A column far to the side keeps the one card that Tab leads to.
  const items = virtualizer.getVirtualItems().filter(({ index }) => isNear || index === currentAt)
  const lastAt = virtualizer.range?.endIndex ?? 0
  const needsMore = isNear && cards.length < count && lastAt >= cards.length - 10
  const loaded = cards.length
  useEffect(() => {
    if (needsMore) onMore(stage, loaded)
  }, [needsMore, onMore, stage, loaded])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when another card becomes the current one, not when that card's place changes.
  useEffect(() => {
    if (currentId !== undefined && cards[currentAt]?.id === currentId) virtualizer.scrollToIndex(currentAt)
  }, [currentId])
  const words = `${stage}, ${counted(count, 'deal')}`
  return (
    <section
      ref={section}
      className={`deal-column deal-column-${stageColour(color)}`}
      aria-labelledby={headingId}
      data-stage={stage}
      data-over={isOver ? '' : undefined}
      onFocus={showWhole}
    >
      <header className="deal-column-head">
        <h2 id={headingId}>{stage}</h2>
        <span className="deal-column-total">
          {count} · <Money value={total} />
        </span>
        {weighted === null ? null : (
          <span className="deal-column-weighted">
            {probability}% · weighted <Money value={Math.round(weighted)} />
          </span>
        )}
        {listed ? null : <span className="deal-column-weighted">Not in the pipeline</span>}
      </header>
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name. */}
      <div
        ref={list}
        className="deal-list"
        role={count === 0 ? 'group' : 'grid'}
        aria-label={words}
        {...(count === 0 ? { tabIndex: 0 } : { 'aria-rowcount': count })}
      >
        {count === 0 ? (
          <p className="deal-list-empty">No deals</p>
        ) : (
          <div role="rowgroup" className="deal-list-rows" style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, start }) => (
              <div
                key={cards[index]?.id ?? index}
                ref={virtualizer.measureElement}
                data-index={index}
                role="presentation"
                className="deal-list-place"
                style={{ top: start }}
              >
                {cards[index] ? (
                  <DealCard
                    deal={cards[index]}
                    stage={stage}
                    stages={stages}
                    at={index}
                    isCurrent={index === currentAt}
                    isMenuOpen={menuId === cards[index].id}
                    onMenu={onMenu}
                    onMove={onMove}
                    onDrag={onDrag}
                  />
                ) : (
                  // biome-ignore lint/a11y/useFocusableInteractive: there is nothing to do with it yet.
                  <div role="row" aria-rowindex={index + 1} aria-busy="true" className="deal-card">
                    {/* biome-ignore lint/a11y/useFocusableInteractive: as the row. */}
                    <div role="gridcell">
                      <Skeleton height={20} />
                    </div>
                  </div>
                )}
              </div>
            ))}
          </div>
        )}
      </div>
    </section>
  )
})

function useDropTarget(
  section: React.RefObject<HTMLElement | null>,
  list: React.RefObject<HTMLElement | null>,
  stage: string,
): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(
    () =>
      combine(
        dropTargetForElements({
          element: section.current!,
          getData: () => ({ stage }),
          canDrop: ({ source }) => source.data.type === CARD_DRAG,
          onDragEnter: () => setOver(true),
          onDragLeave: () => setOver(false),
          onDrop: () => setOver(false),
        }),
        autoScrollForElements({
          element: list.current!,
          canScroll: ({ source }) => source.data.type === CARD_DRAG,
        }),
      ),
    [section, list, stage],
  )
  return isOver
}

function useIsNear(section: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), {
      root: section.current!.parentElement,
      rootMargin: '0px 80px',
    })
    observer.observe(section.current!)
    return () => observer.disconnect()
  }, [section])
  return isNear
}

/** On a phone the browser would scroll to the focused card and then back to the column that is in the middle. */
function showWhole({ currentTarget: column, target }: FocusEvent<HTMLElement>): void {
  const board = column.parentElement
  if (!board || !target.matches(':focus-visible')) return
  const [inner, outer] = [column.getBoundingClientRect(), board.getBoundingClientRect()]
  if (inner.left >= outer.left && inner.right <= outer.right) return
  column.scrollIntoView({ block: 'nearest', inline: 'center' })
}
