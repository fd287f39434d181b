import { type Static, Type } from 'typebox'
import { ContactFilter, ContactSort } from '../contacts/filter-schema.ts'
import { optional } from '../http/fields.ts'

const COLUMNS_MAX = 40

const name = Type.String({ description: 'Any, no two the same.', minLength: 1, maxLength: 64 })
const columns = Type.Array(Type.String({ maxLength: 40 }), {
  description: 'Names of columns, in their order; none leaves them as they are.',
  maxItems: COLUMNS_MAX,
})

/** A way to look at the contacts that somebody has saved, for all members of the org. */
export const View = Type.Object(
  { id: Type.String({ format: 'uuid' }), name, filter: ContactFilter, sort: ContactSort, columns },
  { $id: 'View', additionalProperties: false },
)
export type View = Static<typeof View>

export const ViewInput = Type.Object(
  {
    name,
    filter: ContactFilter,
    sort: Type.Optional(ContactSort),
    columns: Type.Optional(columns),
  },
  { $id: 'ViewInput', additionalProperties: false },
)
export type ViewInput = Static<typeof ViewInput>

export const ViewPatch = Type.Object(optional(ViewInput.properties), { $id: 'ViewPatch', additionalProperties: false })
export type ViewPatch = Static<typeof ViewPatch>
