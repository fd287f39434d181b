/** Places as OpenStreetMap has them: https://wiki.openstreetmap.org/wiki/OSM_JSON and its tags. */
import { categoryOfTags } from './categories.ts'
import { addressOf, type Position, placeOf, type RawPlace, type Unfit } from './place-fields.ts'
import type { Place } from './schema.ts'

export type Tags = Readonly<Record<string, unknown>>

/** What has to be said of the data, and where. */
export const OSM_TERMS = {
  licence: 'ODbL 1.0',
  attribution: '© OpenStreetMap contributors',
  attribution_url: 'https://www.openstreetmap.org/copyright',
} as const

export interface OsmElement {
  type: 'node' | 'way' | 'relation'
  id: number
  lat?: unknown
  lon?: unknown
  /** With `out center`. */
  center?: { lat?: unknown; lon?: unknown }
  /** With `out bb`. */
  bounds?: { minlat?: unknown; minlon?: unknown; maxlat?: unknown; maxlon?: unknown }
  tags?: Tags
}

export function isOsmElement(value: unknown): value is OsmElement {
  const { type, id } = (value ?? {}) as Record<string, unknown>
  return (type === 'node' || type === 'way' || type === 'relation') && Number.isSafeInteger(id)
}

/** @returns the place, or why it is none */
export function placeOfElement(element: OsmElement): Place | Unfit {
  const { type, id, tags } = element
  return placeOf({
    ...osmFields(typeof tags === 'object' && tags !== null ? tags : {}),
    id: `${type}/${id}`,
    position: positionOf(element),
  })
}

/** What tags tell of a place. */
export function osmFields(tags: Tags): Omit<RawPlace, 'id' | 'position'> {
  const { category, text } = categoryOfTags(tags)
  const address = addressOf({
    street: tags['addr:street'] || tags['addr:place'],
    housenumber: tags['addr:housenumber'],
    postcode: tags['addr:postcode'],
    city: tags['addr:city'],
  })
  return {
    name: tags.name || tags.official_name || tags.brand,
    category,
    category_text: text,
    address: address ?? tags['addr:full'],
    phone: tags.phone || tags['contact:phone'] || tags['contact:mobile'] || tags.mobile,
    website: tags.website || tags['contact:website'] || tags.url,
    email: tags.email || tags['contact:email'],
  }
}

function positionOf({ lat, lon, center, bounds }: OsmElement): Position | undefined {
  const middle = (one: unknown, other: unknown) => (Number(one) + Number(other)) / 2
  const [latitude, longitude] =
    lat !== undefined
      ? [lat, lon]
      : center
        ? [center.lat, center.lon]
        : [middle(bounds?.minlat, bounds?.maxlat), middle(bounds?.minlon, bounds?.maxlon)]
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return { latitude, longitude }
}
