import { type Static, Type } from 'typebox'
import { nullable } from '../http/fields.ts'

export const SCOPES = ['read', 'write'] as const

export type Scope = (typeof SCOPES)[number]

/** A token as it is listed: its text is not kept, only the first 12 characters. */
export interface ListedToken {
  id: string
  name: string
  prefix: string
  scopes: Scope[]
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

export interface NewToken {
  name: string
  scopes: Scope[]
}

const time = Type.String({ format: 'date-time' })

/** A token as the web app lists it, with who made it and who revoked it as people call them. */
export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'Its first 12 characters: the rest is not kept.' }),
  scopes: Type.Array(Type.Enum([...SCOPES], { type: 'string' })),
  created_at: time,
  created_by: Type.String(),
  last_used_at: nullable(time),
  revoked_at: nullable(time),
  revoked_by: nullable(Type.String()),
})
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyInput = Type.Object(
  {
    name: Type.String({ description: 'What it is for.', minLength: 1, maxLength: 100 }),
    scopes: Type.Array(Type.Enum([...SCOPES], { type: 'string' }), { maxItems: 2, 'x-distinct': true }),
  },
  { additionalProperties: false },
)
export type ApiKeyInput = Static<typeof ApiKeyInput>

/** The only answer that holds a token. */
export const MadeApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Array(Type.String()),
  token: Type.String(),
})
export type MadeApiKey = Static<typeof MadeApiKey>
