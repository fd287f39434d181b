/** Messages at the bottom left: what has been done, and what failed. */
import { useSyncExternalStore } from 'react'

export interface ToastContent {
  text: string
  /** Adds **Undo**. */
  undo?: (() => unknown) | undefined
  /** Another way on, such as **Try again**. */
  action?: { text: string; run: () => unknown } | undefined
  /** `danger` stays until it is closed. */
  tone?: 'ok' | 'danger' | undefined
}

export interface Toast extends ToastContent {
  id: number
}

const TOASTS_MAX = 3
export const TOAST_MS = 6_000

let toasts: Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** @returns closes it */
export function toast(content: ToastContent): () => void {
  const id = ++lastId
  set([...toasts, { ...content, id }].slice(-TOASTS_MAX))
  return () => closeToast(id)
}

export function closeToast(id: number): void {
  set(toasts.filter((shown) => shown.id !== id))
}

export function useToasts(): Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
}

function set(next: Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}
