/** Puts the parts together: database, rate limit, deliveries, background work, doors. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Loop, startLoop } from './background/loop.ts'
import type { Config } from './config.ts'
import type { Database } from './database/engine.ts'
import { openDatabase } from './database/open.ts'
import { API_PREFIX, apiDoor } from './doors/api.ts'
import { UI_PREFIX, uiDoor } from './doors/ui.ts'
import { createServer } from './http/server.ts'
import { forgetOldAnswers } from './idempotency/actions.ts'
import { newId } from './ids.ts'
import { importRetentionStep } from './imports/retention.ts'
import { startImportWorker } from './imports/worker.ts'
import { startFeed } from './live/feed.ts'
import type { Log } from './log.ts'
import { forgetEndedLinks } from './members/link-actions.ts'
import { forgetOldTries } from './members/tries.ts'
import { createMetrics } from './operations/metrics.ts'
import { operationRoutes } from './operations/routes.ts'
import { RENAMES_TOPIC, renameStep } from './orgs/pipeline-actions.ts'
import { renewSetupCode } from './orgs/setup-code.ts'
import type { AddressGuard } from './outgoing/address-guard.ts'
import { takePlace } from './prospecting/add-actions.ts'
import { createOverpass, eraseOldAnswers } from './prospecting/overpass.ts'
import { eraseDeadSets } from './prospecting/set-actions.ts'
import { eraseEndedUploads } from './prospecting/upload-actions.ts'
import { BadTokenLimit } from './rate-limit/bad-token-limit.ts'
import { createLimiter } from './rate-limit/limiter.ts'
import { Usage } from './rate-limit/usage.ts'
import { noteOperations } from './reference/operations.ts'
import { referenceRoutes } from './reference/routes.ts'
import { forgetEndedSessions } from './sessions/actions.ts'
import { LastSessionUses } from './sessions/last-uses.ts'
import { ownBaseUrl } from './settings/own-address.ts'
import { StartError } from './start-error.ts'
import { LastUses } from './tokens/last-uses.ts'
import { VERSION } from './version.ts'
import { loadMapBackground } from './web/map-background.ts'
import { mapRoutes } from './web/map-routes.ts'
import { WEB_FOLDER } from './web/page.ts'
import { webApp } from './web/routes.ts'
import { startDispatcher } from './webhooks/dispatcher.ts'
import { loadSigningKey } from './webhooks/key-file.ts'
import { retentionStep } from './webhooks/retention.ts'
import { sendAgainStep } from './webhooks/send-again-actions.ts'
import { createSender } from './webhooks/sender.ts'
import { SEND_AGAIN_TOPIC } from './webhooks/topics.ts'

export interface App {
  /** Where it can be reached, without a slash at the end. */
  url: string
  /** For the first-run page; undefined once there is an org. */
  setupCode: string | undefined
  /** Turns new requests away, lets those in flight and the deliveries under way end, and closes everything. */
  close(): Promise<void>
}

export interface AppParts {
  config: Config
  log: Log
  /** Where deliveries may go. */
  guard: AddressGuard
}

type Closer = () => Promise<unknown>

