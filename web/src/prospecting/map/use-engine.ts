import { type RefObject, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { usePreferences } from '../../app/preferences.ts'
import { SessionContext } from '../../app/session.ts'
import { useMedia } from '../../contacts/use-browser.ts'
import type { StageColour } from '../../ui/stage-colours.ts'
import { loadBackground, NOT_LOADED } from './background.ts'
import { mapColours } from './map-colours.ts'
import { type Hit, PlacesMapEngine } from './map-engine.ts'
import type { PlacesMapProps } from './places-map.tsx'

export interface EngineParts extends PlacesMapProps {
  onFault: () => void
  onClick: (hit: Hit | null) => void
  onHover: (hit: Hit | null) => void
}

export interface RunningEngine {
  /** Undefined until it can be told anything. */
  engine: PlacesMapEngine | undefined
  /** All is drawn. */
  isIdle: boolean
  /** What is wrong with the background. */
  failure: string | undefined
  /** Called whenever the map has moved by a frame. @returns how to stop it */
  onFrame: (listener: () => void) => () => void
}

/** Keeps a map in an element, and keeps it to what the properties say. */
export function useEngine(container: RefObject<HTMLElement | null>, parts: EngineParts): RunningEngine {
  const { view, places, ticked, active, contacts, searched = null } = parts
  const latest = useRef(parts)
  latest.current = parts
  const frames = useRef(new Set<() => void>())
  const onFrame = useRef((listener: () => void) => {
    frames.current.add(listener)
    return () => void frames.current.delete(listener)
  })
  const [running, setRunning] = useState<{ engine: PlacesMapEngine; failure: string | undefined }>()
  const [isIdle, setIdle] = useState(false)
  const engine = running?.engine
  const theme = useTheme()
  const toneOf = useToneOf()
  const isStill = useIsStill()

  useEffect(() => {
    const element = container.current!
    let made: PlacesMapEngine | undefined
    let isGone = false
    const start = async () => {
      const background = await loadBackground(mapColours(element))
      if (isGone) return
      const events = {
        onMove: (...now: Parameters<PlacesMapProps['onMove']>) => latest.current.onMove(...now),
        onClick: (hit: Hit | null) => latest.current.onClick(hit),
        onHover: (hit: Hit | null) => latest.current.onHover(hit),
        onFrame: () => frames.current.forEach((listener) => void listener()),
        onUnusable: () => setRunning((before) => before && { ...before, failure: NOT_LOADED }),
        onIdle: setIdle,
      }
      const colours = mapColours(element)
      const { view } = latest.current
      made = new PlacesMapEngine({ container: element, background, colours, view, reducedMotion: isStill, events })
      setRunning({ engine: made, failure: background.failure })
    }
    start().catch((error: unknown) => {
      console.warn('The map:', error)
      latest.current.onFault()
    })
    return () => {
      isGone = true
      made?.remove()
      setRunning(undefined)
    }
  }, [container, isStill])

  useEffect(() => engine?.goTo(view), [engine, view])
  useEffect(() => void engine?.showPlaces(places, ticked, active), [engine, places, ticked, active])
  useEffect(() => void engine?.showContacts(contacts, toneOf), [engine, contacts, toneOf])
  useEffect(() => void engine?.showSearched(searched), [engine, searched])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours.
  useEffect(() => void engine?.recolour(mapColours(container.current!)), [engine, theme])

  return { engine, isIdle, failure: running?.failure, onFrame: onFrame.current }
}

/** Another text when the colours are others. */
function useTheme(): string {
  const { theme } = usePreferences()
  const isDark = useMedia('(prefers-color-scheme: dark)')
  const hasContrast = useMedia('(prefers-contrast: more)')
  return `${theme} ${isDark} ${hasContrast}`
}

function useIsStill(): boolean {
  const { reducedMotion } = usePreferences()
  return useMedia('(prefers-reduced-motion: reduce)') || reducedMotion
}

/** The colour that the pipeline gives a stage. */
export function useToneOf(): (stage: string | null) => StageColour {
  const { stageColours } = useContext(SessionContext)
  return useCallback((stage) => (stage === null ? undefined : stageColours.get(stage)) ?? 'lead', [stageColours])
}
