import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import type { MapColours } from './map-colours.ts'
import { FONT } from './world-style.ts'

const SOURCE = 'tiles'

/** How pictures are shown: as they are, a little calmer in the dark. */
export function rasterStyle(address: string, colours: MapColours): StyleSpecification {
  return {
    version: 8,
    sources: { [SOURCE]: { type: 'raster', url: address, tileSize: 256 } },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours['map-land'] } },
      { id: 'pictures', type: 'raster', source: SOURCE },
    ],
  }
}

/**
 * How vector tiles are drawn that come without a style, by the layers' names of Protomaps' basemap. What a file does
 * not have is left out by itself.
 *
 * @see https://docs.protomaps.com/basemaps/layers
 */
export function vectorStyle(address: string, colours: MapColours): StyleSpecification {
  const layers: LayerSpecification[] = [
    { id: 'ground', type: 'background', paint: { 'background-color': colours['map-land'] } },
    ...areas(colours),
    ...lines(colours),
    ...names(colours),
  ]
  return { version: 8, sources: { [SOURCE]: { type: 'vector', url: address } }, layers }
}

function areas(colours: MapColours): LayerSpecification[] {
  const area = (layer: string, color: string, rest: object = {}): LayerSpecification => ({
    ...{ id: `area ${layer}`, type: 'fill', source: SOURCE, 'source-layer': layer, paint: { 'fill-color': color } },
    ...rest,
  })
  const isGreen = { filter: ['in', ['get', 'kind'], ['literal', GREEN]] }
  return [
    area('earth', colours['map-land'], { filter: ['==', ['geometry-type'], 'Polygon'] }),
    area('landcover', colours['map-green'], {
      paint: { 'fill-color': colours['map-green'], 'fill-opacity': 0.5 },
      ...isGreen,
    }),
    area('landuse', colours['map-green'], isGreen),
    area('water', colours['map-water'], { filter: ['==', ['geometry-type'], 'Polygon'] }),
    area('buildings', colours['map-building'], { minzoom: 14 }),
  ]
}

const GREEN = [
  ...['park', 'forest', 'wood', 'grass', 'grassland', 'meadow', 'garden', 'nature_reserve', 'national_park'],
  ...['cemetery', 'golf_course', 'pitch', 'recreation_ground', 'village_green', 'scrub', 'orchard', 'allotments'],
]

/** Pixels at zoom 6, 13 and 18 for each kind of road; what is not here is a path. */
const ROAD_WIDTHS: Record<string, [number, number, number]> = {
  highway: [0.8, 4, 26],
  major_road: [0.3, 2.6, 20],
  minor_road: [0, 1, 14],
}

function lines(colours: MapColours): LayerSpecification[] {
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  const from = (layer: string) => ({ type: 'line', source: SOURCE, 'source-layer': layer }) as const
  const roads = Object.entries(ROAD_WIDTHS).reverse()
  const road = (kind: string, part: 'edge' | 'middle'): LayerSpecification => ({
    ...{ id: `road ${kind} ${part}`, ...from('roads'), filter: ['==', ['get', 'kind'], kind], layout: round },
    minzoom: kind === 'minor_road' ? 11.5 : 5,
    paint: {
      'line-color': part === 'edge' ? colours['map-line'] : colours['map-road'],
      'line-width': widthOf(ROAD_WIDTHS[kind]!, part === 'edge' ? 1.6 : 0),
    },
  })
  return [
    {
      ...{ id: 'rivers', ...from('water'), filter: ['==', ['geometry-type'], 'LineString'], layout: round },
      paint: { 'line-color': colours['map-water'], 'line-width': widthOf([0.5, 1.2, 8], 0) },
    },
    {
      ...{ id: 'paths', ...from('roads'), minzoom: 14, filter: ['==', ['get', 'kind'], 'path'] },
      paint: { 'line-color': colours['map-line'], 'line-width': 1, 'line-dasharray': [2, 1.5] },
    },
    {
      ...{ id: 'rails', ...from('roads'), minzoom: 11, filter: ['==', ['get', 'kind'], 'rail'] },
      paint: { 'line-color': colours['map-line'], 'line-width': 1.2 },
    },
    ...roads.map(([kind]) => road(kind, 'edge')),
    ...roads.map(([kind]) => road(kind, 'middle')),
    {
      ...{ id: 'boundaries', ...from('boundaries'), layout: round },
      paint: { 'line-color': colours['line-strong'], 'line-width': 0.8, 'line-opacity': 0.6, 'line-dasharray': [4, 2] },
    },
  ]
}

function widthOf([far, near, nearest]: [number, number, number], more: number) {
  const add = (px: number) => (px === 0 ? 0 : px + more)
  return [
    ...['interpolate', ['exponential', 1.6], ['zoom']],
    ...[6, add(far), 13, add(near), 18, add(nearest)],
  ] as unknown as number
}

function names(colours: MapColours): LayerSpecification[] {
  const look = { 'text-color': colours['text-2'], 'text-halo-color': colours['map-land'], 'text-halo-width': 1.4 }
  // English where there is no other name to be read in: Kith's own language.
  const name = ['coalesce', ['get', 'name'], ['get', 'name:en'], ''] as unknown as string
  return [
    {
      ...{ id: 'road names', type: 'symbol', source: SOURCE, 'source-layer': 'roads', minzoom: 14 },
      filter: ['in', ['get', 'kind'], ['literal', Object.keys(ROAD_WIDTHS)]],
      layout: { 'symbol-placement': 'line', 'text-field': name, 'text-font': FONT, 'text-size': 11.5 },
      paint: look,
    },
    {
      ...{ id: 'place names', type: 'symbol', source: SOURCE, 'source-layer': 'places' },
      layout: {
        'text-field': name,
        'text-font': FONT,
        'text-size': ['match', ['get', 'kind'], 'country', 14, 'region', 12, 'locality', 14, 12],
        'text-max-width': 8,
        'symbol-sort-key': ['-', ['coalesce', ['get', 'population_rank'], 0]],
      },
      paint: look,
    },
  ]
}