/** @throws StartError when what it finds at start cannot be used, with what to do */
export async function startApp(parts: AppParts): Promise<App> {
  const db = await openDatabase(parts.config.store, 'server', { log: parts.log })
  const closers: Closer[] = [() => db.close()]
  try {
    return await openDoors(parts, db, closers)
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

/** @param closers what it opens adds how it is closed, in the order of opening */
async function openDoors({ config, log, guard }: AppParts, db: Database, closers: Closer[]): Promise<App> {
  let isClosing = false
  const graceMs = config.shutdownMs * GRACE_PART
  const key = await loadSigningKey(db, config.keyFile)
  const setupCode = await renewSetupCode(db)

  const nodeId = newId()
  const lastUses = new LastUses()
  closers.push(() => lastUses.save(db))
  const sessionUses = new LastSessionUses()
  closers.push(() => sessionUses.save(db))
  const usage = new Usage()
  closers.push(() => usage.save(db))
  const limiter = createLimiter({ db, nodeId, log })
  closers.push(() => limiter.close())
  for (const loop of backgroundLoops(config, db, { lastUses, sessionUses, usage })) {
    const running = startLoop(loop, log)
    closers.push(() => running.stop())
  }
  for (const [topic, loop] of hintedLoops(db)) {
    const running = startLoop(loop, log)
    const unlisten = db.onHint((hinted) => {
      if (hinted === topic) running.nudge()
    })
    closers.push(() => {
      unlisten()
      return running.stop()
    })
  }
  const importWorker = startImportWorker({ db, log, nodeId, takers: { places: takePlace } })
  closers.push(() => importWorker.stop())
  const { caFile, concurrency, concurrencyPerSubscription } = config.webhooks
  const sender = createSender({ guard, ...(caFile !== null && { ca: readFileSync(caFile, 'utf8') }) })
  closers.push(async () => sender.close())
  const sending = { concurrency, concurrencyPerSubscription, version: VERSION }
  const dispatcher = startDispatcher({ db, sender, key, log, nodeId, ...sending })
  closers.push(() => dispatcher.stop(graceMs))

  const metrics = createMetrics({
    db,
    deliveries: () => dispatcher.stats(),
    node: {
      id: nodeId,
      rateLimit: () => limiter.stats(),
      imports: () => importWorker.owned,
      connections: db.connections?.bind(db),
    },
  })
  const ready = { db, isClosing: () => isClosing }
  if (config.metrics) {
    const aside = createServer({ ...config.http, tls: null, trustedProxies: [] }, log, () => false)
    closers.push(() => aside.close())
    await aside.register(operationRoutes({ ...ready, metrics, metricsFor: 'everyone' }))
    await listen(aside, config.metrics)
  }

  const map = loadMapBackground(config.map)
  const web = webApp(WEB_FOLDER, map.origins)
  const server = createServer(config.http, log, () => isClosing, web.notFound)
  closers.push(() => server.close())
  metrics.watch(server)
  const operations = noteOperations(server, API_PREFIX)
  const badTokens = new BadTokenLimit(config.http.badTokensPerMinute)
  await server.register(apiDoor({ db, limiter, badTokens, lastUses, usage }), { prefix: API_PREFIX })
  const overpass = config.places.overpass ? createOverpass({ db, log, ...config.places.overpass }) : undefined
  closers.push(async () => overpass?.close())
  const feed = startFeed(db, log)
  closers.push(() => feed.stop())
  const { http, imports } = config
  const uiParts = {
    db,
    log,
    feed,
    http,
    imports,
    lastUses: sessionUses,
    guard,
    key,
    usage,
    overpass,
    mapStyleUrl: map.styleUrl,
  }
  await server.register(uiDoor(uiParts), { prefix: UI_PREFIX })
  await server.register(referenceRoutes({ operations, baseUrl: config.http.baseUrl }))
  await server.register(web.routes)
  await server.register(mapRoutes({ db, http, files: map.files }))
  const metricsFor = config.metrics ? 'no one' : { localUnlessFrom: config.http.trustedProxies }
  await server.register(operationRoutes({ ...ready, metrics, metricsFor }))
  await listen(server, config.http)

  const { port } = server.server.address() as AddressInfo
  return {
    url: config.http.baseUrl ?? ownBaseUrl(config.http, port),
    setupCode,
    close: async () => {
      isClosing = true
      // What has not been answered by then (a stalled upload, a slow reader) is cut off.
      const cut = setTimeout(() => server.server.closeAllConnections(), graceMs)
      await closeAll(closers)
      clearTimeout(cut)
    },
  }
}

async function listen(server: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const reason = LISTEN_FAULTS[(error as NodeJS.ErrnoException).code ?? '']
    if (!reason) throw error
    throw new StartError(`Kith cannot listen on ${host}, port ${port}: ${reason}.`, { cause: error })
  }
}

const LISTEN_FAULTS: Record<string, string> = {
  EADDRINUSE: 'another program does; stop it, or take another port with --port',
  EACCES: 'that needs more rights; take a port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine has no such address',
}

/** Of the time for shutting down, what requests in flight get, and then again deliveries under way. */
const GRACE_PART = 0.4

interface Gathered {
  lastUses: LastUses
  sessionUses: LastSessionUses
  usage: Usage
}

function backgroundLoops(config: Config, db: Database, { lastUses, sessionUses, usage }: Gathered): Loop[] {
  return [
    { name: 'token-last-uses', step: () => lastUses.save(db), idleMs: 10_000, restMsMax: 60_000 },
    { name: 'session-last-uses', step: () => sessionUses.save(db), idleMs: 10_000, restMsMax: 60_000 },
    // It counts all the time: to go on at once would be to write all the time.
    { name: 'usage', step: async () => usage.save(db).then(() => 0), idleMs: 5_000, restMsMax: 60_000 },
    { name: 'ended-sessions', step: () => forgetEndedSessions(db), idleMs: 60_000, restMsMax: 600_000 },
    { name: 'ended-links', step: () => forgetEndedLinks(db), idleMs: 60_000, restMsMax: 600_000 },
    { name: 'old-tries', step: () => forgetOldTries(db), idleMs: 60_000, restMsMax: 600_000 },
    { name: 'old-answers', step: () => forgetOldAnswers(db), idleMs: 60_000, restMsMax: 600_000 },
    { name: 'import-retention', step: importRetentionStep(db), idleMs: 10_000, restMsMax: 600_000 },
    { name: 'dead-places', step: () => eraseDeadSets(db), idleMs: 60_000, restMsMax: 600_000 },
    { name: 'ended-uploads', step: () => eraseEndedUploads(db), idleMs: 60_000, restMsMax: 600_000 },
    { name: 'old-places', step: () => eraseOldAnswers(db), idleMs: 60_000, restMsMax: 600_000 },
    { name: 'retention', step: retentionStep(db, config.webhooks), idleMs: 60_000, restMsMax: 600_000 },
  ]
}

/** Those that somebody waits for, each with what it is hinted at. */
function hintedLoops(db: Database): [topic: string, loop: Loop][] {
  return [
    [RENAMES_TOPIC, { name: 'renames', step: renameStep(db), idleMs: 5_000, restMsMax: 60_000 }],
    [SEND_AGAIN_TOPIC, { name: 'send-again', step: sendAgainStep(db), idleMs: 1_000, restMsMax: 10_000 }],
  ]
}

/** What was opened last is closed first, and each is closed whatever becomes of the others. */
async function closeAll(closers: Closer[]): Promise<void> {
  for (const close of closers.toReversed()) await close().catch(() => {})
}
