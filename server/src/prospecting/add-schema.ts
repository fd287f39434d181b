/** Adding places as contacts, and contacts on the map. */
import { type Static, Type } from 'typebox'
import { ContactInput } from '../contacts/schema.ts'
import { nullable } from '../http/fields.ts'
import { IMPORT_STATES } from '../imports/ui-schema.ts'
import { Box, KnownContact, PLACES_MAX, type Place } from './schema.ts'

const closed = { additionalProperties: false } as const

const SOURCE_ID_LENGTH_MAX = 200
export const CONTACTS_MAX = 5_000

const count = Type.Integer({ minimum: 0 })
const sourceIds = Type.Array(Type.String({ minLength: 1, maxLength: SOURCE_ID_LENGTH_MAX }), {
  maxItems: PLACES_MAX,
  'x-distinct': true,
})

const { deal_stage, label, tags } = ContactInput.properties

/** The server looks the places up itself: what they hold never comes from a browser. */
export const AddPlaces = Type.Object(
  { source: Type.String({ maxLength: 100 }), source_ids: sourceIds, deal_stage, label, tags },
  { $id: 'AddPlaces', ...closed, description: 'Places of a source, and what all of them become.' },
)
export type AddPlaces = Static<typeof AddPlaces>

export const AddedPlaces = Type.Object(
  {
    /** The import that they are added by, which can be undone; null when there was none to add. */
    import_id: nullable(Type.String({ format: 'uuid' })),
    /** `running` while there is more to do, which it goes on with by itself. */
    state: Type.Unsafe<(typeof IMPORT_STATES)[number]>({ type: 'string', enum: [...IMPORT_STATES] }),
    added: count,
    already: Type.Array(Type.Object({ source_id: Type.String(), contact: KnownContact }, closed)),
    /** Places that the source has no more. */
    gone: Type.Array(Type.String()),
  },
  { $id: 'AddedPlaces', ...closed },
)
export type AddedPlaces = Static<typeof AddedPlaces>

export const MapContactsQuery = Type.Object(
  { ...Box.properties, limit: Type.Integer({ minimum: 1, maximum: CONTACTS_MAX, default: CONTACTS_MAX }) },
  closed,
)
export type MapContactsQuery = Static<typeof MapContactsQuery>

export const MapContact = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    full_name: nullable(Type.String()),
    company: nullable(Type.String()),
    deal_stage: nullable(Type.String()),
    label: nullable(Type.String()),
    latitude: Type.Number(),
    longitude: Type.Number(),
  },
  closed,
)
export type MapContact = Static<typeof MapContact>

export const MapContacts = Type.Object(
  {
    /** The newest first. */
    data: Type.Array(MapContact),
    /** How many lie in the area. */
    meta: Type.Object({ count }, closed),
  },
  closed,
)
export type MapContacts = Static<typeof MapContacts>

/** Where a contact was found. */
export const ContactPlace = Type.Object(
  {
    source: Type.String(),
    source_id: Type.String(),
    licence: nullable(Type.String()),
    attribution: Type.String(),
    attribution_url: nullable(Type.String()),
    category: nullable(Type.String()),
    website: nullable(Type.String()),
    latitude: Type.Number(),
    longitude: Type.Number(),
    added_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'ContactPlace', ...closed },
)
export type ContactPlace = Static<typeof ContactPlace>

/** The place as it is kept while it waits to be added, with what its contact is to hold. */
export interface PlaceToAdd {
  input: ContactInput
  place: Pick<Place, 'source_id' | 'category' | 'category_text' | 'website' | 'latitude' | 'longitude'>
  source: { id: string; name: string; licence: string | null; attribution: string; attribution_url: string | null }
}
