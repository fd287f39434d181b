/** What the doors add to a request and a route. */
import type { Actor } from '../actor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks: set by the door. */
    actor: Actor
    /** The token that it came with. */
    tokenId: string
  }
  interface FastifyContextConfig {
    scope?: 'read' | 'write'
  }
  /** What the description of the API takes from a route beside its shapes. */
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
  }
}
