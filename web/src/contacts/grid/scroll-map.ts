/**
 * Where a list is that is higher than an element can be.
 *
 * Browsers end an element at about 33 million px (Chromium) or 17.8 million (Firefox): 400,000 rows of 40 px. Above that,
 * the element has HEIGHT_PX_MAX and a small scroll still moves the rows by its own pixels, while a jump of the thumb
 * goes to its share of the list. Until the thumb is put back (`settledTop`) the two differ by a little.
 */
export const HEIGHT_PX_MAX = 16_000_000

export interface ScrollShape {
  /** Of all rows. */
  listPx: number
  /** That shows rows. */
  viewPx: number
}

/** `top` is the element's scrollTop, `offset` how far into the list the view begins. */
export interface Scrolled {
  top: number
  offset: number
}

export function elementPx({ listPx }: ScrollShape): number {
  return Math.min(listPx, HEIGHT_PX_MAX)
}

/** The element has been scrolled to `top`. */
export function scrolledTo(before: Scrolled, top: number, shape: ScrollShape): Scrolled {
  if (shape.listPx <= HEIGHT_PX_MAX) return { top, offset: top }
  const end = endOf(shape)
  if (top <= 0) return { top, offset: 0 }
  if (top >= end.top) return { top, offset: end.offset }
  const moved = top - before.top
  const isJump = Math.abs(moved) > 2 * shape.viewPx
  const offset = isJump ? (top / end.top) * end.offset : before.offset + moved
  return { top, offset: Math.min(Math.max(offset, 0), end.offset) }
}

/** Where the element has to be scrolled to so that the view begins at `offset`. */
export function topFor(offset: number, shape: ScrollShape): Scrolled {
  const end = endOf(shape)
  const clamped = Math.min(Math.max(offset, 0), end.offset)
  if (shape.listPx <= HEIGHT_PX_MAX) return { top: clamped, offset: clamped }
  return { top: end.offset === 0 ? 0 : Math.round((clamped / end.offset) * end.top), offset: clamped }
}

/** Where the thumb belongs once scrolling has ended. */
export function settledTop({ offset }: Scrolled, shape: ScrollShape): Scrolled {
  return topFor(offset, shape)
}

/** The rows that a view beginning at `offset` shows, whole or in part; none when there are no rows. */
export function rowsInView(offset: number, shape: ScrollShape & { rowPx: number }): { first: number; last: number } {
  const rows = Math.round(shape.listPx / shape.rowPx)
  const first = Math.floor(Math.max(offset, 0) / shape.rowPx)
  const last = Math.ceil((Math.max(offset, 0) + shape.viewPx) / shape.rowPx) - 1
  return { first: Math.min(first, Math.max(rows - 1, 0)), last: Math.min(last, rows - 1) }
}

/** The offset nearest to this one at which the row is whole in view. */
export function offsetToShow(
  row: number,
  offset: number,
  { rowPx, viewPx }: { rowPx: number; viewPx: number },
): number {
  const start = row * rowPx
  if (start < offset) return start
  if (start + rowPx > offset + viewPx) return Math.min(start, start + rowPx - viewPx)
  return offset
}

function endOf({ listPx, viewPx }: ScrollShape): Scrolled {
  return {
    top: Math.max(Math.min(listPx, HEIGHT_PX_MAX) - viewPx, 0),
    offset: Math.max(listPx - viewPx, 0),
  }
}
