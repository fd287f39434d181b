import { type Static, Type } from 'typebox'
import { nullable } from '../http/fields.ts'
import { CATEGORIES } from './categories.ts'

/** The widest area that a search may cover, in square degrees. */
export const AREA_MAX = { file: 1, upload: 1, overpass: 0.05 } as const

export const PLACES_MAX = 500

/** What an uploaded file may have. */
export const UPLOAD_BYTES_MAX = 32 * 1024 * 1024

const closed = { additionalProperties: false } as const

const choice = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] })

const text = nullable(Type.String())
const latitude = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north, WGS 84.' })
const longitude = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east, WGS 84.' })
const count = Type.Integer({ minimum: 0 })

export const Box = Type.Object({ south: latitude, west: longitude, north: latitude, east: longitude }, closed)
export type Box = Static<typeof Box>

/** A business as a source has it. Every text fits the field of a contact that it would become. */
export const Place = Type.Object(
  {
    /** Tells it apart within its source, and stays the same when the source is loaded again. */
    source_id: Type.String(),
    name: Type.String(),
    category: nullable(choice(CATEGORIES)),
    /** As the source says it. */
    category_text: text,
    address: text,
    phone: text,
    website: text,
    email: text,
    latitude,
    longitude,
  },
  closed,
)
export type Place = Static<typeof Place>

export const PlaceSource = Type.Object(
  {
    /** `file:<uuid>`, `overpass` or `upload:<uuid>`. */
    id: Type.String(),
    kind: choice(['file', 'overpass', 'upload']),
    name: Type.String(),
    licence: text,
    /** To be shown wherever its places are. */
    attribution: Type.String(),
    attribution_url: text,
    /** How many places it has; null where nobody can say. */
    places: nullable(count),
    /** Where they lie; null where nobody can say. */
    box: Type.Union([Box, Type.Null()]),
  },
  closed,
)
export type PlaceSource = Static<typeof PlaceSource>

/** Why a place is taken for a contact that is there already. */
export const RECOGNISED_BY = ['same_place', 'same_phone', 'same_website', 'near_and_similar'] as const

export const KnownContact = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    reason: choice(RECOGNISED_BY),
  },
  closed,
)
export type KnownContact = Static<typeof KnownContact>

export const FoundPlace = Type.Object(
  {
    ...Place.properties,
    /** From the centre of the area that was searched. */
    distance_m: count,
    contact: Type.Union([KnownContact, Type.Null()]),
  },
  closed,
)
export type FoundPlace = Static<typeof FoundPlace>

export const PlaceSources = Type.Object({ data: Type.Array(PlaceSource) }, closed)
export type PlaceSources = Static<typeof PlaceSources>

export const PlaceQuery = Type.Object(
  {
    source: Type.String({ maxLength: 100 }),
    ...Box.properties,
    category: Type.Optional(choice(CATEGORIES)),
    text: Type.Optional(Type.String({ maxLength: 100, description: 'A part of the name, ignoring case and accents.' })),
    limit: Type.Integer({ minimum: 1, maximum: PLACES_MAX, default: 200 }),
  },
  closed,
)
export type PlaceQuery = Static<typeof PlaceQuery>

export const FoundPlaces = Type.Object(
  {
    /** The nearest to the centre of the area first. */
    data: Type.Array(FoundPlace),
    /** `count`: how many there are in the area; `is_cut`: there are more than are listed. */
    meta: Type.Object({ count, is_cut: Type.Boolean() }, closed),
    source: PlaceSource,
  },
  closed,
)
export type FoundPlaces = Static<typeof FoundPlaces>

export const UploadPlacesQuery = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }, closed)
export type UploadPlacesQuery = Static<typeof UploadPlacesQuery>
