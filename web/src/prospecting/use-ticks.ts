import type { FoundPlace } from '@server/prospecting/schema.ts'
import { useCallback, useMemo, useState } from 'react'

export interface Ticks {
  /** Those that are ticked and can still be added. */
  ticked: ReadonlySet<string>
  /** The ids of the places that are no contacts yet. */
  open: readonly string[]
  toggle: (sourceId: string) => void
  tickAll: (isOn: boolean) => void
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Which of the places are to be added. What has become a contact meanwhile is not.
 *
 * @param asked another search is another choice
 */
export function useTicks(places: readonly FoundPlace[], asked: string): Ticks {
  const [chosen, setChosen] = useState({ asked, ids: NONE })
  const ids = chosen.asked === asked ? chosen.ids : NONE
  const open = useMemo(() => places.filter(({ contact }) => contact === null).map((place) => place.source_id), [places])
  const ticked = useMemo(() => new Set(open.filter((id) => ids.has(id))), [open, ids])
  const toggle = useCallback(
    (sourceId: string) =>
      setChosen((before) => {
        const next = new Set(before.asked === asked ? before.ids : NONE)
        if (!next.delete(sourceId)) next.add(sourceId)
        return { asked, ids: next }
      }),
    [asked],
  )
  const tickAll = (isOn: boolean) => setChosen({ asked, ids: isOn ? new Set(open) : NONE })
  return { ticked, open, toggle, tickAll }
}
