import type { GeoJSONSourceSpecification, StyleSpecification } from 'maplibre-gl'
import type { MapColours } from './map-colours.ts'

/** Without a `glyphs` address, the map draws letters with the fonts of the page. */
export const FONT = ['Inter Variable', 'sans-serif']

const EMPTY: GeoJSONSourceSpecification = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } }

/** The built-in world. Its sources are filled when their files have come: the map is there before. */
export function worldStyle(colours: MapColours): StyleSpecification {
  const halo = { 'text-halo-color': colours['map-land'], 'text-halo-width': 1.2 }
  return {
    version: 8,
    sources: { graticule: EMPTY, land: EMPTY, borders: EMPTY, countries: EMPTY, cities: { ...EMPTY, maxzoom: 12 } },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours['map-water'] } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours['map-land'] } },
      {
        id: 'graticule',
        type: 'line',
        source: 'graticule',
        paint: { 'line-color': colours['map-line'], 'line-width': 0.75, 'line-opacity': 0.4 },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        layout: { 'line-join': 'round' },
        paint: {
          'line-color': colours['map-line'],
          'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.6, 6, 1.4, 12, 2],
        },
      },
      {
        id: 'cities',
        type: 'symbol',
        source: 'cities',
        minzoom: 2.5,
        filter: ['>=', ['get', 'population'], ['step', ['zoom'], 4e6, 4, 15e5, 5, 6e5, 6, 2e5, 7, 8e4, 8, 3e4, 9, 0]],
        layout: {
          'icon-image': 'city',
          'symbol-sort-key': ['-', ['get', 'population']],
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': ['interpolate', ['linear'], ['zoom'], 3, ['case', big, 12, 11], 10, ['case', big, 17, 13]],
          'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
          'text-radial-offset': 0.5,
          'text-justify': 'auto',
          'text-padding': 4,
        },
        paint: { 'text-color': colours['text-2'], ...halo },
      },
      {
        id: 'countries',
        type: 'symbol',
        source: 'countries',
        minzoom: 1,
        maxzoom: 7,
        filter: ['>=', ['get', 'size'], ['step', ['zoom'], 150, 2, 40, 3, 6, 4, 1, 5, 0]],
        layout: {
          'symbol-sort-key': ['-', ['get', 'size']],
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-transform': 'uppercase',
          'text-letter-spacing': 0.12,
          'text-size': ['interpolate', ['linear'], ['zoom'], 1, 9.5, 6, 14],
          'text-max-width': 7,
          'text-padding': 6,
        },
        paint: { 'text-color': colours['text-2'], ...halo },
      },
    ],
  }
}

const big: ['>=', ['get', string], number] = ['>=', ['get', 'population'], 1e6]
