/** Which contacts are meant, and in what order: the web app's list, changes of many, export and saved views alike. */
import { type Static, Type } from 'typebox'
import { nullable } from '../http/fields.ts'

const CHOICES_MAX = 60

const choices = (description: string) =>
  Type.Array(nullable(Type.String({ maxLength: 64 })), { description, maxItems: CHOICES_MAX })

export const ContactFilter = Type.Object(
  {
    q: Type.Optional(
      nullable(
        Type.String({ description: 'A part of the name or the company, ignoring case and accents.', maxLength: 200 }),
      ),
    ),
    stages: Type.Optional(choices('One of these stages; null stands for none.')),
    labels: Type.Optional(choices('One of these labels; null stands for none.')),
    tag: Type.Optional(nullable(Type.String({ description: 'Exactly this tag.', maxLength: 64 }))),
    has_stage: Type.Optional(Type.Boolean({ description: 'Whether it is a deal.' })),
    import_id: Type.Optional(
      nullable(Type.String({ description: 'Added or changed by this import.', format: 'uuid' })),
    ),
  },
  { $id: 'ContactFilter', additionalProperties: false, description: 'All that is said has to hold; nothing is all.' },
)
export type ContactFilter = Static<typeof ContactFilter>

/** What lists of contacts can be sorted by; `created` is the order of ids. */
export const SORT_KEYS = ['created', 'name', 'company', 'value', 'updated'] as const
export type SortKey = (typeof SORT_KEYS)[number]

/** Ties by id in the same direction; contacts without the value come last both ways. */
export const ContactSort = Type.Enum([...SORT_KEYS, ...SORT_KEYS.map((key): `-${SortKey}` => `-${key}`)], {
  type: 'string',
  description: 'By what; `-` in front is descending.',
  default: '-created',
})
export type ContactSort = Static<typeof ContactSort>
