import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { RowSpan } from './pages.ts'
import { elementPx, offsetToShow, rowsInView, type Scrolled, scrolledTo, settledTop, topFor } from './scroll-map.ts'

/** Rows drawn above and below those in view, and how many rows a scroll passes before others are drawn. */
const SPARE_ROWS = 8
const STEP_ROWS = 4

export interface RowWindow {
  /** The rows to draw; `last` is below `first` when there are none. */
  drawn: RowSpan
  inView: RowSpan
  /** More than are ever drawn at once: a row that goes can leave its elements to one that comes (`row % slots`). */
  slots: number
  /** From the top of the body of the list to a row. */
  topOf: (row: number) => number
  bodyPx: number
  /** Rows that are whole in view. */
  pageRows: number
  /** Brings a row into view with the least scrolling. */
  show: (row: number) => void
  /** Scrolls so that the view begins this far into the list. */
  scrollTo: (offset: number) => void
  offset: () => number
}

/**
 * Which rows of a long list are in view, for rows of one height. Rows are drawn in the frame in which they come into
 * view: the scroll is answered before the browser paints.
 *
 * @param list what scrolls; null while it is not there
 * @param headPx of the element's height that rows scroll under
 */
export function useRowWindow(
  list: HTMLElement | null,
  { rows, rowPx, headPx }: { rows: number; rowPx: number; headPx: number },
): RowWindow {
  const [viewPx, setViewPx] = useState(600)
  const [, redraw] = useState(0)
  const shape = useMemo(() => ({ listPx: rows * rowPx, viewPx, rowPx }), [rows, rowPx, viewPx])
  const scrolled = useRef<Scrolled>({ top: 0, offset: 0 })
  const latest = useRef(shape)
  latest.current = shape

  const inView = rowsInView(scrolled.current.offset, shape)
  const drawn = drawnRows(inView, rows)
  const shift = shiftOf(scrolled.current)
  // Set when it is on the page: a drawing that has begun and was put off must not count as done.
  const shown = useRef({ drawn, shift })
  useLayoutEffect(() => {
    shown.current = { drawn, shift }
  })

  const scrollTo = useCallback(
    (offset: number) => {
      scrolled.current = topFor(offset, latest.current)
      if (list) list.scrollTop = scrolled.current.top
      redraw((count) => count + 1)
    },
    [list],
  )

  useEffect(() => {
    if (!list) return
    scrolled.current = scrolledTo(scrolled.current, list.scrollTop, latest.current)
    const follow = () => {
      scrolled.current = scrolledTo(scrolled.current, list.scrollTop, latest.current)
      const next = drawnRows(rowsInView(scrolled.current.offset, latest.current), rowsOf(latest.current))
      const { drawn, shift } = shown.current
      if (next.first === drawn.first && next.last === drawn.last && shiftOf(scrolled.current) === shift) return
      flushSync(() => redraw((count) => count + 1))
    }
    const settle = () => {
      const settled = settledTop(scrolled.current, latest.current)
      if (settled.top === scrolled.current.top) return
      scrolled.current = settled
      list.scrollTop = settled.top
      redraw((count) => count + 1)
    }
    list.addEventListener('scroll', follow, { passive: true })
    list.addEventListener('scrollend', settle)
    return () => {
      list.removeEventListener('scroll', follow)
      list.removeEventListener('scrollend', settle)
    }
  }, [list])

  useLayoutEffect(() => {
    if (!list) return
    const measure = () => setViewPx(Math.max(list.clientHeight - headPx, rowPx))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(list)
    return () => observer.disconnect()
  }, [list, headPx, rowPx])

  // A list that became shorter has moved the element by itself.
  useLayoutEffect(() => {
    const end = Math.max(shape.listPx - shape.viewPx, 0)
    if (scrolled.current.offset > end) scrollTo(end)
  }, [shape, scrollTo])

  return {
    drawn,
    inView,
    slots: Math.ceil(viewPx / rowPx) + 2 * SPARE_ROWS + 3 * STEP_ROWS,
    topOf: (row) => row * rowPx - shift,
    bodyPx: elementPx(shape),
    pageRows: Math.max(Math.floor(viewPx / rowPx) - 1, 1),
    show: useCallback(
      (row: number) => {
        const { offset } = scrolled.current
        const target = offsetToShow(row, offset, latest.current)
        if (target !== offset) scrollTo(target)
      },
      [scrollTo],
    ),
    scrollTo,
    offset: useCallback(() => scrolled.current.offset, []),
  }
}

/** In steps, so that a slow scroll draws once in several rows. */
function drawnRows({ first, last }: RowSpan, rows: number): RowSpan {
  const from = Math.floor(Math.max(first - SPARE_ROWS, 0) / STEP_ROWS) * STEP_ROWS
  const to = Math.ceil((last + 1 + SPARE_ROWS) / STEP_ROWS) * STEP_ROWS - 1
  return { first: from, last: Math.min(to, rows - 1) }
}

function rowsOf({ listPx, rowPx }: { listPx: number; rowPx: number }): number {
  return Math.round(listPx / rowPx)
}

/** How far the list is ahead of the element. */
function shiftOf({ top, offset }: Scrolled): number {
  return offset - top
}
