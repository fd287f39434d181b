/** So long a slow machine may take to draw what gets the focus. */
const WATCH_MS = 2_000

/**
 * Moves the focus to what is about to appear, or to be drawn anew in another place, past a menu or a dialog that gives
 * it back while it closes. It ends as soon as a person presses anything, or the focus has been taken elsewhere.
 *
 * @returns ends it
 */
export function focusSoon(find: () => HTMLElement | null): () => void {
  const origin = document.activeElement
  const untilMs = performance.now() + WATCH_MS
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => stopping.abort()
  document.addEventListener('pointerdown', stop, { signal, capture: true })
  document.addEventListener('keydown', stop, { signal, capture: true })
  const look = () => {
    if (signal.aborted) return
    const element = find()
    const active = document.activeElement
    if (element && active !== element) {
      if (active && active !== origin && !isPassing(active, element)) return stop()
      element.focus()
    }
    if (performance.now() < untilMs) requestAnimationFrame(look)
    else stop()
  }
  look()
  return stop
}

/** Whether the focus will not stay there: it has fallen to the page, or is in what closes. */
function isPassing(active: Element, element: HTMLElement): boolean {
  return active === document.body || element.contains(active) || active.closest('.popover, .dialog') !== null
}
