/** What every reader of places makes of its values. */
import { createHash } from 'node:crypto'
import { nameWords } from '../text/name-words.ts'
import type { Category } from './categories.ts'
import type { Place } from './schema.ts'

const NAME_LENGTH_MAX = 200
const TEXT_LENGTH_MAX = 500
const ID_LENGTH_MAX = 200
/** Some 11 mm: as OpenStreetMap keeps it. */
const DECIMALS = 1e7

/** Why something in a file is left out. */
export type Unfit = 'no_name' | 'no_position' | 'broken'

export interface Position {
  latitude: number
  longitude: number
}

/** What a reader has found, in any form. */
export interface RawPlace {
  /** What tells it apart in its source; undefined where there is nothing. */
  id: unknown
  name: unknown
  category: Category | null
  category_text: unknown
  address: unknown
  phone: unknown
  website: unknown
  email: unknown
  position: Position | undefined
}

/** @returns the place, or why it is none */
export function placeOf(raw: RawPlace): Place | Unfit {
  const name = textOf(raw.name, NAME_LENGTH_MAX)
  if (name === null) return 'no_name'
  const position = raw.position && onEarth(raw.position)
  if (!position) return 'no_position'
  return {
    source_id: textOf(raw.id, ID_LENGTH_MAX) ?? idOf(name, position),
    name,
    category: raw.category,
    category_text: textOf(raw.category_text),
    address: textOf(raw.address),
    phone: textOf(raw.phone),
    website: textOf(raw.website),
    email: textOf(raw.email),
    ...position,
  }
}

/** A text or a number as one line; null for all else. */
export function textOf(value: unknown, lengthMax = TEXT_LENGTH_MAX): string | null {
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : null
  const line = (UNCLEAN.test(value) ? value.replace(CONTROLS, ' ').replace(/\s+/gu, ' ').trim() : value).toWellFormed()
  if (line.length <= lengthMax) return line || null
  return [...line].slice(0, lengthMax).join('').trim()
}

/** A number as JSON has it, or written with a point or a comma. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const text = value.trim().replace(/^([+-]?\d+),(\d+)$/, '$1.$2')
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** The place is called by its columns, or by the names of its properties: in the words of most who make lists. */
export const FIELD_NAMES = {
  id: ['id', 'osm id', 'place id', 'source id', 'identifier'],
  name: ['name', 'title', 'business name', 'company', 'company name', 'place name', 'nom', 'nombre', 'firma', 'име'],
  latitude: ['latitude', 'lat', 'y', 'breitengrad', 'latitud', 'latitudine', 'широта'],
  longitude: ['longitude', 'lon', 'lng', 'long', 'x', 'langengrad', 'longitud', 'longitudine', 'долгота'],
  category: ['category', 'type', 'kind', 'amenity', 'shop', 'kategorie', 'categorie', 'categoria', 'категорија'],
  address: ['address', 'full address', 'adresse', 'anschrift', 'direccion', 'indirizzo', 'адреса', 'адрес'],
  street: ['street', 'addr street', 'strasse', 'rue', 'calle', 'via', 'улица'],
  housenumber: ['housenumber', 'house number', 'addr housenumber', 'hausnummer', 'numero', 'број'],
  postcode: ['postcode', 'postal code', 'zip', 'zip code', 'addr postcode', 'plz'],
  city: ['city', 'town', 'addr city', 'stadt', 'ort', 'ville', 'ciudad', 'citta', 'град'],
  phone: ['phone', 'telephone', 'phone number', 'tel', 'contact phone', 'telefon', 'telefono', 'телефон'],
  website: ['website', 'web', 'url', 'site', 'homepage', 'www', 'contact website', 'webseite', 'sitio web'],
  email: ['email', 'e mail', 'mail', 'email address', 'contact email', 'correo', 'courriel'],
} as const satisfies Record<string, readonly string[]>

export type FieldName = keyof typeof FIELD_NAMES

/** @returns which field goes by this name; undefined where none does */
export function fieldCalled(name: string): FieldName | undefined {
  return FIELD_OF_NAME.get(nameWords(name))
}

const FIELD_OF_NAME: ReadonlyMap<string, FieldName> = new Map(
  Object.entries(FIELD_NAMES).flatMap(([field, names]) => names.map((name) => [name, field as FieldName] as const)),
)

/** `Main Street 12, 1000 Skopje` */
export function addressOf(parts: { street?: unknown; housenumber?: unknown; postcode?: unknown; city?: unknown }) {
  const join = (one: unknown, other: unknown) => [textOf(one), textOf(other)].filter((part) => part).join(' ')
  const lines = [join(parts.street, parts.housenumber), join(parts.postcode, parts.city)]
  return lines.filter((line) => line !== '').join(', ') || null
}

const UNCLEAN = /\p{Cc}|^\s|\s$|\s\s|[^\S ]/u
const CONTROLS = /\p{Cc}/gu

function onEarth({ latitude, longitude }: Position): Position | undefined {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return undefined
  return {
    latitude: Math.round(latitude * DECIMALS) / DECIMALS,
    longitude: Math.round(longitude * DECIMALS) / DECIMALS,
  }
}

/** Of a place without an id: the same as long as its name and position are. */
function idOf(name: string, { latitude, longitude }: Position): string {
  return createHash('sha256').update(`${name}\n${latitude}\n${longitude}`).digest('base64url').slice(0, 22)
}
