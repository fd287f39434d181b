/** The background of the map: which one there is, and how it is made ready. */
import type { MapAnswer } from '@server/web/map-schema.ts'
import { addProtocol, type GeoJSONSource, type Map as MapLibre, type StyleSpecification } from 'maplibre-gl'
import countriesUrl from 'world-atlas/countries-50m.json?url'
import { get } from '../../api/client.ts'
import { loadCities } from '../cities.ts'
import { absoluteStyle, PMTILES, usesPmtiles } from './absolute-style.ts'
import type { MapColours } from './map-colours.ts'
import { rasterStyle, vectorStyle } from './tile-style.ts'
import { type CountriesTopology, worldOf } from './world.ts'
import { worldStyle } from './world-style.ts'

export interface Background {
  style: StyleSpecification
  /** The built-in world, whose sources are still to be filled. */
  isWorld: boolean
  /** The same in other colours; of a style that the operator has made there is only one. */
  recoloured(colours: MapColours): StyleSpecification | undefined
  /** Why this is not the one that the operator has chosen. */
  failure?: string
}

export const NOT_LOADED = 'The background of the map could not be loaded.'

/** The one that the operator has chosen; the built-in world where there is none, or it cannot be had. */
export async function loadBackground(colours: MapColours): Promise<Background> {
  try {
    const { style_url: address } = await get<MapAnswer>('/map')
    if (address === null) return builtInWorld(colours)
    const url = new URL(address, location.href)
    return await (url.pathname.toLowerCase().endsWith('.pmtiles') ? tiles(url.href, colours) : ownStyle(url.href))
  } catch (error) {
    console.warn(NOT_LOADED, error)
    return { ...builtInWorld(colours), failure: NOT_LOADED }
  }
}

/** Brings land, borders and names into the built-in world: what comes later shows later. */
export async function fillWorld(map: MapLibre): Promise<void> {
  const set = (name: string, data: Parameters<GeoJSONSource['setData']>[0]) =>
    map.getSource<GeoJSONSource>(name)?.setData(data)
  const land = fetchCountries().then(({ land, borders, names }) => {
    set('land', land)
    set('borders', borders)
    set('countries', names)
  })
  const cities = loadCities().then((all) =>
    set('cities', {
      type: 'FeatureCollection',
      features: all.map(({ name, population, longitude, latitude }) => ({
        type: 'Feature',
        properties: { name, population },
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
      })),
    }),
  )
  await Promise.all([land, cities])
}

async function fetchCountries() {
  const answer = await fetch(countriesUrl)
  if (!answer.ok) throw new Error(`The countries were answered with ${answer.status}.`)
  return worldOf((await answer.json()) as CountriesTopology)
}

export function builtInWorld(colours: MapColours): Background {
  return { style: worldStyle(colours), isWorld: true, recoloured: worldStyle }
}

async function ownStyle(url: string): Promise<Background> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`The style was answered with ${answer.status}.`)
  const style = absoluteStyle((await answer.json()) as StyleSpecification, url)
  if (usesPmtiles(style)) await readingPmtiles()
  return { style, isWorld: false, recoloured: () => undefined }
}

async function tiles(url: string, colours: MapColours): Promise<Background> {
  const { PMTiles, TileType, protocol } = await readingPmtiles()
  const file = new PMTiles(url)
  protocol.add(file)
  const { tileType } = await file.getHeader()
  const styleIn = (now: MapColours) => (tileType === TileType.Mvt ? vectorStyle : rasterStyle)(PMTILES + url, now)
  return { style: styleIn(colours), isWorld: false, recoloured: styleIn }
}

/** Lets the map read PMTiles files. */
async function readingPmtiles() {
  const { PMTiles, Protocol, TileType } = await import('pmtiles')
  const protocol = new Protocol({ metadata: true })
  addProtocol('pmtiles', protocol.tile)
  return { PMTiles, TileType, protocol }
}
