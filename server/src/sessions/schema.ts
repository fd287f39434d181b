import { type Static, Type } from 'typebox'
import { ROLES } from '../members/schema.ts'
import { Label, OrgSettings, Stage } from '../orgs/schema.ts'
import { View } from '../views/schema.ts'

const time = Type.String({ format: 'date-time' })

/** One of a member's sessions, as listed to that member. */
export const ListedSession = Type.Object(
  {
    id: Type.String(),
    user_agent: Type.String({ description: 'As the browser names itself.' }),
    created_at: time,
    last_used_at: time,
    is_current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  },
  { $id: 'ListedSession', additionalProperties: false },
)
export type ListedSession = Static<typeof ListedSession>

/** All that a page needs at its start. */
export const OpenSession = Type.Object(
  {
    member: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        email: Type.String(),
        role: Type.Enum([...ROLES], { type: 'string' }),
      },
      { additionalProperties: false },
    ),
    org: OrgSettings,
    stages: Type.Array(Stage),
    labels: Type.Array(Label),
    views: Type.Array(View),
    admins: Type.Array(Type.String(), { description: 'Names of those who may do what a member may not.' }),
    api_url: Type.String(),
    version: Type.String(),
  },
  { $id: 'OpenSession', additionalProperties: false },
)
export type OpenSession = Static<typeof OpenSession>
