/** A feature of GeoJSON (RFC 7946): as OpenStreetMap's tools, QGIS and Overture Maps write it, or of one's own making. */
import { categoryOfWord } from './categories.ts'
import { osmFields, type Tags } from './osm-place.ts'
import {
  addressOf,
  type FieldName,
  fieldCalled,
  numberOf,
  type Position,
  placeOf,
  type RawPlace,
  textOf,
  type Unfit,
} from './place-fields.ts'
import type { Place } from './schema.ts'

export interface Feature {
  type: 'Feature'
  id?: unknown
  properties?: unknown
  geometry?: unknown
}

type Properties = Readonly<Record<string, unknown>>

/** Where the values of a feature come from. */
export type Origin = 'osm' | 'overture' | 'other'

export function isFeature(value: unknown): value is Feature {
  return (value as Feature | null)?.type === 'Feature'
}

/** @returns the place, or why it is none, and from where it comes */
export function placeOfFeature(feature: Feature): { place: Place | Unfit; origin: Origin; licences: string[] } {
  const properties = objectOf(feature.properties)
  const position = positionOf(feature.geometry)
  const overture = overtureFields(feature, properties)
  if (overture)
    return { place: placeOf({ ...overture, position }), origin: 'overture', licences: licencesOf(properties) }
  const tags = tagsOf(properties)
  const id = osmId(feature, properties)
  if (id || hasOsmKeys(tags)) {
    const place = placeOf({ ...osmFields(tags), id: id ?? feature.id, position })
    return { place, origin: 'osm', licences: [] }
  }
  return { place: placeOf({ ...otherFields(feature, properties), position }), origin: 'other', licences: [] }
}

/** In OpenStreetMap's way of writing, `node/123`. */
function osmId({ id }: Feature, properties: Properties): string | undefined {
  const { '@id': atId, full_id: fullId, type, id: ownId } = properties
  for (const candidate of [atId, fullId, `${type}/${ownId}`, id]) {
    const match = typeof candidate === 'string' && OSM_ID.exec(candidate)
    if (match) return `${OSM_TYPES[match[1]![0]!]}/${match[2]}`
  }
  return undefined
}

/** `n123` is how the QuickOSM plug-in of QGIS writes it. */
const OSM_ID = /^(node\/|way\/|relation\/|[nwr])(\d{1,20})$/
const OSM_TYPES: Record<string, string> = { n: 'node', w: 'way', r: 'relation' }

/** Tags stand among the properties, in one that is called so, or as ogr2ogr writes those it has no column for. */
function tagsOf(properties: Properties): Tags {
  const { tags, other_tags: others } = properties
  if (typeof tags === 'object' && tags !== null) return objectOf(tags)
  if (typeof others !== 'string') return properties
  const pairs = [...others.matchAll(/"((?:[^"\\]|\\.)*)"=>"((?:[^"\\]|\\.)*)"/g)]
  const columns = Object.entries(properties).filter(([, value]) => value !== null)
  return Object.fromEntries([...pairs.map(([, key, value]) => [unescaped(key!), unescaped(value!)]), ...columns])
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}

const OSM_KEYS = ['amenity', 'shop', 'office', 'craft', 'tourism', 'healthcare', 'leisure', 'addr:street', 'osm_id']

function hasOsmKeys(tags: Tags): boolean {
  return OSM_KEYS.some((key) => typeof tags[key] === 'string')
}

/** https://docs.overturemaps.org/schema/reference/places/place/ @returns undefined for what is none of Overture's */
function overtureFields({ id }: Feature, properties: Properties): Omit<RawPlace, 'position'> | undefined {
  const { names, categories, basic_category: basic, addresses, phones, websites, emails } = properties
  const name = objectOf(names).primary
  if (typeof name !== 'string') return undefined
  const word = textOf(objectOf(categories).primary ?? basic)
  const { freeform, postcode, locality } = objectOf(firstOf(addresses))
  return {
    id: id ?? properties.id,
    name,
    category: categoryOfWord(word),
    category_text: word,
    address: addressOf({ street: freeform, postcode, city: locality }),
    phone: firstOf(phones),
    website: firstOf(websites),
    email: firstOf(emails),
  }
}

/** Those that the providers of an Overture feature have given it under, where it says so. */
function licencesOf({ sources }: Properties): string[] {
  if (!Array.isArray(sources)) return []
  return sources.map((source) => textOf(objectOf(source).license)).filter((licence) => licence !== null)
}

function otherFields({ id }: Feature, properties: Properties): Omit<RawPlace, 'position'> {
  const values: Partial<Record<FieldName, unknown>> = {}
  for (const [name, value] of Object.entries(properties)) {
    const field = fieldCalled(name)
    if (field && value !== null && value !== '') values[field] ??= value
  }
  const word = textOf(values.category)
  return {
    ...values,
    id: id ?? values.id,
    name: values.name,
    category: categoryOfWord(word),
    category_text: word,
    address: values.address ?? addressOf(values),
    phone: values.phone,
    website: values.website,
    email: values.email,
  }
}

/** Where a point lies, and the middle between the outermost corners of all else, as Overpass has it. */
function positionOf(geometry: unknown): Position | undefined {
  const { coordinates, geometries } = objectOf(geometry)
  if (isPoint(coordinates)) return pointOf(coordinates)
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity]
  const waiting = Array.isArray(geometries) ? geometries.map((one) => objectOf(one).coordinates) : [coordinates]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (!Array.isArray(next)) continue
    const point = isPoint(next) ? pointOf(next) : undefined
    if (!point) {
      for (const one of next) waiting.push(one)
      continue
    }
    south = Math.min(south, point.latitude)
    north = Math.max(north, point.latitude)
    west = Math.min(west, point.longitude)
    east = Math.max(east, point.longitude)
  }
  return south <= north ? { latitude: (south + north) / 2, longitude: (west + east) / 2 } : undefined
}

function isPoint(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length >= 2 && !Array.isArray(value[0])
}

function pointOf([x, y]: unknown[]): Position | undefined {
  const [longitude, latitude] = [numberOf(x), numberOf(y)]
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
}

function firstOf(values: unknown): unknown {
  return Array.isArray(values) ? values[0] : undefined
}

function objectOf(value: unknown): Properties {
  return typeof value === 'object' && value !== null ? (value as Properties) : {}
}
