import type { FoundPlace } from '@server/prospecting/schema.ts'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { PlaceRow } from './place-row.tsx'
import type { Ticks } from './use-ticks.ts'

export interface PlaceListProps {
  places: readonly FoundPlace[]
  ticks: Ticks
  /** The place that was gone to, here or on the map, where its card is open. */
  active: string | null
  onActivate: (sourceId: string | null) => void
  isStale: boolean
}

/** What was found, the nearest first. One stop for Tab; ↑ and ↓ go from place to place, Space ticks. */
export function PlaceList({ places, ticks, active, onActivate, isStale }: PlaceListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [currentId, setCurrentId] = useState<string>()
  const tabId = places.some(({ source_id }) => source_id === currentId) ? currentId : places[0]?.source_id
  useShownWhenActive(list, active)

  const onKeyDown = (event: KeyboardEvent) => {
    const row = (event.target as Element).closest('li')
    if (!row || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const next = {
      ArrowDown: row.nextElementSibling,
      ArrowUp: row.previousElementSibling,
      Home: row.parentElement!.firstElementChild,
      End: row.parentElement!.lastElementChild,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    next?.querySelector<HTMLElement>('input, .place-contact')?.focus()
  }
  const idAt = (target: EventTarget) => (target as Element).closest<HTMLElement>('[data-place]')?.dataset.place
  return (
    <ul
      ref={list}
      className="place-list"
      aria-label="Places"
      aria-busy={isStale}
      data-stale={isStale ? '' : undefined}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        const id = idAt(target)
        setCurrentId(id)
        onActivate(id ?? null)
      }}
      onClick={({ target }) => onActivate(idAt(target) ?? null)}
    >
      {places.map((place) => (
        <PlaceRow
          key={place.source_id}
          place={place}
          isTicked={ticks.ticked.has(place.source_id)}
          isActive={place.source_id === active}
          isCurrent={place.source_id === tabId}
          isDisabled={isStale}
          onToggle={ticks.toggle}
        />
      ))}
    </ul>
  )
}

/** Scrolls to what was pressed on the map, within the list alone: the page stays where it is. */
function useShownWhenActive(list: React.RefObject<HTMLUListElement | null>, active: string | null): void {
  useEffect(() => {
    if (active === null || list.current?.matches(':focus-within')) return
    const row = list.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(active)}"]`)
    const box = list.current?.closest<HTMLElement>('.prospecting-results')
    if (!row || !box) return
    const [rowAt, boxAt] = [row.getBoundingClientRect(), box.getBoundingClientRect()]
    if (rowAt.top < boxAt.top || rowAt.bottom > boxAt.bottom) box.scrollTop += rowAt.top - boxAt.top - boxAt.height / 3
  }, [active, list])
}
