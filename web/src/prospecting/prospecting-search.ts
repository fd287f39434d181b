/** The address of the prospecting page: `/prospecting?source&category&text&lat&lon&zoom&box&contacts`. */
import type { Category } from '@server/prospecting/categories.ts'
import type { Box } from '@server/prospecting/schema.ts'
import { boxFrom, boxText, fixed, type MapView } from './area.ts'
import { CATEGORY_WORDS } from './place-words.ts'

export interface ProspectingSearch {
  /** `file:…`, `overpass` or `upload:…`; without it the first there is. */
  source?: string | undefined
  /** What is looked for, chosen and not necessarily searched for yet. */
  category?: Category | undefined
  text?: string | undefined
  /** Where the map looks. */
  lat?: number | undefined
  lon?: number | undefined
  zoom?: number | undefined
  /** What was searched: with it the page shows what was found there. */
  box?: string | undefined
  /** Whether one's own contacts are on the map. */
  contacts?: true | undefined
}

const TEXT_MAX = 100

/** Reads what is in the address; what makes no sense there is left out. */
export function prospectingSearch(raw: Record<string, unknown>): ProspectingSearch {
  const lat = numberOf(raw.lat, 90)
  const lon = numberOf(raw.lon, 180)
  const zoom = numberOf(raw.zoom, 24)
  const hasView = lat !== undefined && lon !== undefined && zoom !== undefined && zoom >= 0
  const box = boxFrom(raw.box)
  const search: ProspectingSearch = {
    source: textOf(raw.source),
    category: Object.hasOwn(CATEGORY_WORDS, String(raw.category)) ? (raw.category as Category) : undefined,
    text: textOf(raw.text),
    ...(hasView && { lat, lon, zoom }),
    box: box && boxText(box),
    contacts: raw.contacts === true || raw.contacts === 'true' ? true : undefined,
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}

export function viewIn({ lat, lon, zoom }: ProspectingSearch): MapView | undefined {
  if (lat === undefined || lon === undefined || zoom === undefined) return undefined
  return { latitude: lat, longitude: lon, zoom }
}

/** A view as the address has it. */
export function viewSearch({ latitude, longitude, zoom }: MapView): Pick<ProspectingSearch, 'lat' | 'lon' | 'zoom'> {
  return { lat: fixed(latitude), lon: fixed(longitude), zoom: fixed(zoom, 2) }
}

export function searchedBox({ box }: ProspectingSearch): Box | undefined {
  return boxFrom(box)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim().slice(0, TEXT_MAX) || undefined : undefined
}

function numberOf(value: unknown, most: number): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= most ? number : undefined
}
