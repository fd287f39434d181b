/** How each source of places is told of. */
import { OSM_TERMS } from './osm-place.ts'
import type { Box, PlaceSource } from './schema.ts'
import type { PlaceSet } from './set-store.ts'
import type { PlaceUpload } from './upload-store.ts'

export const OVERPASS_SOURCE: PlaceSource = {
  id: 'overpass',
  kind: 'overpass',
  name: 'OpenStreetMap',
  ...OSM_TERMS,
  places: null,
  box: null,
}

export function fileSource(set: PlaceSet): PlaceSource {
  return { id: `file:${set.id}`, kind: 'file', ...termsOf(set), box: boxOf(set) }
}

export function uploadSource(upload: PlaceUpload): PlaceSource {
  return { id: `upload:${upload.id}`, kind: 'upload', ...termsOf(upload), box: boxOf(upload) }
}

type Kept = PlaceSet | PlaceUpload

function termsOf({ name, licence, attribution, attribution_url, places }: Kept) {
  return { name, licence, attribution, attribution_url, places }
}

function boxOf({ south, west, north, east }: Kept): Box | null {
  if (south === null || west === null || north === null || east === null) return null
  return { south, west, north, east }
}
