/** The board of deals: a column a stage. */
import { type Static, Type } from 'typebox'
import { Contact, ContactQuery } from '../contacts/schema.ts'
import { nullable } from '../http/fields.ts'
import { listOf, pageFields } from '../http/paging.ts'

const { id, full_name, company, deal_value, label } = Contact.properties

export const DealCard = Type.Object(
  {
    id,
    full_name,
    company,
    deal_value,
    label,
    open_tasks: Type.Integer(),
    overdue_tasks: Type.Integer({ description: 'Of the open ones, those that were due before now.' }),
  },
  { $id: 'DealCard', additionalProperties: false },
)
export type DealCard = Static<typeof DealCard>

const money = (description: string) => nullable(Type.Number({ description }))

export const DealColumn = Type.Object(
  {
    stage: Type.String(),
    color: nullable(Type.String({ description: 'Null where the pipeline does not list the stage.' })),
    probability: nullable(Type.Integer({ description: 'In percent; null where nobody has set it.' })),
    listed: Type.Boolean({ description: 'Whether the pipeline has this stage.' }),
    count: Type.Integer(),
    total: Type.Number(),
    weighted: money('The total times the probability.'),
    cards: Type.Array(DealCard, { description: 'The first of them, the most valuable first.' }),
  },
  { $id: 'DealColumn', additionalProperties: false },
)
export type DealColumn = Static<typeof DealColumn>

export const DealBoard = Type.Object(
  {
    columns: Type.Array(DealColumn, {
      description: "In the pipeline's order; stages that it does not list come last.",
    }),
    hidden_stages: Type.Integer({ description: 'Stages with deals that have no column, since there are too many.' }),
    count: Type.Integer(),
    total: Type.Number(),
    weighted: money('Of the stages with a probability; null where no stage has one.'),
  },
  { $id: 'DealBoard', additionalProperties: false },
)
export type DealBoard = Static<typeof DealBoard>

const { q, label: labelFilter } = ContactQuery.properties

export const DealBoardQuery = Type.Object({ q, label: labelFilter }, { additionalProperties: false })
export type DealBoardQuery = Static<typeof DealBoardQuery>

export const DealColumnQuery = Type.Object(
  {
    stage: Type.String({ description: 'Exactly this stage.', minLength: 1, maxLength: 64 }),
    q,
    label: labelFilter,
    ...pageFields,
  },
  { additionalProperties: false },
)
export type DealColumnQuery = Static<typeof DealColumnQuery>

export const DealCards = listOf(DealCard)
