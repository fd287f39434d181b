/** How a person has arranged the columns, for each view, kept in this browser: nothing of it is personal data. */
import { useCallback, useMemo, useState } from 'react'
import { type Layout, layoutFrom, showingOnly, USUAL_LAYOUT } from './grid/columns.ts'
import { BUILT_IN_VIEWS, type View } from './list-query.ts'

const KEY = 'kith-contact-columns'

/** The views that everybody has share one arrangement; a saved view begins with its own columns. */
export function useColumnLayout(view: View | undefined): [Layout, (layout: Layout) => void] {
  const [layouts, setLayouts] = useState(kept)
  const key = view && !BUILT_IN_VIEWS.includes(view) ? view.id : 'usual'
  const layout = useMemo(() => {
    if (layouts[key] !== undefined) return layoutFrom(layouts[key])
    const usual = layouts.usual === undefined ? USUAL_LAYOUT : layoutFrom(layouts.usual)
    return view?.columns && view.columns.length > 0 ? showingOnly(usual, view.columns) : usual
  }, [layouts, key, view?.columns])
  const change = useCallback(
    (next: Layout) => {
      setLayouts((before) => {
        const changed = { ...before, [key]: next }
        keep(changed)
        return changed
      })
    },
    [key],
  )
  return [layout, change]
}

function kept(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function keep(layouts: Record<string, unknown>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(layouts))
  } catch {
    // No room, or not allowed: it holds until the page is closed.
  }
}
