import { type Static, Type } from 'typebox'
import { nullable, optional } from '../http/fields.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })

/** What people add; the service writes the other kinds. */
export const NOTE_KINDS = ['note', 'call', 'email', 'meeting'] as const
export type NoteKind = (typeof NOTE_KINDS)[number]

/** The kinds that the service writes itself. */
export const OWN_KINDS = ['created', 'imported', 'stage_changed', 'task_completed'] as const
export type OwnKind = (typeof OWN_KINDS)[number]

const noteFields = {
  kind: Type.Enum([...NOTE_KINDS], { type: 'string' }),
  body: Type.String({ description: 'Plain text.', minLength: 1, maxLength: 10_000 }),
  occurred_at: time('When it was; now unless said.'),
}

/** A line of a contact's history. */
export const Activity = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum([...NOTE_KINDS, ...OWN_KINDS], { type: 'string' }),
    body: Type.String(),
    occurred_at: time('When it was.'),
    edited_at: nullable(time('When it was last edited.')),
    author: Type.String({ description: 'Name of the member, the API key or the imported file.' }),
    is_own: Type.Boolean({ description: 'Whether who asks may edit and delete it.' }),
  },
  { $id: 'Activity', additionalProperties: false },
)
export type Activity = Static<typeof Activity>

export const Activities = Type.Object(
  {
    data: Type.Array(Activity),
    meta: Type.Object(
      {
        count: Type.Integer({ description: 'All that the contact has.' }),
        next: nullable(Type.String({ description: 'As `before`, asks for those that follow; null at the end.' })),
      },
      { additionalProperties: false },
    ),
  },
  { $id: 'Activities', additionalProperties: false, description: 'Newest first.' },
)
export type Activities = Static<typeof Activities>

export const ActivityQuery = Type.Object(
  {
    before: Type.Optional(Type.String({ maxLength: 100 })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  },
  { additionalProperties: false },
)
export type ActivityQuery = Static<typeof ActivityQuery>

export const NoteInput = Type.Object(
  { ...noteFields, occurred_at: Type.Optional(noteFields.occurred_at) },
  { $id: 'NoteInput', additionalProperties: false },
)
export type NoteInput = Static<typeof NoteInput>

export const NotePatch = Type.Object(optional(noteFields), { $id: 'NotePatch', additionalProperties: false })
export type NotePatch = Static<typeof NotePatch>
