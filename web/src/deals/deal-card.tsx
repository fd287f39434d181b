import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import type { DealCard as Deal } from '@server/deals/ui-schema.ts'
import { IconAlertTriangle, IconCheckbox, IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, useEffect, useRef, useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSection } from '../ui/menu.tsx'
import { Money } from '../ui/money.tsx'
import { dealName } from './board-state.ts'
import { LabelChip } from './label-chip.tsx'

export interface DealCardProps {
  deal: Deal
  stage: string
  /** Where it may be moved to. */
  stages: readonly string[]
  /** Its place in the column, from 0. */
  at: number
  /** The column's one Tab stop. */
  isCurrent: boolean
  isMenuOpen: boolean
  onMenu: (id: string | undefined) => void
  onMove: (id: string, stage: string) => void
  onDrag: (id: string | undefined) => void
}

/** What a drag of a card carries. */
export const CARD_DRAG = 'deal'

/** A row of its column's grid. What the keys do with it, the board handles. */
export const DealCard = memo(function DealCard(props: DealCardProps) {
  const { deal, stage, stages, at, isCurrent, isMenuOpen, onMenu, onMove, onDrag } = props
  const { id, full_name, company, deal_value, label, open_tasks, overdue_tasks } = deal
  const element = useRef<HTMLDivElement>(null)
  const [isDragged, setDragged] = useState(false)
  useEffect(
    () =>
      draggable({
        element: element.current!,
        getInitialData: () => ({ type: CARD_DRAG, id, stage }),
        onDragStart: () => {
          setDragged(true)
          onDrag(id)
        },
        onDrop: () => {
          setDragged(false)
          onDrag(undefined)
        },
      }),
    [id, stage, onDrag],
  )
  const name = dealName(deal)
  const tabIndex = isCurrent ? 0 : -1
  return (
    <div
      role="row"
      ref={element}
      id={cardElementId(id)}
      className="deal-card"
      aria-rowindex={at + 1}
      tabIndex={tabIndex}
      data-deal={id}
      data-at={at}
      data-dragged={isDragged ? '' : undefined}
    >
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus. */}
      <div role="gridcell" className="deal-card-cell">
        <div className="deal-card-head">
          <Link to="/contacts/$id" params={{ id }} className="deal-card-name" tabIndex={-1} draggable={false}>
            {name}
          </Link>
          <Menu
            aria-label={`Move ${name} to`}
            placement="bottom end"
            isOpen={isMenuOpen}
            onOpenChange={(isOpen) => onMenu(isOpen ? id : undefined)}
            trigger={
              <IconButton label={`More for ${name}`} isSmall excludeFromTabOrder={!isCurrent}>
                <IconDots />
              </IconButton>
            }
          >
            <MenuSection title="Move to…">
              {stages.map((other) => (
                <MenuItem key={other} isDisabled={other === stage} onAction={() => onMove(id, other)}>
                  {other}
                </MenuItem>
              ))}
            </MenuSection>
          </Menu>
        </div>
        <span className="deal-card-company">{full_name === null ? '' : company}</span>
        <div className="deal-card-foot">
          <strong>
            <Money value={deal_value} />
          </strong>
          {label === null ? null : <LabelChip label={label} />}
          {open_tasks > overdue_tasks ? (
            <span className="deal-card-tasks">
              <IconCheckbox aria-hidden="true" />
              {open_tasks - overdue_tasks} open
            </span>
          ) : null}
          {overdue_tasks > 0 ? (
            <span className="deal-card-tasks deal-card-overdue">
              <IconAlertTriangle aria-hidden="true" />
              {overdue_tasks} overdue
            </span>
          ) : null}
        </div>
      </div>
    </div>
  )
})

export function cardElementId(id: string): string {
  return `deal-${id}`
}
