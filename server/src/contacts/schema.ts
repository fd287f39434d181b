import { type Static, Type } from 'typebox'
import { nullable, optional, serverSet } from '../http/fields.ts'
import { pageFields } from '../http/paging.ts'

const NAME_MAX = 64

const text = (description: string, maxLength: number, example: string) =>
  nullable(Type.String({ description, maxLength, examples: [example] }))

const id = Type.String({
  format: 'uuid',
  description: 'Set by the server.',
  examples: ['0196ceb0-5c1e-7a3d-8f00-2b1d9c4e7a10'],
})

const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-14T09:30:00.000Z'] })

const tags = Type.Array(Type.String({ maxLength: NAME_MAX }), {
  description: 'Trimmed; repeats and empty ones are dropped, the order is kept.',
  maxItems: 50,
  'x-distinct': true,
  examples: [['fintech', 'berlin']],
})

const fields = {
  full_name: text('One of full_name and company is always there.', 200, 'Ada Lovelace'),
  company: text('One of full_name and company is always there.', 200, 'Analytical Engines Ltd'),
  email: nullable(
    Type.String({ format: 'email', description: 'An e-mail address.', maxLength: 254, examples: ['ada@example.com'] }),
  ),
  phone: text('Free text.', 50, '+44 20 7946 0000'),
  location: text('Free text.', 200, 'London, United Kingdom'),
  deal_stage: text('A contact with a stage is a deal. Any name, unless the pipeline is strict.', NAME_MAX, 'lead'),
  deal_value: nullable(
    Type.Number({ description: 'In the currency of the org.', minimum: -1e15, maximum: 1e15, examples: [48200] }),
  ),
  label: text('Any name.', NAME_MAX, 'hot'),
}

const created_at = time('When it was created, UTC.')
const updated_at = time('When it was last changed, UTC.')

export const Contact = Type.Object(
  { id, ...fields, tags, created_at, updated_at },
  { $id: 'Contact', additionalProperties: false, description: 'A person or company; a deal when deal_stage is set.' },
)
export type Contact = Static<typeof Contact>

/** The body of a POST and of a PATCH alike: that one of the names must be there is a rule of the actions. */
export const ContactInput = Type.Object(
  {
    ...optional({ ...fields, tags: nullable(tags) }),
    id: serverSet(id),
    created_at: serverSet(created_at),
    updated_at: serverSet(updated_at),
  },
  { $id: 'ContactInput', additionalProperties: false, description: 'The fields to set; null clears a field.' },
)
export type ContactInput = Static<typeof ContactInput>

export const ContactListItem = Type.Object(
  {
    id,
    full_name: fields.full_name,
    company: fields.company,
    deal_stage: fields.deal_stage,
    deal_value: fields.deal_value,
    label: fields.label,
  },
  { $id: 'ContactListItem', additionalProperties: false },
)
export type ContactListItem = Static<typeof ContactListItem>

export const ContactQuery = Type.Object(
  {
    ...pageFields,
    label: Type.Optional(Type.String({ description: 'Exactly this label.', maxLength: NAME_MAX })),
    stage: Type.Optional(Type.String({ description: 'Exactly this stage.', maxLength: NAME_MAX })),
    q: Type.Optional(
      Type.String({ description: 'A part of the name or the company, ignoring case and accents.', maxLength: 200 }),
    ),
  },
  { additionalProperties: false },
)
export type ContactQuery = Static<typeof ContactQuery>
