import { type Static, Type } from 'typebox'

/** How an org has used its hourly limit. */
export const UsageReport = Type.Object({
  limit: Type.Integer({ description: 'Requests that are let through in any hour.' }),
  used_last_hour: Type.Integer(),
  points: Type.Array(
    Type.Object({
      at: Type.String({ format: 'date-time' }),
      used: Type.Integer({ description: 'Let through in the hour before.' }),
      refused: Type.Integer({ description: 'Refused since the point before.' }),
    }),
    { description: 'The last 24 hours, one each 5 minutes, the oldest first.' },
  ),
  tokens: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      prefix: Type.String(),
      allowed: Type.Integer(),
      refused: Type.Integer(),
    }),
    { description: 'By key over the last 24 hours, the busiest first.' },
  ),
})
export type UsageReport = Static<typeof UsageReport>
