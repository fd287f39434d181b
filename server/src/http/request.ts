/** What the doors add to a request and a route. */
import type { Actor, SignedIn } from '../actor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks: set by the door. */
    actor: Actor
    /** The token that it came with; empty at the web app's door. */
    tokenId: string
    /** Who has signed in: set by the web app's door. */
    member: SignedIn
  }
  interface FastifyContextConfig {
    scope?: 'read' | 'write'
    /** At the web app's door: who may call it. A route of the API too is for every member. */
    access?: 'anyone' | 'member' | 'admin'
    /** At the web app's door: it takes a file and not JSON. */
    upload?: boolean
    /** Its answer goes on until somebody leaves, so that how long it took tells nothing. */
    isEndless?: boolean
  }
  /** What the description of the API takes from a route beside its shapes. */
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
  }
}
