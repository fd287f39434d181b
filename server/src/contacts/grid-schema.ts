/** The web app's list of contacts. */
import { type Static, Type } from 'typebox'
import { nullable } from '../http/fields.ts'
import { pageFields } from '../http/paging.ts'
import { ContactSort } from './filter-schema.ts'
import { Contact } from './schema.ts'

/** A filter as one parameter of a query. */
export const FilterText = Type.String({ description: 'A ContactFilter as JSON.', maxLength: 6_000 })

export const GridQuery = Type.Object(
  {
    filter: Type.Optional(FilterText),
    sort: ContactSort,
    limit: Type.Integer({ ...pageFields.limit, default: 200 }),
    offset: pageFields.offset,
    count: Type.Enum(['true', 'false'], {
      type: 'string',
      description: 'Whether to count all that match.',
      default: 'true',
    }),
  },
  { additionalProperties: false },
)
export type GridQuery = Static<typeof GridQuery>

export const GridPage = Type.Object(
  {
    data: Type.Array(Contact),
    meta: Type.Object(
      {
        count: nullable(Type.Integer({ description: 'How many match; null when that was not asked for.' })),
        limit: Type.Integer(),
        offset: Type.Integer(),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type GridPage = Static<typeof GridPage>

export const ExportQuery = Type.Object(
  {
    filter: Type.Optional(FilterText),
    columns: Type.Optional(Type.String({ description: 'Names of fields between commas, or `all`.', maxLength: 200 })),
  },
  { additionalProperties: false },
)
export type ExportQuery = Static<typeof ExportQuery>

export const DuplicateQuery = Type.Object(
  {
    full_name: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    company: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
    email: Type.Optional(nullable(Type.String({ maxLength: 254 }))),
  },
  { additionalProperties: false, description: 'Of a contact that is about to be added.' },
)
export type DuplicateQuery = Static<typeof DuplicateQuery>

export const Duplicate = Type.Object(
  {
    id: Contact.properties.id,
    full_name: Contact.properties.full_name,
    company: Contact.properties.company,
    email: Contact.properties.email,
  },
  { additionalProperties: false },
)
export type Duplicate = Static<typeof Duplicate>

export const Duplicates = Type.Object({ data: Type.Array(Duplicate) }, { additionalProperties: false })
