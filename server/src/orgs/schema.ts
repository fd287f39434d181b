import { type Static, Type } from 'typebox'

export type Plan = 'pro' | 'enterprise'

export interface Org {
  id: string
  name: string
  plan: Plan
  /** Requests that the API lets through in any hour. */
  hourly_limit: number
}

export interface NewOrg {
  name: string
  plan?: Plan | undefined
  hourly_limit?: number | undefined
  /** As IANA names it, `Europe/Berlin`; UTC unless said. */
  time_zone?: string | undefined
  /** ISO 4217, three capital letters; EUR unless said. */
  currency?: string | undefined
}

export interface OrgChange {
  name?: string | undefined
  time_zone?: string | undefined
  currency?: string | undefined
  plan?: Plan | undefined
  hourly_limit?: number | undefined
  /** The whole pipeline, in order. */
  stages?: string[] | undefined
  strict_stages?: boolean | undefined
}

/** Names of the colours that stages and labels are shown in, each by its bar on a light ground. */
export const COLORS = {
  grey: '#6b7482',
  blue: '#3f66d9',
  violet: '#7f4fd0',
  amber: '#b07600',
  green: '#23804c',
  red: '#c2453d',
} as const

const color = Type.Enum(Object.values(COLORS), { type: 'string', description: 'One of the six bars.' })

const name = (description: string) => Type.String({ description, maxLength: 64, examples: ['lead'] })

export const Stage = Type.Object(
  {
    name: name('What deal_stage of a contact is compared with.'),
    color,
    probability: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Chance of winning in percent; null where nobody has set it.',
      minimum: 0,
      maximum: 100,
    }),
  },
  { $id: 'Stage', additionalProperties: false, description: 'A stage of the pipeline; lists are in its order.' },
)
export type Stage = Static<typeof Stage>

export const Label = Type.Object(
  { name: name('What label of a contact is compared with.'), color },
  { $id: 'Label', additionalProperties: false, description: 'A label that is offered; a contact may have any other.' },
)
export type Label = Static<typeof Label>

/** A stage or label that contacts have, offered or not. */
export const NamedCount = Type.Object({ name: Type.String(), contacts: Type.Integer() })
export type NamedCount = Static<typeof NamedCount>

/** An org as its members see it. */
export const OrgSettings = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    time_zone: Type.String({ description: 'As IANA names it.' }),
    currency: Type.String({ description: 'ISO 4217.' }),
    plan: Type.Enum(['pro', 'enterprise'], { type: 'string' }),
    hourly_limit: Type.Integer(),
    strict_stages: Type.Boolean({ description: 'Whether a contact takes only stages of the pipeline.' }),
  },
  { $id: 'OrgSettings', additionalProperties: false },
)
export type OrgSettings = Static<typeof OrgSettings>
