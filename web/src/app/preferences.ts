/** What a person has chosen for this browser. Kept in localStorage: nothing of it is personal data. */
import { useSyncExternalStore } from 'react'

export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  /** The height of a row in lists: 40 or 32 px. */
  density: 'comfortable' | 'compact'
  /** Shortcuts of one key alone, such as `c` and `/`. */
  singleKeys: boolean
  /** Less motion than the system asks for; false follows the system. */
  reducedMotion: boolean
}

const DEFAULTS: Preferences = { theme: 'system', density: 'comfortable', singleKeys: true, reducedMotion: false }

/** Read by first-paint.js too. */
const KEY = 'kith-preferences'

let current = kept()
const listeners = new Set<() => void>()

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, preferences)
}

export function preferences(): Preferences {
  return current
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // No room, or not allowed: it holds until the page is closed.
  }
  applied()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function kept(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) }
  } catch {
    return DEFAULTS
  }
}

function applied(): void {
  const { dataset } = document.documentElement
  setOrRemove(dataset, 'theme', current.theme === 'system' ? undefined : current.theme)
  setOrRemove(dataset, 'density', current.density === 'compact' ? 'compact' : undefined)
  setOrRemove(dataset, 'motion', current.reducedMotion ? 'reduced' : undefined)
  for (const listener of listeners) listener()
}

function setOrRemove(dataset: DOMStringMap, name: string, value: string | undefined): void {
  if (value === undefined) delete dataset[name]
  else dataset[name] = value
}

// Another tab of the same browser has changed them.
window.addEventListener('storage', ({ key }) => {
  if (key !== KEY && key !== null) return
  current = kept()
  applied()
})
