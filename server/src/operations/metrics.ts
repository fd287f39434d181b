/** What the process tells about itself, for Prometheus. No org's data, and no id but its own: routes are named by their pattern. */
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Database } from '../database/engine.ts'
import { VERSION } from '../version.ts'
import { addNodeMetrics, type NodeStats } from './node-metrics.ts'
import { addRequestMetrics } from './request-metrics.ts'
import { countDue, DUE_MAX } from './store.ts'
import { within } from './within.ts'

const DUE_KEPT_MS = 5_000
const DUE_ANSWER_MS_MAX = 1_000

/** What this process does about deliveries, and has done since it started. */
export interface DeliveryStats {
  sending: number
  /** Subscriptions that it works. */
  subscriptions: number
  delivered: number
  failed: number
  /** Sent, and their outcome not yet in the database. */
  unrecorded: number
}

export interface MetricsParts {
  db: Pick<Database, 'slow'>
  deliveries: () => DeliveryStats
  node: NodeStats
}

export interface Metrics {
  /** Counts the requests of a server: called before its routes are registered. */
  watch(app: FastifyInstance): void
  /** Everything in Prometheus' text form. */
  text(): Promise<{ type: string; body: string }>
}

export function createMetrics({ db, deliveries, node }: MetricsParts): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addBuildMetric(registry)
  addDeliveryMetrics(registry, deliveries)
  addDueMetric(registry, db)
  addNodeMetrics(registry, node)
  const countAnswer = addRequestMetrics(registry)
  return {
    watch(app) {
      app.addHook('onResponse', (request, reply, done) => {
        if (!request.routeOptions.config.isEndless) countAnswer(request, reply)
        done()
      })
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}

function addBuildMetric(registry: Registry): void {
  const name = 'kith_build_info'
  const help = 'Always 1: the version is the label.'
  new Gauge({ name, help, labelNames: ['version'], registers: [registry] }).set({ version: VERSION }, 1)
}

function addDeliveryMetrics(registry: Registry, deliveries: () => DeliveryStats): void {
  new Counter({
    name: 'kith_deliveries_total',
    help: 'Sendings of deliveries by this process, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      const { delivered, failed } = deliveries()
      this.reset()
      this.inc({ outcome: 'delivered' }, delivered)
      this.inc({ outcome: 'failed' }, failed)
    },
  })
  addGauge(
    registry,
    'kith_deliveries_in_flight',
    'Deliveries that this process is sending.',
    () => deliveries().sending,
  )
  addGauge(
    registry,
    'kith_deliveries_unrecorded',
    'Deliveries that were sent and whose outcome is not yet recorded.',
    () => deliveries().unrecorded,
  )
  addGauge(
    registry,
    'kith_subscriptions_owned',
    'Subscriptions that this process works.',
    () => deliveries().subscriptions,
  )
}

/** Asked for by whoever scrapes, as often as they like: the database is asked every few seconds at most. */
function addDueMetric(registry: Registry, db: MetricsParts['db']): void {
  let due = Promise.resolve(Number.NaN)
  let keptUntilMs = Number.NEGATIVE_INFINITY
  const help = `Deliveries that are due, of all processes together; counted up to ${DUE_MAX}, NaN when the database does not answer.`
  addGauge(registry, 'kith_deliveries_due', help, () => {
    if (performance.now() >= keptUntilMs) {
      keptUntilMs = performance.now() + DUE_KEPT_MS
      due = within(countDue(db.slow), DUE_ANSWER_MS_MAX).catch(() => Number.NaN)
    }
    return due
  })
}

function addGauge(registry: Registry, name: string, help: string, value: () => number | Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await value())
    },
  })
}
