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
}

export interface OrgChange {
  plan?: Plan | undefined
  hourly_limit?: number | undefined
  /** The whole pipeline, in order. */
  stages?: string[] | undefined
  strict_stages?: boolean | undefined
}
