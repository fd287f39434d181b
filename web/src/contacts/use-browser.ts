import { useEffect, useState, useSyncExternalStore } from 'react'

/** Too narrow for a grid: contacts are cards. */
export function useIsPhone(): boolean {
  return useMedia('(max-width: 639px)')
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
  )
}

/** A measure in px that the style sheet gives: it depends on density and pointer. */
export function useRowPx(): number {
  const isCoarse = useMedia('(pointer: coarse)')
  const [rowPx, setRowPx] = useState(measuredRow)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another pointer is another row.
  useEffect(() => {
    const measure = () => setRowPx(measuredRow())
    measure()
    const observer = new MutationObserver(measure)
    observer.observe(document.documentElement, { attributeFilter: ['data-density'] })
    return () => observer.disconnect()
  }, [isCoarse])
  return rowPx
}

function measuredRow(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 40
}

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}
