import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useRef, useState } from 'react'
import { boxBetween, isDrawn, type Point } from './selection.ts'

/** A rectangle, or a line around. */
export type Tool = 'box' | 'lasso'

export interface Drawing {
  /** Closed from its end to its beginning; empty while nothing is drawn. */
  line: readonly Point[]
  begin: (event: ReactPointerEvent, tool: Tool) => void
}

/** Points nearer to each other make no better line. */
const STEP_PX = 3

/**
 * Draws a line with the pointer until it is let go.
 *
 * @param onDone with the line; undefined when it was a click, or the pointer was taken away
 */
export function useDrawing(frame: { current: HTMLElement | null }, onDone: (line?: Point[]) => void): Drawing {
  const [line, setLine] = useState<readonly Point[]>([])
  const done = useRef(onDone)
  done.current = onDone
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])

  const begin = useCallback(
    (event: ReactPointerEvent, tool: Tool) => {
      stop.current()
      const controller = new AbortController()
      const { left, top } = frame.current!.getBoundingClientRect()
      const { pointerId } = event
      const at = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => [clientX - left, clientY - top]
      const from = at(event)
      let drawn: Point[] = [from]
      const end = (result?: Point[]) => {
        stop.current()
        done.current(result)
      }
      stop.current = () => {
        controller.abort()
        setLine([])
      }
      const on = (type: 'pointermove' | 'pointerup' | 'pointercancel', listener: (event: PointerEvent) => void) =>
        window.addEventListener(type, (one) => one.pointerId === pointerId && listener(one), controller)
      on('pointermove', (moved) => {
        const to = at(moved)
        const [x, y] = drawn.at(-1)!
        if (tool === 'lasso' && Math.hypot(to[0] - x, to[1] - y) < STEP_PX) return
        drawn = tool === 'box' ? boxBetween(from, to) : [...drawn, to]
        setLine(drawn)
      })
      on('pointerup', () => end(isDrawn(drawn) ? drawn : undefined))
      on('pointercancel', () => end())
    },
    [frame],
  )
  return { line, begin }
}
