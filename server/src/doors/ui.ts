/**
 * The door of `/ui`: the actions of the API, and what else the web app needs, for people who have signed in. Who asks
 * (session cookie), from where (our own pages alone), and whether they may (access).
 */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { activityUiRoutes } from '../activities/ui-routes.ts'
import { LANE_LIVE } from '../actor.ts'
import type { Config } from '../config.ts'
import { contactRoutes } from '../contacts/routes.ts'
import { contactUiRoutes } from '../contacts/ui-routes.ts'
import type { Database } from '../database/engine.ts'
import { dealRoutes } from '../deals/routes.ts'
import { dealUiRoutes } from '../deals/ui-routes.ts'
import { ApiError } from '../http/errors.ts'
import { RouteTable } from '../http/route-table.ts'
import { sessionSecret } from '../http/session-cookie.ts'
import { importUiRoutes } from '../imports/ui-routes.ts'
import type { Feed } from '../live/feed.ts'
import { liveUiRoutes } from '../live/ui-routes.ts'
import type { Log } from '../log.ts'
import { signInRoutes } from '../members/sign-in-routes.ts'
import { memberUiRoutes } from '../members/ui-routes.ts'
import { setupRoutes } from '../orgs/setup-routes.ts'
import { orgUiRoutes } from '../orgs/ui-routes.ts'
import type { AddressGuard } from '../outgoing/address-guard.ts'
import { addUiRoutes } from '../prospecting/add-ui-routes.ts'
import type { Overpass } from '../prospecting/overpass.ts'
import { prospectingUiRoutes } from '../prospecting/ui-routes.ts'
import { usageUiRoutes } from '../rate-limit/ui-routes.ts'
import type { Usage } from '../rate-limit/usage.ts'
import { recogniseSession } from '../sessions/actions.ts'
import type { LastSessionUses } from '../sessions/last-uses.ts'
import { sessionUiRoutes } from '../sessions/ui-routes.ts'
import { taskRoutes } from '../tasks/routes.ts'
import { taskUiRoutes } from '../tasks/ui-routes.ts'
import { tokenUiRoutes } from '../tokens/ui-routes.ts'
import { viewUiRoutes } from '../views/ui-routes.ts'
import { mapUiRoutes } from '../web/map-ui-routes.ts'
import { deliveryUiRoutes } from '../webhooks/delivery-ui-routes.ts'
import { webhookUiRoutes } from '../webhooks/ui-routes.ts'

export const UI_PREFIX = '/ui'

export interface UiDoorParts {
  db: Database
  log: Log
  feed: Feed
  http: Pick<Config['http'], 'baseUrl'>
  lastUses: LastSessionUses
  /** Where deliveries may go. */
  guard: AddressGuard
  /** 32 bytes that signing secrets are sealed with. */
  key: Uint8Array
  usage: Usage
  imports: Config['imports']
  /** Undefined where the operator has named no server to ask for places. */
  overpass: Overpass | undefined
  /** Of the background of the map; null for the built-in world. */
  mapStyleUrl: string | null
}

/** Mounts what the web app calls. The checks come in this order: origin, content type, session, role, body, record. */
export function uiDoor(parts: UiDoorParts) {
  return async (app: FastifyInstance): Promise<void> => {
    const { db, feed, http } = parts
    const routes = new RouteTable()
    app.addHook('onRoute', (route) => {
      routes.add(route)
      requireAccess(route)
    })
    app.addHook('onRequest', async (request) => {
      if (CHANGES.has(request.method)) requireOwnPage(request, http.baseUrl)
      const { access } = request.routeOptions.config
      if (access === 'anyone' && !request.is404) return
      await recognise(parts, request)
      if (request.is404) routes.refuse(request)
      if (access === 'admin' && request.member.role !== 'admin') {
        throw new ApiError('forbidden', 'Only an admin can do this.')
      }
    })
    app.setNotFoundHandler((request) => routes.refuse(request))

    await app.register(setupRoutes(parts))
    await app.register(signInRoutes(parts))
    await app.register(sessionUiRoutes(parts))
    await app.register(memberUiRoutes(parts))
    await app.register(contactRoutes(db))
    await app.register(contactUiRoutes(parts))
    await app.register(activityUiRoutes(db))
    await app.register(viewUiRoutes(db))
    await app.register(dealRoutes(db))
    await app.register(dealUiRoutes(db))
    await app.register(taskRoutes(db))
    await app.register(taskUiRoutes(db))
    await app.register(liveUiRoutes(feed))
    await app.register(tokenUiRoutes(parts))
    await app.register(webhookUiRoutes(parts))
    await app.register(deliveryUiRoutes(db))
    await app.register(usageUiRoutes(parts))
    await app.register(orgUiRoutes(db))
    await app.register(importUiRoutes(parts))
    await app.register(prospectingUiRoutes(parts))
    await app.register(addUiRoutes(parts))
    await app.register(mapUiRoutes(parts.mapStyleUrl))
  }
}

const CHANGES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** @throws TypeError out of the registration of a route that does not say who may call it */
function requireAccess({ method, url, config }: RouteOptions): void {
  if (config?.access || config?.scope) return
  throw new TypeError(`${method} ${url} needs config.access: 'anyone', 'member' or 'admin'.`)
}

/**
 * Lets changes in from our own pages alone: a browser says where a request comes from, and no form can send JSON.
 *
 * @throws ApiError `forbidden`, `unsupported_media_type`
 * @see security P8
 */
function requireOwnPage(request: FastifyRequest, baseUrl: string | null): void {
  const { 'sec-fetch-site': site, origin, 'content-type': type = '' } = request.headers
  const isOwn = site === undefined ? isOwnOrigin(request, origin, baseUrl) : site === 'same-origin'
  if (!isOwn) throw new ApiError('forbidden', 'Changes are taken from pages of this server alone.')
  const { upload } = request.routeOptions.config
  const essence = type.split(';', 1)[0]!.trim().toLowerCase()
  if (upload ? UPLOAD_TYPES.has(essence) : essence === 'application/json') return
  const wanted = upload ? [...UPLOAD_TYPES].join(' or ') : 'application/json'
  throw new ApiError('unsupported_media_type', `The content type must be ${wanted}.`)
}

const UPLOAD_TYPES: ReadonlySet<string> = new Set(['application/octet-stream', 'text/csv'])

function isOwnOrigin(
  { protocol, headers }: FastifyRequest,
  origin: string | undefined,
  baseUrl: string | null,
): boolean {
  return origin !== undefined && (origin === `${protocol}://${headers.host}` || origin === baseUrl)
}

async function recognise({ db, http, lastUses }: UiDoorParts, request: FastifyRequest): Promise<void> {
  const secret = sessionSecret(request, http.baseUrl)
  const session = secret === undefined ? undefined : await recogniseSession(db.read, secret)
  if (!session) throw new ApiError('not_signed_in', 'Sign in first.')
  lastUses.note(session)
  request.member = session
  request.actor = { orgId: session.orgId, name: `member:${session.id}`, lane: LANE_LIVE }
}
