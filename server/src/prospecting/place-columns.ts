/** The columns that the tables of sets and of uploads, and those of their places, have alike. */
import { foldForSearch } from '../text/search-text.ts'
import type { Category } from './categories.ts'
import type { Place } from './schema.ts'

/** The columns that sets and uploads have alike. */
export const SOURCE_COLUMNS = [
  'id',
  'name',
  'licence',
  'attribution',
  'attribution_url',
  'places',
  'south',
  'west',
  'north',
  'east',
] as const

export const PLACE_COLUMNS = [
  'source_id',
  'name',
  'category',
  'category_text',
  'address',
  'phone',
  'website',
  'email',
  'latitude',
  'longitude',
] as const

/** With their types, as rows of places are handed to a statement. */
export const GIVEN_COLUMNS = {
  source_id: 'text',
  name: 'text',
  search_text: 'text',
  category: 'text',
  category_text: 'text',
  address: 'text',
  phone: 'text',
  website: 'text',
  email: 'text',
  latitude: 'float8',
  longitude: 'float8',
} as const

/** A row of the columns above. */
export function givenPlace(place: Place) {
  return { ...place, search_text: foldForSearch(place.name) }
}

/** The place of a row: what categories there are, this program has written. */
export function placeOfRow(row: Omit<Place, 'category'> & { category: string | null }): Place {
  return { ...row, category: row.category as Category | null }
}
