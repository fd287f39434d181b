import { type Static, Type } from 'typebox'

export const ROLES = ['admin', 'member'] as const

export type Role = (typeof ROLES)[number]

/** A person of an org, as listed. */
export interface Member {
  id: string
  email: string
  name: string
  role: Role
  created_at: string
  last_seen_at: string | null
}

/** Who is to become a member. The password is judged by `password-rules.ts`. */
export const NewMember = Type.Object(
  {
    email: Type.String({ format: 'email', minLength: 1, maxLength: 254 }),
    name: Type.Optional(Type.String({ maxLength: 200 })),
    role: Type.Enum([...ROLES], { type: 'string' }),
  },
  { additionalProperties: false },
)
export type NewMember = Static<typeof NewMember>
