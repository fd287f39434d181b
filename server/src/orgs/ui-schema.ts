/** What the web app sends about an org. */
import { type Static, Type } from 'typebox'
import { nullable } from '../http/fields.ts'
import { COLORS, Label, NamedCount, Stage } from './schema.ts'

const color = Type.Enum(Object.values(COLORS), { type: 'string' })
const name = Type.String({ minLength: 1, maxLength: 64 })
const was = Type.Optional(Type.String({ description: 'Its name until now, where that differs.', maxLength: 64 }))
const moving = Type.Integer({ description: 'How many contacts are being moved to new names.' })

export const OrgPatch = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    time_zone: Type.Optional(Type.String({ description: 'As IANA names it.', minLength: 1, maxLength: 64 })),
    currency: Type.Optional(Type.String({ description: 'ISO 4217.', minLength: 1, maxLength: 3 })),
    strict_stages: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type OrgPatch = Static<typeof OrgPatch>

export const StagesInput = Type.Object(
  {
    stages: Type.Array(
      Type.Object(
        {
          name,
          was,
          color,
          probability: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 100 }))),
        },
        { additionalProperties: false },
      ),
      { description: 'The whole pipeline, in order.', maxItems: 50 },
    ),
  },
  { additionalProperties: false },
)
export type StagesInput = Static<typeof StagesInput>

export const StagesAnswer = Type.Object({ stages: Type.Array(Stage), moving })
export type StagesAnswer = Static<typeof StagesAnswer>

export const LabelsInput = Type.Object(
  {
    labels: Type.Array(Type.Object({ name, was, color }, { additionalProperties: false }), {
      description: 'All that are offered, in order.',
      maxItems: 50,
    }),
  },
  { additionalProperties: false },
)
export type LabelsInput = Static<typeof LabelsInput>

export const LabelsAnswer = Type.Object({ labels: Type.Array(Label), moving })
export type LabelsAnswer = Static<typeof LabelsAnswer>

export const Counts = Type.Object({ data: Type.Array(NamedCount) })
