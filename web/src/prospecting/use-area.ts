/** The area to be searched, as the list and the map agree on it. */
import type { Box, PlaceSource } from '@server/prospecting/schema.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  boxAround,
  isSameSize,
  isSameView,
  isWithin,
  type MapView,
  radiusAt,
  radiusOf,
  sideOf,
  startView,
  USUAL_SIDE_PX,
  viewOf,
  WORLD,
  zoomFor,
} from './area.ts'
import { findCities, loadCities } from './cities.ts'

export interface Area {
  /** Undefined until it is known where to begin. */
  view: MapView | undefined
  /** What **Search this area** searches: all that the map shows, or without a map a square around the middle. */
  box: Box | undefined
  /** From the middle to the nearest edge. */
  radiusM: number
  /** The map has been moved: it says where it looks, and what it shows. */
  onMove: (view: MapView, box: Box) => void
  goTo: (place: { latitude: number; longitude: number }, radiusM: number) => void
  setRadius: (radiusM: number) => void
  /** Shows where the places of this source are. */
  goToSource: (source: PlaceSource) => void
}

/** How something is to be seen on a map whose shorter side is so long. */
type Fit = (sidePx: number) => MapView

/** @param initial from the address */
export function useArea(
  initial: { view: MapView | undefined; box: Box | undefined },
  source: PlaceSource | undefined,
): Area {
  const sidePx = useRef(USUAL_SIDE_PX)
  /** What is to be seen, until somebody moves the map: it is shown anew when the map turns out to be of another size. */
  const wanted = useRef<Fit | undefined>(undefined)
  const [view, setView] = useState(() => {
    const { box } = initial
    if (!initial.view && box) wanted.current = (side) => viewOf(box, side)
    return initial.view ?? wanted.current?.(USUAL_SIDE_PX)
  })
  const latest = useRef(view)
  latest.current = view
  const [seen, setSeen] = useState<{ view: MapView; box: Box }>()
  const box = useMemo(() => {
    if (seen && seen.view === view) return seen.box
    return view && boxAround(view, radiusAt(view, sidePx.current))
  }, [view, seen])

  const onMove = useCallback((next: MapView, shown: Box) => {
    const side = sideOf(shown, next)
    const isOtherSize = !isSameSize(side, sidePx.current)
    sidePx.current = side
    if (isOtherSize && wanted.current) return setView(wanted.current(side))
    if (!latest.current || !isSameView(next, latest.current)) wanted.current = undefined
    setView(next)
    setSeen({ view: next, box: shown })
  }, [])
  const show = useCallback((fit: Fit) => {
    wanted.current = fit
    setView(fit(sidePx.current))
  }, [])
  const goTo = useCallback(
    ({ latitude, longitude }: { latitude: number; longitude: number }, radiusM: number) =>
      show((side) => ({ latitude, longitude, zoom: zoomFor(radiusM, latitude, side) })),
    [show],
  )
  const begin = useCallback(
    async (at: PlaceSource | undefined) => {
      const sourceBox = at?.box ?? null
      if (startView(sourceBox, undefined, sidePx.current)) {
        return show((side) => startView(sourceBox, undefined, side) ?? WORLD)
      }
      const before = latest.current
      const home = await homeCity()
      // Somebody may have gone elsewhere meanwhile.
      if (latest.current !== before) return
      show((side) => startView(sourceBox, home, side) ?? (sourceBox ? viewOf(sourceBox, side) : WORLD))
    },
    [show],
  )
  const goToSource = useCallback(
    (next: PlaceSource) => {
      if (next.box && !(view && isWithin(view, next.box))) void begin(next)
    },
    [begin, view],
  )
  const isBegun = view !== undefined
  useEffect(() => {
    if (!isBegun) void begin(source)
  }, [isBegun, begin, source])

  return {
    view,
    box,
    radiusM: box ? radiusOf(box) : 0,
    onMove,
    goTo,
    setRadius: (radiusM) => view && goTo(view, radiusM),
    goToSource,
  }
}

/** A guess that needs no network: the city that this browser's time zone is named after. */
async function homeCity() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const name = zone.split('/').at(-1)!.replaceAll('_', ' ')
  const cities = zone.includes('/') ? await loadCities().catch(() => []) : []
  return findCities(cities, name, 1)[0]
}
