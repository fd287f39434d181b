/** Puts the parts together: database, rate limit, deliveries, background work, doors. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Loop, startLoop } from './background/loop.ts'
import type { Config } from './config.ts'
import type { Database } from './database/engine.ts'
import { openDatabase } from './database/open.ts'
import { API_PREFIX, apiDoor } from './doors/api.ts'
import { createServer } from './http/server.ts'
import { forgetOldAnswers } from './idempotency/actions.ts'
import { newId } from './ids.ts'
import type { Log } from './log.ts'
import { createMetrics } from './operations/metrics.ts'
import { operationRoutes } from './operations/routes.ts'
import { renewSetupCode } from './orgs/setup-code.ts'
import { BadTokenLimit } from './rate-limit/bad-token-limit.ts'
import { createLimiter } from './rate-limit/limiter.ts'
import { noteOperations } from './reference/operations.ts'
import { referenceRoutes } from './reference/routes.ts'
import { ownBaseUrl } from './settings/own-address.ts'
import { StartError } from './start-error.ts'
import { LastUses } from './tokens/last-uses.ts'
import { VERSION } from './version.ts'
import type { AddressGuard } from './webhooks/address-guard.ts'
import { startDispatcher } from './webhooks/dispatcher.ts'
import { loadSigningKey } from './webhooks/key-file.ts'
import { retentionStep } from './webhooks/retention.ts'
import { createSender } from './webhooks/sender.ts'

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
  const db = await openDatabase(parts.config.store, 'server')
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

  const lastUses = new LastUses()
  closers.push(() => lastUses.save(db))
  const limiter = createLimiter({ db, nodeId: newId(), log })
  closers.push(() => limiter.close())
  for (const loop of backgroundLoops(config, db, lastUses)) {
    const running = startLoop(loop, log)
    closers.push(() => running.stop())
  }
  const { caFile, concurrency, concurrencyPerSubscription } = config.webhooks
  const sender = createSender({ guard, ...(caFile !== null && { ca: readFileSync(caFile, 'utf8') }) })
  closers.push(async () => sender.close())
  const sending = { concurrency, concurrencyPerSubscription, version: VERSION }
  const dispatcher = startDispatcher({ db, sender, key, log, ...sending })
  closers.push(() => dispatcher.stop(graceMs))

  const metrics = createMetrics({ db, deliveries: () => dispatcher.stats() })
  const ready = { db, isClosing: () => isClosing }
  if (config.metrics) {
    const aside = createServer({ ...config.http, tls: null, trustedProxies: [] }, log, () => false)
    await aside.register(operationRoutes({ ...ready, metrics, metricsFor: 'everyone' }))
    await listen(aside, config.metrics)
    closers.push(() => aside.close())
  }

  const server = createServer(config.http, log, () => isClosing)
  metrics.watch(server)
  const operations = noteOperations(server, API_PREFIX)
  const badTokens = new BadTokenLimit(config.http.badTokensPerMinute)
  await server.register(apiDoor({ db, limiter, badTokens, lastUses }), { prefix: API_PREFIX })
  await server.register(referenceRoutes({ operations, baseUrl: config.http.baseUrl }))
  const metricsFor = config.metrics ? 'no one' : { localUnlessFrom: config.http.trustedProxies }
  await server.register(operationRoutes({ ...ready, metrics, metricsFor }))
  closers.push(() => server.close())
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

function backgroundLoops(config: Config, db: Database, lastUses: LastUses): Loop[] {
  return [
    { name: 'token-last-uses', step: () => lastUses.save(db), idleMs: 10_000, restMsMax: 60_000 },
    { name: 'old-answers', step: () => forgetOldAnswers(db), idleMs: 60_000, restMsMax: 600_000 },
    { name: 'retention', step: retentionStep(db, config.webhooks), idleMs: 60_000, restMsMax: 600_000 },
  ]
}

/** What was opened last is closed first, and each is closed whatever becomes of the others. */
async function closeAll(closers: Closer[]): Promise<void> {
  for (const close of closers.toReversed()) await close().catch(() => {})
}
