/** What lies above the map's background: the places found, one's own contacts, and the box that was searched. */
import type { MapContact } from '@server/prospecting/add-schema.ts'
import type { Box, FoundPlace } from '@server/prospecting/schema.ts'
import type { Feature, FeatureCollection, Point, Polygon } from 'geojson'
import type {
  GeoJSONSourceSpecification,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl'
import type { StageColour } from '../../ui/stage-colours.ts'
import type { MapColours } from './map-colours.ts'

export type PlaceState = 'found' | 'ticked' | 'contact'

export const SOURCES = {
  searched: 'kith searched',
  contacts: 'kith contacts',
  places: 'kith places',
  active: 'kith active',
}
export const LAYERS = {
  searched: 'kith searched',
  contacts: 'kith contacts',
  places: 'kith places',
  clusters: 'kith clusters',
  active: 'kith active',
}

/** Where places stand so near to each other that one would hide the other, they are one mark with their number. */
const CLUSTER_PX = 36
const CLUSTER_ZOOM_MAX = 16

/** @returns the style with all that is ours above it */
export function withOverlay(style: StyleSpecification, colours: MapColours): StyleSpecification {
  return {
    ...style,
    sources: { ...style.sources, ...overlaySources() },
    layers: [...style.layers, ...overlayLayers(colours)],
  }
}

function overlaySources(): Record<string, SourceSpecification> {
  const empty: GeoJSONSourceSpecification = { type: 'geojson', data: collection([]) }
  return {
    [SOURCES.searched]: empty,
    [SOURCES.contacts]: empty,
    [SOURCES.places]: {
      ...empty,
      cluster: true,
      clusterRadius: CLUSTER_PX,
      clusterMaxZoom: CLUSTER_ZOOM_MAX,
      maxzoom: CLUSTER_ZOOM_MAX + 1,
      clusterProperties: { ticked: ['+', ['case', ['==', ['get', 'state'], 'ticked'], 1, 0]] },
    },
    [SOURCES.active]: empty,
  }
}

export function overlayLayers(colours: MapColours): LayerSpecification[] {
  const mark = (id: string, source: string, image: unknown): LayerSpecification => ({
    ...{ id, type: 'symbol', source },
    layout: { 'icon-image': image as string, 'icon-allow-overlap': true, 'icon-ignore-placement': true },
  })
  const isCluster = ['has', 'point_count'] as ['has', string]
  return [
    {
      ...{ id: LAYERS.searched, type: 'line', source: SOURCES.searched },
      paint: { 'line-color': colours.accent, 'line-width': 1.5, 'line-dasharray': [3, 2] },
    },
    mark(LAYERS.contacts, SOURCES.contacts, ['concat', 'own-', ['get', 'tone']]),
    { ...mark(LAYERS.places, SOURCES.places, ['concat', 'place-', ['get', 'state']]), filter: ['!', isCluster] },
    { ...mark(LAYERS.clusters, SOURCES.places, CLUSTER_IMAGE), filter: isCluster },
    mark(LAYERS.active, SOURCES.active, ['concat', 'active-', ['get', 'state']]),
  ] as LayerSpecification[]
}

const CLUSTER_IMAGE = [
  ...['concat', 'cluster-', ['get', 'point_count_abbreviated'], '-'],
  ['case', ['==', ['get', 'ticked'], 0], 'none', ['==', ['get', 'ticked'], ['get', 'point_count']], 'all', 'some'],
]

export function placeState({ source_id, contact }: FoundPlace, ticked: ReadonlySet<string>): PlaceState {
  if (contact) return 'contact'
  return ticked.has(source_id) ? 'ticked' : 'found'
}

export function placeFeatures(places: readonly FoundPlace[], ticked: ReadonlySet<string>): FeatureCollection<Point> {
  return collection(places.map((place) => at(place, { id: place.source_id, state: placeState(place, ticked) })))
}

/** @param toneOf the colour of a stage */
export function contactFeatures(
  contacts: readonly MapContact[],
  toneOf: (stage: string | null) => StageColour,
): FeatureCollection<Point> {
  return collection(contacts.map((contact) => at(contact, { id: contact.id, tone: toneOf(contact.deal_stage) })))
}

export function boxFeatures(box: Box | null): FeatureCollection<Polygon> {
  if (!box) return collection([])
  const { south, west, north, east } = box
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return collection([{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [corners] } }])
}

/** "Ada Lovelace, Analytical Engines" */
export function contactName({ full_name, company }: Pick<MapContact, 'full_name' | 'company'>): string {
  return [full_name, company].filter(Boolean).join(', ') || 'No name'
}

function at(place: { latitude: number; longitude: number }, properties: object): Feature<Point> {
  const { longitude, latitude } = place
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [longitude, latitude] } }
}

function collection<G extends Point | Polygon>(features: Feature<G>[]): FeatureCollection<G> {
  return { type: 'FeatureCollection', features }
}
