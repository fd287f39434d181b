import { type Static, Type } from 'typebox'
import { Contact } from '../contacts/schema.ts'

/** A deal is a contact whose stage is set: there is no record of its own. */
export const Deal = Type.Object(
  {
    id: Contact.properties.id,
    full_name: Contact.properties.full_name,
    company: Contact.properties.company,
    deal_stage: Type.String({ description: 'The stage.', examples: ['lead'] }),
    deal_value: Contact.properties.deal_value,
  },
  { $id: 'Deal', additionalProperties: false, description: 'A contact with a stage, as the list of deals shows it.' },
)
export type Deal = Static<typeof Deal>
