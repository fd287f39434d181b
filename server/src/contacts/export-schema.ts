/** What a file of contacts may hold. */
import { type Static, Type } from 'typebox'
import type { ContactPlace } from '../prospecting/add-schema.ts'
import { ContactIds } from './bulk-schema.ts'
import { ContactFilter } from './filter-schema.ts'
import { Contact } from './schema.ts'

/** The columns of exported contacts, unless others are asked for; an import knows them by these names. */
export const CONTACT_COLUMNS = [
  'full_name',
  'company',
  'email',
  'phone',
  'location',
  'deal_stage',
  'deal_value',
  'label',
  'tags',
] as const satisfies (keyof Contact)[]

export type ContactColumn = keyof Contact

/** Behind the columns of a file in which a contact is that was found on a map. */
export const PLACE_COLUMNS = [
  'source',
  'source_id',
  'licence',
  'attribution',
  'website',
  'latitude',
  'longitude',
] as const satisfies (keyof ContactPlace)[]

/** Every field of a contact, which a file may have as a column. */
export const ALL_COLUMNS = Object.keys(Contact.properties) as ContactColumn[]

export const ContactExport = Type.Object(
  {
    ids: Type.Optional(ContactIds),
    filter: Type.Optional(ContactFilter),
    except: Type.Optional(ContactIds),
    columns: Type.Optional(
      Type.Array(Type.Enum(ALL_COLUMNS, { type: 'string' }), { maxItems: ALL_COLUMNS.length, 'x-distinct': true }),
    ),
  },
  { $id: 'ContactExport', additionalProperties: false, description: 'These contacts, or those that match.' },
)
export type ContactExport = Static<typeof ContactExport>
