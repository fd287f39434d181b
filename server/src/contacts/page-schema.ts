/** All that the page of one contact shows at first, in one answer. */
import { type Static, Type } from 'typebox'
import { Activities } from '../activities/schema.ts'
import { nullable } from '../http/fields.ts'
import { ContactPlace } from '../prospecting/add-schema.ts'
import { Contact } from './schema.ts'

export const ContactPage = Type.Object(
  {
    contact: Contact,
    changed_by: nullable(Type.String({ description: 'Name of who changed it last; null while nobody has.' })),
    activities: Activities,
    open_tasks: Type.Integer(),
    overdue_tasks: Type.Integer(),
    delivery_count: Type.Integer({ description: 'Webhook deliveries, which are deleted with it.' }),
    place: Type.Union([ContactPlace, Type.Null()], { description: 'Where it was found on a map.' }),
  },
  { $id: 'ContactPage', additionalProperties: false },
)
export type ContactPage = Static<typeof ContactPage>
