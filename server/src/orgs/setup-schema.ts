import { type Static, Type } from 'typebox'
import { FirstMember } from '../members/schema.ts'

/** What a fresh server is told: its one-time code, the organisation, and who its first admin is. */
export const SetUp = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 100 }),
    org: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 200 }),
        time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        currency: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
      },
      { additionalProperties: false },
    ),
    member: FirstMember,
  },
  { additionalProperties: false },
)
export type SetUp = Static<typeof SetUp>
