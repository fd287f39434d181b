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
