/** The dialogs for a new contact and a new task, which any page and the palette can open. The shell shows them. */
import { useSyncExternalStore } from 'react'

export type Creating =
  | { record: 'contact'; fullName?: string | undefined }
  | { record: 'task'; contactId?: string | undefined; contactName?: string | undefined }

let current: Creating | undefined
const listeners = new Set<() => void>()

export function startCreating(creating: Creating): void {
  set(creating)
}

export function stopCreating(): void {
  set(undefined)
}

export function useCreating(): Creating | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}

function set(next: Creating | undefined): void {
  current = next
  for (const listener of listeners) listener()
}
