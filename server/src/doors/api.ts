/** The door of `/api/v1`: who asks (bearer token), how often (rate limit), what for (route) and whether they may (scope). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LANE_LIVE } from '../actor.ts'
import { contactRoutes } from '../contacts/routes.ts'
import type { Database } from '../database/engine.ts'
import { dealRoutes } from '../deals/routes.ts'
import { ApiError } from '../http/errors.ts'
import { RouteTable } from '../http/route-table.ts'
import type { BadTokenLimit } from '../rate-limit/bad-token-limit.ts'
import type { Limiter, Verdict } from '../rate-limit/limiter.ts'
import type { Usage } from '../rate-limit/usage.ts'
import { taskRoutes } from '../tasks/routes.ts'
import { recogniseToken, type TokenHolder } from '../tokens/actions.ts'
import type { LastUses } from '../tokens/last-uses.ts'

export const API_PREFIX = '/api/v1'

export interface ApiDoorParts {
  db: Database
  limiter: Limiter
  badTokens: BadTokenLimit
  lastUses: LastUses
  usage: Usage
}

/** Mounts the API. The checks come in the order of the contract: token, rate limit, route, scope, body, record. */
export function apiDoor(parts: ApiDoorParts) {
  return async (app: FastifyInstance): Promise<void> => {
    const routes = new RouteTable()
    app.addHook('onRoute', (route) => routes.add(route))
    app.addHook('onRequest', async (request, reply) => {
      const holder = await tokenHolder(parts, request)
      const verdict = parts.limiter.take(holder.orgId, holder.hourlyLimit)
      applyVerdict(parts, reply, holder, verdict instanceof Promise ? await verdict : verdict)
      if (request.is404) routes.refuse(request)
      requireScope(request, holder)
      request.actor = { orgId: holder.orgId, name: `token:${holder.tokenId}`, lane: LANE_LIVE }
      request.tokenId = holder.tokenId
    })
    // The hook above answers before this is reached; without it the framework would send its own words.
    app.setNotFoundHandler((request) => routes.refuse(request))
    await app.register(contactRoutes(parts.db))
    await app.register(dealRoutes(parts.db))
    await app.register(taskRoutes(parts.db))
  }
}

async function tokenHolder({ db, badTokens, lastUses }: ApiDoorParts, request: FastifyRequest): Promise<TokenHolder> {
  const headers = authorizationHeaders(request)
  if (headers.length === 0) throw unauthorized('missing_api_key', 'Send a token: Authorization: Bearer <token>.')
  const text = headers.length === 1 ? BEARER.exec(headers[0]!)?.[1] : undefined
  const found = text === undefined ? ({ refused: 'invalid' } as const) : await recogniseToken(db.read, text)
  if ('holder' in found) {
    lastUses.note(found.holder)
    return found.holder
  }
  if (found.refused === 'revoked') throw unauthorized('revoked_api_key', 'This token has been revoked.')
  badTokens.count(request.ip)
  throw unauthorized('invalid_api_key', 'There is no such token.')
}

const BEARER = /^Bearer +([^\s]+) *$/i

/** From the raw list: Node's `headers` keeps only the first of two. */
function authorizationHeaders({ raw: { rawHeaders } }: FastifyRequest): string[] {
  const found: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 13 && name.toLowerCase() === 'authorization') found.push(rawHeaders[i + 1]!)
  }
  return found
}

function unauthorized(code: 'missing_api_key' | 'invalid_api_key' | 'revoked_api_key', message: string): ApiError {
  return new ApiError(code, message, { headers: { 'www-authenticate': 'Bearer' } })
}

function applyVerdict({ usage }: ApiDoorParts, reply: FastifyReply, holder: TokenHolder, verdict: Verdict): void {
  usage.note(holder, verdict.ok)
  reply.header('ratelimit-limit', verdict.limit)
  reply.header('ratelimit-remaining', verdict.remaining)
  reply.header('ratelimit-reset', verdict.resetS)
  if (verdict.ok) return
  throw new ApiError('rate_limited', `The org has used its ${verdict.limit} requests of this hour.`, {
    headers: { 'retry-after': String(verdict.retryAfterS) },
  })
}

function requireScope(request: FastifyRequest, { scopes }: TokenHolder): void {
  const { scope } = request.routeOptions.config
  // A route that forgot to say its scope asks for the greater right.
  if (scopes.includes(scope ?? 'write')) return
  throw new ApiError('insufficient_scope', `This needs a token with the scope ${scope ?? 'write'}.`)
}
