/** Changing many contacts in one go. */
import { type Static, Type } from 'typebox'
import { TaskInput } from '../tasks/schema.ts'
import { ContactFilter } from './filter-schema.ts'
import { Contact, ContactInput } from './schema.ts'

const IDS_MAX = 10_000

export const ContactIds = Type.Array(Contact.properties.id, { maxItems: IDS_MAX })

const { deal_stage, label } = ContactInput.properties
const { title, priority, category, due_at } = TaskInput.properties
const tag = Type.String({ minLength: 1, maxLength: 64 })

export const ContactsChange = Type.Object(
  {
    set: Type.Optional(Type.Object({ deal_stage, label }, { additionalProperties: false })),
    add_tag: Type.Optional(tag),
    remove_tag: Type.Optional(tag),
    add_task: Type.Optional(Type.Object({ title, priority, category, due_at }, { additionalProperties: false })),
    delete: Type.Optional(Type.Boolean({ description: 'For good; with nothing else beside it.' })),
  },
  { $id: 'ContactsChange', additionalProperties: false, description: 'What is done to each of the contacts.' },
)
export type ContactsChange = Static<typeof ContactsChange>

export const BulkRequest = Type.Object(
  {
    ids: Type.Optional(ContactIds),
    filter: Type.Optional(ContactFilter),
    except: Type.Optional(ContactIds),
    expected: Type.Optional(
      Type.Integer({ description: 'How many were shown: with more of them now, nothing is done.', minimum: 0 }),
    ),
    change: ContactsChange,
  },
  { $id: 'BulkRequest', additionalProperties: false, description: 'These contacts, or those that match.' },
)
export type BulkRequest = Static<typeof BulkRequest>

/** A line of the answer, which is JSON lines: how far it is, and last how it ended. */
export const BulkLine = Type.Object(
  {
    done: Type.Integer({ description: 'Contacts gone through, those that are gone or match no more among them.' }),
    total: Type.Integer(),
    failed: Type.Optional(
      Type.Array(Type.Object({ id: Contact.properties.id, message: Type.String() }, { additionalProperties: false }), {
        description: 'The first that could not be changed.',
      }),
    ),
    failed_count: Type.Optional(Type.Integer()),
    ended: Type.Optional(Type.Boolean({ description: 'In the last line: whether all were gone through.' })),
    message: Type.Optional(Type.String({ description: 'Why not all were.' })),
  },
  { $id: 'BulkLine', additionalProperties: false },
)
export type BulkLine = Static<typeof BulkLine>
