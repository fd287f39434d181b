import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'

interface RowDrag {
  row: RefObject<HTMLLIElement | null>
  handle: RefObject<HTMLSpanElement | null>
  isOver: boolean
}

/**
 * Lets a row be dragged by its handle onto another of the same list. Buttons do the same, without a pointer.
 *
 * @param list tells the lists of one page apart
 */
export function useRowDrag(list: string, at: number, onMove: (from: number, to: number) => void): RowDrag {
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [isOver, setOver] = useState(false)
  const move = useRef(onMove)
  move.current = onMove
  useEffect(() => {
    const element = row.current!
    const isOurs = ({ source }: { source: { data: Record<string | symbol, unknown> } }) => source.data.list === list
    return combine(
      draggable({ element, dragHandle: handle.current!, getInitialData: () => ({ list, at }) }),
      dropTargetForElements({
        element,
        canDrop: isOurs,
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source }) => {
          setOver(false)
          move.current(source.data.at as number, at)
        },
      }),
    )
  }, [list, at])
  return { row, handle, isOver }
}
