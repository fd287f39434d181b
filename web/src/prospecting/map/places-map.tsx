import './map.css'
import type { MapContact } from '@server/prospecting/add-schema.ts'
import type { Box, FoundPlace } from '@server/prospecting/schema.ts'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { MapView } from '../area.ts'

export interface PlacesMapProps {
  view: MapView
  /** The map has come to rest elsewhere, or has been drawn for the first time. */
  onMove: (view: MapView, box: Box) => void
  places: FoundPlace[]
  ticked: ReadonlySet<string>
  /** The place whose card is open. */
  active: string | null
  onActivate: (sourceId: string | null) => void
  onTick: (sourceId: string) => void
  contacts: MapContact[]
  onSelectContacts: (ids: string[]) => void
  /** The box that the places were looked for in. */
  searched?: Box | null
  /** Who has gathered the places. */
  attribution: ReactNode
}

const NO_WEBGL = 'The map needs WebGL, which this browser does not offer. The list works without it.'
const NOT_LOADED = 'The map could not be loaded. The list works without it.'

/** What a browser needs that can draw the map is loaded by itself: 400 KB. */
const MapCanvas = lazy(() =>
  import('./map-canvas.tsx').then(
    (module) => ({ default: module.MapCanvas }),
    () => ({ default: () => <NoMap why={NOT_LOADED} /> }),
  ),
)

/** Places and own contacts on a map. All that can be done here can be done in the list too. */
export function PlacesMap(props: PlacesMapProps) {
  const [fault, setFault] = useState(() => (hasWebgl() ? undefined : NO_WEBGL))
  if (fault) return <NoMap why={fault} />
  return (
    <Suspense fallback={<div className="map map-skeleton" aria-busy="true" />}>
      <MapCanvas {...props} onFault={() => setFault(NO_WEBGL)} />
    </Suspense>
  )
}

function NoMap({ why }: { why: string }) {
  return (
    <div className="map map-none">
      <p>{why}</p>
    </div>
  )
}

function hasWebgl(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}
